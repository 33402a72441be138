"""Run commands as a shell would: a process of its own, its working folder, its environment."""

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.cli.conftest import Done

ROOT = Path(__file__).parents[2]
CALIB = (sys.executable, "-m", "calib")


def environment(**changed: str | None) -> dict[str, str]:
    """Give this process's environment with some variables set, or unset by None."""
    found = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **changed}
    return {name: value for name, value in found.items() if value is not None}


def shell(
    *words: str | Path,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    data: bytes = b"",
    before: Sequence[str | Path] = (),
    limit: float = 60,
) -> Done:
    """Run `calib WORDS` in its own process; `before` is put in front of the command line (setpriv, say)."""
    done = subprocess.run(
        [*map(str, before), *CALIB, *map(str, words)],
        cwd=cwd, env=dict(env or environment()), input=data, capture_output=True, timeout=limit, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def start(*words: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> "subprocess.Popen[bytes]":
    """Start `calib WORDS` as the leader of its own process group."""
    return subprocess.Popen(
        [*CALIB, *map(str, words)],
        cwd=cwd, env=dict(env or environment()), start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def group_alive(leader: int) -> bool:
    """Tell whether any process of a group is left."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


def end_group(leader: int) -> None:
    """Kill what is left of a group that a test started."""
    if group_alive(leader):
        os.killpg(leader, signal.SIGKILL)


def tree(folder: Path) -> dict[str, str]:
    """Digest every file below a folder by relative name; folders end in a slash."""
    return {
        f"{path.relative_to(folder)}{'/' if path.is_dir() else ''}": ""
        if path.is_dir()
        else hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
    }


def one_line(said: str, *pieces: str) -> None:
    """Check that standard error is one line of ours and holds the pieces."""
    assert said.startswith("calib: "), said
    assert said.count("\n") == 1, said
    for piece in pieces:
        assert piece in said
