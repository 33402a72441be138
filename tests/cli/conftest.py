"""A corpus that command tests share, and a way to run a command in this process."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from calib.cli import run
from tests.corpus import ingested, pencil


@dataclass(frozen=True)
class Done:
    """What a command did: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


Calib = Callable[..., Done]


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pencil corpus, ingested once; tests must not change it."""
    folder = tmp_path_factory.mktemp("pencil")
    ingested(pencil(), folder)
    return folder / "corpus"


@pytest.fixture
def calib(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calib:
    """Run a command in an empty working folder."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str | Path) -> Done:
        capsys.readouterr()
        code = run([str(word) for word in words])
        said = capsys.readouterr()
        return Done(int(code), said.out, said.err)

    return command
