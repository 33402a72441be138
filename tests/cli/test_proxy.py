"""`calib proxy`: what it refuses before it serves."""

import builtins
import socket
from typing import Any

import pytest

from tests.cli.conftest import Calib

UPSTREAM = ("--upstream", "http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*UPSTREAM,), "expected --point POINT"),
        ((*UPSTREAM, "--point", "T2"), "expected DETECTOR@THRESHOLD"),
        ((*UPSTREAM, "--point", "nobody@7"), "no detector named"),
        ((*UPSTREAM, "--point", "T2@7", "--edit", "half"), "edit 'half'"),
        ((*UPSTREAM, "--point", "T2@7", "--provider", "mine"), "provider"),
        ((*UPSTREAM, "--point", "T2@7", "--log", "no/such/folder/log.jsonl"), "its folder does not exist"),
        ((*UPSTREAM, "--point", "T2@7", "--log", "."), "found a folder"),
        (("--upstream", "ftp://host", "--point", "T2@7"), "expected http://HOST or https://HOST"),
        (("--upstream", "http://host:99999", "--point", "T2@7"), "expected http://HOST or https://HOST"),
        (("--upstream", "http://", "--point", "T2@7"), "expected http://HOST or https://HOST"),
        (("--upstream", "http://host:http", "--point", "T2@7"), "expected http://HOST or https://HOST"),
        (("--point", "T2@7"), "--upstream"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(calib: Calib, words: tuple[str, ...], said: str) -> None:
    done = calib("proxy", "--port", "0", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done.err
    assert said in done.err


def test_a_taken_port_is_named(calib: Calib) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = calib("proxy", *UPSTREAM, "--point", "T2@7", "--port", port)
    assert (done.code, done.err.count("\n")) == (2, 1), done.err
    assert f"127.0.0.1:{port}: could not listen there" in done.err


def test_without_the_extra_it_says_what_to_install(calib: Calib, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *more: Any) -> Any:
        if name == "calib.live.serve":
            raise ModuleNotFoundError("No module named 'uvicorn'", name="uvicorn")
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", missing)
    done = calib("proxy", *UPSTREAM, "--point", "T2@7")
    assert done.code == 2
    assert "the library uvicorn is missing; install calib with its extra `live`" in done.err
