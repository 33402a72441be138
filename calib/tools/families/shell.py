"""Programs that look, change files, or only steer the shell.

Source: the POSIX utilities, GNU coreutils, findutils and util-linux manuals, and the shell's own built-ins.
An archive or an image that is written is a file like any other.
"""

from calib.tools._family import Family

FAMILY = Family(
    prefix="bash:",
    reads="""
    ls, dir, vdir, tree, exa, eza, lsd, cat, bat, batcat, head, tail, tac, nl, less, more, most, zcat, bzcat, xzcat,
    zless, grep, egrep, fgrep, zgrep, rg, ripgrep, ag, ack, ugrep, pcregrep, find, fd, fdfind, locate, sed, awk, sort,
    uniq, cut, paste, join, tr, wc, rev, fold, fmt, column, comm, diff, colordiff, cmp, diff3, sdiff, expand,
    unexpand, look, tsort, numfmt, shuf, ptx, jq, xq, gron, xmllint, csvlook, csvcut, csvgrep, pup, od, xxd, hexdump,
    hd, strings, nm, objdump, readelf, ldd, size, otool, file, stat, du, df, lsof, lsblk, mount, findmnt, basename,
    dirname, realpath, readlink, pathchk, namei, which, whereis, whatis, apropos, type, man, info, help, command -v,
    command -V, test, env, printenv, locale, getconf, id, whoami, groups, who, w, users, last, logname, tty, uname,
    arch, hostname, hostnamectl, uptime, nproc, free, vmstat, iostat, lscpu, lspci, lsusb, dmesg, getent, ps, pstree,
    pgrep, pidof, top, htop, jobs, history, md5sum, md5, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, shasum,
    b2sum, cksum, sum, ping, ping6, dig, nslookup, host, whois, netstat, ss, ifconfig, traceroute, tracepath, cloc,
    tokei, scc, curl, wget -O -, wget --spider, tar -t, zipinfo, unzip {-l, -p, -v, -Z, -t}, gzip {-l, -t}, gunzip -c,
    gzip {-c, -dc}, zip -sf, crontab -l, sysctl, yq, python -m json.tool, python -m this, python -m site,
    python -m platform, sw_vers, mdfind, cal, tput, stty, infocmp, tee /dev/null, openssl version, ip {a, addr,
    address, r, route, link, neigh}, rclone ls, s3cmd ls, get-content, get-childitem, select-string, get-item,
    get-location, get-process, get-command, test-path, select-object, where-object, sort-object, measure-object,
    format-table, format-list, out-string, out-host, resolve-path, get-help, get-itemproperty, convertfrom-json,
    convertto-json, gc, gci, sls, findstr, where, fc, tasklist, systeminfo, ver, * --version, iconv, xz {-c, -l, -t},
    bzip2 {-c, -t}, zstd {-c, -l, -t}, base64, base32
    """,
    writes="""
    >, <<, touch, mkdir, rmdir, rm, unlink, shred, mv, cp, ln, link, install, truncate, mktemp, mkfifo, mknod, chmod,
    chown, chgrp, chattr, setfacl, tee, dd, sponge, rename, rsync, scp, sftp, ftp, split, csplit, fallocate, sync,
    trash, patch, apply_patch, ed, ex, vi, vim, nvim, nano, emacs, pico, code, sed -i, sed --in-place, sed w, awk -i,
    awk >, perl -i, sort -o, sort --output, uniq NAME VALUE, find {-delete, -fprint, -fprint0, -fprintf, -fls},
    xxd NAME VALUE, yq {-i, --inplace}, jq {-i, --in-place}, tar, zip, unzip, gzip, gunzip, bzip2, bunzip2, xz, unxz,
    zstd, 7z, ar, cpio, wget, aria2c, yt-dlp, curl {-o, -O, --output, --remote-name, -d, --data, --data-raw,
    --data-binary, --data-urlencode, --json, -F, --form, -T, --upload-file, -X, --request, -c, --cookie-jar, -D,
    --dump-header}, http, https, crontab, useradd, usermod, userdel, groupadd, passwd, ldconfig, update-alternatives,
    dos2unix, unix2dos, iconv -o, ip -batch, mkfs, umount, losetup, sysctl -w, openssl, gpg, ssh-keygen, set-content,
    add-content, out-file, new-item, remove-item, copy-item, move-item, rename-item, set-itemproperty,
    invoke-webrequest -outfile, ni, del, erase, copy, xcopy, robocopy, move, ren, md, rd, attrib, tree -o,
    xmllint {-o, --output}, shuf -o, sdiff -o, ip {link set, link add, addr add, addr del, route add, route del},
    mount NAME VALUE, hostname NAME
    """,
    other="""
    bash, sh, zsh, dash, ksh, ash, fish, pwsh, powershell, cmd, ./, kill, pkill, killall, fuser, screen, tmux, at,
    batch, nc, ncat, netcat, socat, telnet, ssh, su, sudo, chroot, parallel, trap, ulimit, umask, fg, bg, disown,
    xdg-open, start, systemd-run, service, shutdown, reboot, mysql, psql, sqlite3, mongo, mongosh, redis-cli, duckdb,
    convert, magick, ffmpeg, ffprobe, sox, pdftotext, pandoc, latex, pdflatex, xelatex, dot, gnuplot, script, expect,
    logger, mail, sendmail, nginx, apachectl, openclaw, claude, codex, gemini, opencode, copilot, source,
    invoke-webrequest, invoke-restmethod, start-process, stop-process, foreach-object, iex
    """,
    neutral="""
    #, cd, chdir, pushd, popd, dirs, pwd, echo, printf, true, false, exit, return, break, continue, shift, sleep,
    wait, export, unset, set, setopt, shopt, local, declare, typeset, readonly, let, read, mapfile, readarray,
    getopts, alias, unalias, hash, clear, reset, date, seq, expr, bc, dc, yes, factor, source activate,
    conda activate, conda deactivate, deactivate, nvm use, module, start-sleep, set-location, write-output,
    write-host, write-error, enable, bind, caller, complete, xargs, timeout, stdbuf, times, logout, banner, figlet,
    envsubst, watch, uuidgen
    """,
)
