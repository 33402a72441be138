"""The reader of every format against `orjson.loads` over the same lines or files.

Run: python -m benchmarks.readers [--quick] [FORMAT ...]. End to end: from the dump to Parquet, two workers, in a
process of its own, against one process that parses and drops. Medians of interleaved runs.
"""

import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import orjson

from benchmarks.ingest import measure
from benchmarks.sessions import FORMS, Form, Run, runs

RUNS = 3
SIZE = 500_000_000
"""Bytes of a dump, as in the benchmark of ingest. Starting takes 0.2 s, which is half of the time for 100 MB."""
FILES = """
dump = pathlib.Path({dump!r})
files = [dump] if dump.is_file() else sorted(dump.iterdir())
for file in files:
"""
LINES = ("import orjson, pathlib", FILES + "    for line in file.open('rb'): orjson.loads(line)")
WHOLE = ("import orjson, pathlib", FILES + "    orjson.loads(file.read_bytes())")
INGEST = ("from calib.ingest import ingest", "ingest([{dump!r}], {out!r}, workers=2)")
SESSIONS = 12
"""Runs that a whole file holds, where its form is a list or a map of runs."""


def write(form: Form, folder: Path, size: int) -> tuple[Path, int]:
    """Write a dump of at least `size` bytes; give it and how many bytes it has."""
    made = runs(1, form.scale)
    written = 0
    if not (form.whole or form.runs):
        path = folder / "dump.jsonl"
        with path.open("wb") as file:
            while written < size:
                written += file.write(_lines(form, next(made)))
        return path, written
    path = folder / "dump"
    path.mkdir()
    while written < size:
        run = next(made)
        data = _value(form, run, made) if form.whole else _lines(form, run)
        data += b"".join(_lines(form, next(made)) for _ in range(form.runs - 1))
        written += (path / form.name.format(run.id)).write_bytes(data)
    return path, written


def _lines(form: Form, run: Run) -> bytes:
    return b"".join(orjson.dumps(record) + b"\n" for record in form.make(run))


def _value(form: Form, run: Run, more: Iterator[Run]) -> bytes:
    (value,) = form.make(run)
    if isinstance(value, list):
        value += [form.make(next(more))[0][0] for _ in range(SESSIONS - 1)]
    elif "simulations" in value:
        value["simulations"] += [form.make(next(more))[0]["simulations"][0] for _ in range(SESSIONS - 1)]
    elif run.id in value:
        for _ in range(SESSIONS - 1):
            value |= form.make(next(more))[0]
    return orjson.dumps(value)


def row(name: str, form: Form, size: int, times: int) -> str:
    """Measure one format."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        dump, written = write(form, folder, size)
        check(name, dump, folder)
        files = 1 if dump.is_file() else len(list(dump.iterdir()))
        took: dict[str, list[float]] = {"ours": [], "theirs": []}
        used: dict[str, list[float]] = {"ours": [], "theirs": []}
        peak = 0
        for number in range(times + 1):  # the first round is not counted
            for who, code in (("theirs", WHOLE if form.whole else LINES), ("ours", INGEST)):
                seconds, cpu, memory = measure(code, dump, folder)
                peak = max(peak, memory) if who == "ours" else peak
                if number:
                    took[who].append(seconds)
                    used[who].append(cpu)
    ours, theirs = (statistics.median(took[who]) for who in ("ours", "theirs"))
    bar = 0.33 if form.whole else 0.5
    ratio = theirs / ours
    return (
        f"| {name} | {written / 1e6:.0f} MB, {_shape(form, files)} | {theirs:.2f} s | {ours:.2f} s "
        f"| {ratio:.2f} | {bar} | {'yes' if ratio >= bar else '**no**'} "
        f"| {statistics.median(used['theirs']) / statistics.median(used['ours']):.2f} | {peak / 1e6:.0f} MB |"
    )


def _shape(form: Form, files: int) -> str:
    return f"{files} whole files" if form.whole else f"lines of {files} files" if files > 1 else "lines"


def check(name: str, dump: Path, folder: Path) -> None:
    """End the benchmark unless the dump is read as what it is meant to be, and without loss."""
    from calib.corpus import open_corpus
    from calib.ingest import ingest

    ingest([dump], folder / "checked", workers=2)
    sources = open_corpus(folder / "checked").manifest["sources"]
    formats = {source["format"] for source in sources}
    lost = [source["account"]["rejected"] for source in sources if source["account"]["rejected"]]
    if formats != {name} or lost:
        raise SystemExit(f"the dump of {name} was read as {formats}, rejected {lost[:3]}")


def main() -> None:
    """Print the table."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    size, times = (8_000_000, 2) if "--quick" in sys.argv else (SIZE, RUNS)
    print("Bars: half the throughput of `orjson.loads` for lines, a third for whole files.\n")
    print("| format | dump | `orjson.loads` | calib, 2 workers | ratio | bar | holds | ratio of CPU | peak memory |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, form in FORMS.items():
        if not words or name in words:
            print(row(name, form, size, times), flush=True)


if __name__ == "__main__":
    main()
