"""Random texts that come near the guard's thresholds, and the made cases of its shapes."""

from hypothesis import strategies as st

WORDS = (
    "the",
    "The",
    "**the**",
    "a",
    "an",
    "hmm",
    "move",
    "Move,",
    "crossing",
    "false",
    "None",
    "xx",
    "pc",
    "é",
    "ИДЁМ",
    "идём",
    "K",
    "k",
    "İx",
    "i̇x",
    "plan",
    "it's",
)
SYMBOLS = ("=", "==", "|", "-", "->", "…", "「", "」の", "✗", "--------", "0", "00", "x" * 70)
LITTER = ("の「diff「全体「像 ", "the 「plan ", "「a」 ")
SPACES = (" ", " ", " ", "\n", "\t", "\u00a0", "\u3000", "\u2003", "\u0085", "\x1c", "  ")


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A few blocks: ordinary words, one token again and again, runs of a character, litter."""
    blocks = []
    for _ in range(draw(st.integers(1, 6))):
        kind = draw(st.integers(0, 4))
        space = draw(st.sampled_from(SPACES))
        if kind == 0:
            blocks.append(space.join(draw(st.lists(st.sampled_from(WORDS + SYMBOLS), max_size=30))))
        elif kind == 1:
            token = draw(st.sampled_from(WORDS + SYMBOLS))
            blocks.append((token + space) * draw(st.integers(1, 45)))
        elif kind == 2:
            blocks.append(draw(st.sampled_from("「」『』x-= 0é✗─😀\u3000\n")) * draw(st.integers(1, 170)))
        elif kind == 3:
            blocks.append(draw(st.sampled_from(LITTER)) * draw(st.integers(1, 60)))
        else:
            blocks.append(f"step {draw(st.integers(0, 99))} reads the file and then checks what it says{space}" * 3)
    return draw(st.sampled_from(("", " ", "\n"))).join(blocks)
