"""matplotlib imported without a trace: checked in processes of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json, logging, os, sys
written = []
def hook(event, args):
    if event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        written.append(str(args[0]))
    if event in ("os.rename", "os.remove", "subprocess.Popen", "os.system", "os.posix_spawn", "tempfile.mkdtemp"):
        written.append(f"{event} {args[0]}")
sys.dont_write_bytecode = True
from tests.sweeps import pencil, sweep_of
found = sweep_of(pencil())
sys.addaudithook(hook)
from calib.plots import render_all, seal
seal()
seal()
files = render_all(found)
import matplotlib
from matplotlib.font_manager import fontManager
print(json.dumps({
    "written": written, "files": {name: len(data) for name, data in files.items()},
    "fonts": sorted({font.name for font in fontManager.ttflist}), "environment": sorted(
        name for name in os.environ if name.startswith("M")), "pyplot": "matplotlib.pyplot" in sys.modules,
}))
"""


def run(home: Path, **environment: str) -> tuple[dict[str, object], str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=home,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "HOME": str(home),
            **environment,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    value: dict[str, object] = json.loads(done.stdout)
    return value, done.stderr


def test_nothing_is_written_and_no_font_of_the_machine_is_known(tmp_path: Path) -> None:
    found, said = run(tmp_path)
    assert found["written"] == []
    assert found["fonts"] == ["DejaVu Sans"]
    assert found["pyplot"] is False
    assert said == ""
    assert list(tmp_path.rglob("*")) == []


def test_a_home_that_cannot_be_written_is_no_matter(tmp_path: Path) -> None:
    found, said = run(tmp_path, HOME="/nonexistent", XDG_CONFIG_HOME="/proc/none")
    assert found["written"] == []
    assert said == ""


def test_settings_of_the_user_change_no_byte(tmp_path: Path) -> None:
    plain, _ = run(tmp_path)
    (tmp_path / "matplotlibrc").write_text("font.size: 30\nfigure.dpi: 20\nno.such.key: 1\nsvg.fonttype: none\n")
    changed, said = run(tmp_path, MPLBACKEND="no-such-backend", MPLCONFIGDIR=str(tmp_path / "config"))
    assert changed["files"] == plain["files"]
    assert changed["environment"] == ["MPLBACKEND", "MPLCONFIGDIR"]  # given back as they were
    assert said == ""
    assert [path.name for path in tmp_path.iterdir()] == ["matplotlibrc"]
