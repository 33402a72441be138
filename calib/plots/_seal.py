"""Import matplotlib without a trace on disk.

matplotlib makes a configuration folder when it is imported and writes a cache of all fonts of the machine when
its font manager is. A command must leave nothing outside its output, and its pictures must not depend on which
fonts a machine has. So the font manager is given an empty list instead of its cache, and the fonts that
matplotlib itself brings.
"""

import io
import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
# One that exists is named to matplotlib as its own; nothing is written there.
FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", ".")
MANAGER = "matplotlib.font_manager"


def seal() -> None:
    """Import matplotlib so that it writes nothing and reads no settings; a no-op when it is imported already.

    Only for a process of one's own: the settings and fonts of the user stay unknown to matplotlib in it.
    """
    if "matplotlib" in sys.modules:
        return
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with _environment():
        import matplotlib

        matplotlib.get_configdir()  # both are looked up once and kept
        matplotlib.get_cachedir()
        if MANAGER not in sys.modules:
            _load_font_manager(Path(matplotlib.get_data_path()) / "fonts" / "ttf")


@contextmanager
def _environment() -> Iterator[None]:
    """Point matplotlib to a folder that exists, so that it makes none, and away from the user's choices."""
    before = {name: os.environ.pop(name, None) for name in ("MPLCONFIGDIR", "MPLBACKEND", "MATPLOTLIBRC")}
    places = [place for place in FOLDERS if Path(place).is_dir() and os.access(place, os.W_OK)]
    if places:
        os.environ["MPLCONFIGDIR"] = places[0]
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _load_font_manager(fonts: Path) -> None:
    """Execute the font manager's module with an `open` that answers for its cache.

    Should a later matplotlib read its cache in another way, it scans the machine's fonts as it does today.
    """
    spec = find_spec(MANAGER)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    vars(module)["open"] = _empty_cache
    sys.modules[MANAGER] = module
    spec.loader.exec_module(module)
    del vars(module)["open"]
    sys.modules["matplotlib"].font_manager = module  # type: ignore[attr-defined]  # as an import statement would
    for font in FONTS:
        module.fontManager.addfont(str(fonts / font))


def _empty_cache(path: Any, mode: str = "r", *_: Any, **__: Any) -> io.StringIO:
    version = re.search(r"fontlist-v([^/]+)\.json$", str(path))
    if mode != "r" or version is None:
        raise OSError("nothing is written")
    return io.StringIO(
        json.dumps(
            {
                "__class__": "FontManager",
                "_version": _version(version[1]),
                "_FontManager__default_weight": "normal",
                "default_size": None,
                "defaultFamily": {"ttf": "DejaVu Sans", "afm": "Helvetica"},
                "afmlist": [],
                "ttflist": [],
            }
        )
    )


def _version(text: str) -> int | str:
    """Read the version as matplotlib holds it: a number in releases up to 3.10, text in later ones."""
    return int(text) if text.isdecimal() else text
