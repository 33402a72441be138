"""git and the clients of the places where repositories live.

Source: the git manual (git 2.4x) and the manuals of gh and glab. What changes the index, a branch, the stash or
a remote writes; `fetch` writes too, for it moves the remote branches.
"""

from calib.tools._family import Family

FAMILY = Family(
    prefix="bash:",
    reads="""
    git {log, show, diff, status, grep, blame, annotate, ls-files, ls-tree, ls-remote, rev-parse, rev-list, cat-file,
    describe, shortlog, whatchanged, show-ref, show-branch, for-each-ref, name-rev, merge-base, diff-tree, diff-index,
    diff-files, range-diff, check-ignore, check-attr, check-mailmap, cherry, count-objects, fsck, verify-commit,
    verify-tag, var, version, help, branch, tag, remote, reflog, stash list, stash show, worktree list,
    submodule status, submodule summary, bisect log, bisect view, notes show, notes list, remote show, remote get-url,
    config --get, config --get-all, config --get-regexp, config --list, config -l, config list, config get,
    config NAME, symbolic-ref NAME, branch --list, branch -l, branch --contains, branch --merged, branch --no-merged,
    branch --show-current, branch -r, branch -a, branch -v, branch --points-at, tag -l, tag --list, tag --contains,
    tag --points-at, tag -n, tag --merged, lfs ls-files, archive --list, bundle verify, format-patch --stdout,
    apply --check, apply --stat}, gh {pr view, pr list, pr diff, pr checks, pr status, issue view, issue list,
    issue status, repo view, repo list, run view, run list, run watch, release view, release list, workflow view,
    workflow list, auth status, search repos, search issues, search prs, search code, search commits, api, gist view,
    gist list, label list, cache list, secret list, variable list, status, project list, project view,
    project item-list, config get, config list, extension list, ruleset list, ruleset view}, glab {mr view, mr list,
    mr diff, issue view, issue list, ci view, ci status, ci list, repo view, api}, tig, git-lfs ls-files
    """,
    writes="""
    git {add, commit, checkout, switch, restore, reset, revert, merge, rebase, cherry-pick, pull, push, fetch, clone,
    init, mv, rm, clean, stash, apply, am, gc, prune, repack, maintenance, filter-branch, filter-repo, update-index,
    update-ref, read-tree, write-tree, commit-tree, hash-object, mktree, mktag, replace, rerere, sparse-checkout,
    subtree, submodule, worktree, notes, config, bundle, archive, format-patch, send-email, svn, lfs, diff --output,
    log --output, config NAME VALUE, config --add, config --unset, config --unset-all, config --replace-all,
    config set, config unset, symbolic-ref NAME VALUE, branch -d, branch -D, branch -m, branch -M, branch -c,
    branch -C, branch -f, branch -u, branch --delete, branch --move, branch --copy, branch --force,
    branch --set-upstream-to, branch --unset-upstream, branch --edit-description, branch NAME, tag -d, tag -a, tag -s,
    tag -f, tag -m, tag --delete, tag --force, tag NAME, remote add, remote remove, remote rm, remote rename,
    remote set-url, remote set-head, remote prune, remote update, reflog expire, reflog delete, bisect, credential,
    pack-refs}, gh {pr create, pr merge, pr close, pr reopen, pr edit, pr comment, pr review, pr checkout, pr ready,
    issue create, issue close, issue reopen, issue edit, issue comment, issue delete, repo clone, repo create,
    repo fork, repo edit, repo delete, repo sync, release create, release edit, release delete, release upload,
    release download, run rerun, run cancel, run delete, workflow run, workflow enable, workflow disable, auth login,
    auth logout, auth setup-git, auth refresh, gist create, gist edit, label create, secret set, variable set,
    config set, extension install, api -X, api --method, api -f, api -F, api --field, api --raw-field, api --input},
    glab {mr create, mr merge, mr note, issue create, issue note}, pre-commit install, gh run download,
    git show --output
    """,
)
