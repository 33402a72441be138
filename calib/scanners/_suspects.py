"""Which of many texts can have a guard level above 0 at all: cheap, and never wrong about a text it leaves out.

Works on the bytes of all texts at once (UTF-8, one after the other, as Arrow holds them) and asks for less than the
scanner does, in five places:

* a run of 40 equal characters holds eight bytes, at a multiple of 8, that stand again 24 bytes later: 24 is a multiple
  of every length a character can have, and so is 3 or 4; it may reach over from another text;
* a run of 4 brackets is 12 bytes, litter is at least 10 opening brackets;
* equal words have the same letters: a sum of one random number for each letter, capitals as small ones, over a token
  tells most different words apart and never two equal ones. A run of 5 is 4 such pairs in a row, a level of pairs is 4
  in one text, and somewhere one word is 30 % of 50 or more, or 40 % of 60. Letters outside ASCII count nothing in that
  sum, for their capitals differ in bytes; the two whose small form has an ASCII letter make their text a suspect;
* symbols are equal byte for byte.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calib.scanners import _tokens
from calib.scanners._texts import Block, Flags, Places, Texts
from calib.scanners._white import SPACE, spaced, token_starts
from calib.scanners.guard import FLOORS, Gates

WORD = 8
AGAIN = 3
LAYOUT = b"-=*_|+#~` \t\r\n"
SMALL_IN_ASCII = ("\u0130".encode(), "\u212a".encode())
"""Capitals outside ASCII whose small form holds an ASCII letter."""
BRACKET = "「".encode()
BRACKETS = tuple(range(0x8C, 0x90))
"""The last byte of each corner bracket; the first two are the same."""


def _weights() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Make one number per byte: for letters and digits, capitals as small ones; and for every byte but white space.

    The low byte of a sum of the first kind counts the letters of a token, as long as they are fewer than 256.
    """
    random = np.random.default_rng(3)
    raw = random.integers(1, 1 << 31, 256, dtype=np.uint32)
    raw[list(SPACE)] = 0
    letters = np.zeros(256, np.uint32)
    letters[48:58] = raw[48:58] << 8
    letters[65:91] = letters[97:123] = raw[97:123] << 8 | 1
    return letters, raw


LETTERS, RAW = _weights()
NO_WORDS = np.array([np.add.reduce(LETTERS[list(word.encode())], dtype=np.uint32) for word in _tokens.NO_WORDS])
LAYOUT_WORDS = np.array([code * 0x0101010101010101 for code in LAYOUT], np.uint64)


class Words(NamedTuple):
    """What the words of each text tell, in one pass."""

    guard: Flags
    """The guard must read it, fed whole at the published gates."""
    last_thrice: Flags
    """Its last word may be in it three times or more."""


def look(texts: Texts) -> Words:
    """Look at all texts; a null is none.

    >>> import pyarrow as pa
    >>> look(Texts(pa.array(["a plain text", None, "x" * 50, "on and on. And on"])))
    Words(guard=array([False, False,  True, False]), last_thrice=array([False, False, False,  True]))
    """
    found = Words(np.zeros(len(texts), np.bool_), np.zeros(len(texts), np.bool_))
    for low, block in texts.blocks():
        blank = spaced(block)
        words = words_of(blank)
        for rows in (_long_runs(block), _bracketed(block), _repeating(words), _small_in_ascii(blank)):
            found.guard[low + rows] = True
        found.last_thrice[low + _last_thrice(words, len(blank.starts) - 1)] = True
    return found


def _last_thrice(words: "_Words", texts: int) -> Places:
    """Find the texts whose last token has the letters of two others, or none in ASCII."""
    numbers = np.bincount(words.text, minlength=texts)
    full = np.flatnonzero(numbers)
    last = np.zeros(texts, np.uint32)
    last[full] = words.letters[np.cumsum(numbers)[full] - 1]
    same = words.text[words.letters == last[words.text]]
    return np.flatnonzero(np.bincount(same, minlength=texts) >= 3)


def _long_runs(block: Block) -> Places:
    """Find eight bytes that stand again 24 bytes later, repeat every 4 or 3, and are no layout."""
    data = block.data
    words = np.frombuffer(data[: len(data) // WORD * WORD].tobytes(), np.uint64)
    again = np.flatnonzero(words[AGAIN:] == words[:-AGAIN]) if len(words) > AGAIN else np.zeros(0, np.int64)
    word = words[again]
    one = (word >> np.uint64(32) == word & np.uint64(0xFFFFFFFF)) | (
        word >> np.uint64(24) == word & np.uint64(2**40 - 1)
    )
    return block.of(again[one & ~np.isin(word, LAYOUT_WORDS)] * WORD)


def _bracketed(block: Block) -> Places:
    """Find four equal brackets side by side, and texts with many opening ones."""
    data = block.data
    at = np.flatnonzero(data[:-2] == BRACKET[0])
    last = data[at + 2]
    at = at[(data[at + 1] == BRACKET[1]) & (last >= BRACKETS[0]) & (last <= BRACKETS[-1])]
    least = FLOORS["guard_brackets"] - 1
    kind = data[at + 2]
    runs = at[: max(len(at) - least, 0)]
    runs = runs[(at[least:] - runs == 3 * least) & (kind[least:] == kind[: len(runs)])]
    opened = np.bincount(block.of(at[kind == BRACKET[2]]), minlength=len(block.starts) - 1)
    return np.concatenate([block.of(runs), np.flatnonzero(opened >= FLOORS["guard_litter"])])


class _Words(NamedTuple):
    """The tokens of a block: the text of each, its sum of letters, its sum of all bytes where it has no letters."""

    text: Places
    letters: NDArray[np.uint32]
    raw: NDArray[np.uint32]
    beyond: Flags
    """Without letters, and with something outside ASCII: it may be a word."""
    long: Flags
    """So long that its letters cannot be counted."""


def words_of(block: Block) -> _Words:
    """Find the tokens of a block without white space outside ASCII, and what they are compared by."""
    data = block.data
    tokens = token_starts(block)
    ends = np.append(tokens[1:], len(data)) - 1
    total = np.cumsum(LETTERS.take(data), dtype=np.uint32)  # many times faster than a sum for each token
    letters = np.diff(total[ends], prepend=np.uint32(0))
    raw, beyond = np.zeros(len(tokens), np.uint32), np.zeros(len(tokens), np.bool_)
    lengths = ends - tokens + 1
    bare = np.flatnonzero(letters == 0)
    if len(bare):
        sizes = lengths[bare]
        first = np.cumsum(sizes) - sizes
        bytes_of = data[np.repeat(tokens[bare] - first, sizes) + np.arange(int(sizes.sum()))]
        raw[bare] = np.add.reduceat(RAW[bytes_of], first, dtype=np.uint32)
        beyond[bare] = np.bitwise_or.reduceat(bytes_of, first) >= 0x80
    return _Words(block.of(tokens), letters, raw, beyond, lengths > 255)


def _repeating(words: _Words) -> Places:
    """Find texts in which neighbouring tokens are equal often enough, and one word or "=" is frequent enough."""
    same = (words.text[1:] == words.text[:-1]) & (words.letters[1:] == words.letters[:-1])
    bare = words.letters[1:] == 0
    as_words = np.flatnonzero(same & (~bare | words.beyond[1:] | words.beyond[:-1]))
    as_symbols = np.flatnonzero(same & bare & (words.raw[1:] == words.raw[:-1]))
    runs = _often(words.text, as_words, FLOORS["guard_cue_words"] - 1, len(words.text))
    pairs = _often(words.text, as_words, len(words.text), FLOORS["guard_pairs"])
    runs = _dominated(words, np.concatenate([runs, pairs]), Gates.words, Gates.share)  # less than pairs ask for
    symbols = _often(words.text, as_symbols, FLOORS["guard_symbols"] - 1, len(words.text))
    equal = as_symbols[words.raw[as_symbols] == RAW[ord("=")]]
    equals = _often(words.text, equal, len(words.text), FLOORS["guard_equals"])
    return np.concatenate([runs, symbols, equals])


def _often(text: Places, pairs: Places, run: int, many: int) -> Places:
    """Find the texts with `run` pairs side by side, or with `many` in all."""
    of = text[pairs]
    steps = max(len(pairs) - run + 1, 0)
    runs = of[:steps][pairs[run - 1 :] - pairs[:steps] == run - 1]
    return np.union1d(runs, np.flatnonzero(np.bincount(of, minlength=1) >= many))


def _dominated(words: _Words, rows: Places, least: int, share: int) -> Places:
    """Keep the texts in which some word has, somewhere, its share of the words so far, and these are enough.

    What only may be a word counts above the line and not below; all without ASCII letters are one word.
    """
    chosen = np.zeros(int(words.text[-1]) + 1, np.bool_)
    chosen[rows] = True
    tokens = np.flatnonzero(chosen[words.text])
    if not len(tokens):
        return rows[:0]
    text, letters = words.text[tokens], words.letters[tokens]
    count = letters & 0xFF
    sure = (count >= 2) & ~words.long[tokens] & (letters != count * LETTERS[ord("x")]) & ~np.isin(letters, NO_WORDS)
    total = np.cumsum(sure)
    new = np.flatnonzero(np.diff(text, prepend=-1))
    so_far = total - np.repeat(np.append(0, total[new[1:] - 1]), np.diff(new, append=len(text)))
    word = np.flatnonzero((letters != 0) | words.beyond[tokens])
    key = text[word] << 32 | letters[word]
    often = _at_least(key, least * share // 100)
    word, key = word[often], key[often]
    order = np.argsort(key, kind="stable")
    word, key = word[order], key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    nth = np.arange(len(word)) - np.repeat(first, np.diff(first, append=len(word))) + 1
    dominant = (nth * 100 >= least * share) & (nth * 100 >= so_far[word] * share)
    return np.unique(text[word[dominant]])


def _at_least(keys: Places, times: int) -> Flags:
    """Mark the keys that are there so often, and by chance some others that share a counter with one."""
    counter = (keys ^ keys >> 32) * 0x9E3779B1 >> 16 & 0xFFFF
    found: Flags = np.bincount(counter, minlength=1)[counter] >= times
    return found


def _small_in_ascii(block: Block) -> Places:
    found = [np.zeros(0, np.int64)]
    for capital in SMALL_IN_ASCII:
        at = np.flatnonzero(block.data[: max(len(block.data) - len(capital) + 1, 0)] == capital[0])
        for step in range(1, len(capital)):
            at = at[block.data[at + step] == capital[step]]
        found.append(block.of(at))
    return np.concatenate(found)
