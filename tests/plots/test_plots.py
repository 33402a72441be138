"""All plots as files: reproducible, safe, described."""

import io
import re
import struct
import warnings
import xml.etree.ElementTree as ElementTree

import pytest

from calib.plots import alt_text, file_names, render_all
from tests.sweeps import HOSTILE, Drawn, hostile, known_of, note, pencil, sweep_of

FOUR = ["fire_turns", "peaks", "plateau", "thresholds"]
SIX = ["bounds", "cost", *FOUR]


def names(files: dict[str, bytes]) -> list[str]:
    return sorted({name.partition(".")[0] for name in files})


@pytest.mark.parametrize(
    ("labels", "plots"),
    [
        (("turn_limit", "passed", "failed"), SIX),
        (("passed", "failed"), ["bounds", "peaks", "plateau", "thresholds"]),
        (("turn_limit", "failed"), FOUR),
        ((), ["peaks"]),
    ],
)
def test_each_plot_that_has_something_to_show(labels: tuple[str, ...], plots: list[str]) -> None:
    files = render_all(sweep_of(note(labels=labels)))
    assert names(files) == plots
    assert set(files) <= set(file_names())
    assert len(files) == 3 * len(plots)


def test_one_detector_has_no_map() -> None:
    one = [Drawn(drawn.episode_id, drawn.label, drawn.n_turns, drawn.ramps[:1]) for drawn in pencil()]
    drawn = names(render_all(sweep_of(one, detectors=("repeated_plan",))))
    assert drawn == ["bounds", "cost", "fire_turns", "peaks", "thresholds"]


def test_groups_have_two_more() -> None:
    found = sweep_of(pencil())
    files = render_all(found, known_of(found, drawn=pencil()))
    assert names(files) == sorted([*SIX, "stability", "transfer"])
    assert files == render_all(found, known_of(found, drawn=pencil()))


@pytest.mark.parametrize("text", ["", HOSTILE[6]])
def test_equal_sweeps_give_equal_bytes(text: str) -> None:
    assert render_all(sweep_of(hostile(text))) == render_all(sweep_of(hostile(text)))


def test_pictures_are_fit_for_a_readme() -> None:
    for name, data in render_all(sweep_of(note())).items():
        if name.endswith(".png"):
            width, height = struct.unpack(">II", data[16:24])
            assert width == 1200  # 800 pixels, half as many again for fine screens
            assert 400 <= height <= 1100
        assert len(data) < 400_000


def test_the_alt_text_carries_the_numbers_and_travels_with_the_picture() -> None:
    found = sweep_of(note())
    said, files = alt_text(found), render_all(found)
    assert said["plateau"].startswith("30 of 30 caught, 0 of 635 false fires on 33 × 19 thresholds (in sample). ")
    for name, text in said.items():
        assert files[f"{name}.txt"].decode() == text + "\n"
        root = ElementTree.fromstring(files[f"{name}.svg"])
        assert f"{root[0].text}. {root[1].text}" == text
        assert b"Description" in files[f"{name}.png"]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_episodes_draw_a_quiet_picture(text: str) -> None:
    """T11: nothing is said, the SVG parses and has no script and no way out."""
    found = sweep_of(hostile(text))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        files = render_all(found, known_of(found, drawn=hostile(text)))
    assert "transfer.svg" in files
    for name, data in files.items():
        if name.endswith(".svg"):
            _check_svg(data)
        if name.endswith(".txt"):
            assert data.decode().replace("\n", "").isprintable()
            assert data.count(b"\n") == 1


def _check_svg(data: bytes) -> None:
    allowed = {
        "svg", "title", "desc", "defs", "style", "g", "path", "use", "clipPath", "rect", "image", "pattern", "circle",
    }  # fmt: skip
    for _, element in ElementTree.iterparse(io.BytesIO(data)):
        assert element.tag.rpartition("}")[2] in allowed
        for key, value in element.attrib.items():
            assert not key.lower().startswith("on")
            if key.endswith("href"):
                assert re.match(r"#|data:image/png;base64,", value)
            assert "http" not in value
    assert b"/tmp" not in data
    assert b"<!" not in data.replace(b"<!--", b"")
