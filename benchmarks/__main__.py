"""Run every benchmark and write RESULTS.md: python -m benchmarks [--quick]."""

import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PARTS = (
    ("ingest", "Ingest: throughput and memory"),
    ("surface", "Levels, reach and the surface of all pairs"),
    ("readers", "Readers of every format"),
    ("detectors", "Detectors of every family, against T2 over the same turns"),
    ("guard", "The text guard over much reasoning"),
    ("monitor", "The monitor, one turn at a time"),
    ("proxy", "The proxy on loopback"),
    ("commands", "Whole commands"),
    ("large", "Large and hostile dumps, an eighth of the size of `--full`"),
    ("report", "A report with all it says of 100,000 episodes"),
)
PACKAGES = ("polars", "pyarrow", "numpy", "scipy", "pysimdjson", "msgspec", "orjson", "duckdb", "typer", "matplotlib",
            "uvicorn", "httpx", "starlette")  # fmt: skip
RESULTS = Path(__file__).parent / "RESULTS.md"


def machine() -> str:
    """Say what the figures were measured on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{platform.machine()}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB, "
        f"Linux {platform.release()}, Python {platform.python_version()}"
    )


def versions() -> str:
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    return ", ".join(found)


def main() -> None:
    quick = [word for word in sys.argv[1:] if word == "--quick"]
    text = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Contenders run in turn in one session, medians of several runs; read the ratios,",
        "for seconds depend on the machine and on what else it does. Dumps are synthetic and seeded.",
        "",
        f"- machine: {machine()}",
        f"- versions: {versions()}",
        "",
    ]
    for name, title in PARTS:
        print(f"{title} …", file=sys.stderr)
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{name}", *quick], check=True, capture_output=True, text=True
        )
        text += [f"## {title}", "", done.stdout.strip(), ""]
    print("\n".join(text))
    if not quick:
        RESULTS.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
