"""The guard of note 003 as one loop over characters and one over tokens, told apart from nothing and sped up nowhere.

It follows facts, not code: what is counted, when it is looked at, where the text is cut. The scanner must agree with it
on every text, and `benchmarks.guard` measures the scanner against it.
"""

import re

BRACKETS = "「」『』"
LAYOUT = "-=*_|+#~`"
CUES = ("the", "a", "an", "hmm")
STRIPPED = ".,;:!?()[]{}<>\"'`*_-—…「」『』+=#~^|/\\"
FLOORS = {
    "guard_brackets": 4, "guard_characters": 40, "guard_litter": 10, "guard_cue_words": 5, "guard_words": 8,
    "guard_pairs": 4, "guard_symbols": 8, "guard_equals": 3,
}  # fmt: skip
THRESHOLDS = {
    "guard_brackets": 12, "guard_characters": 160, "guard_litter": 20, "guard_cue_words": 10, "guard_words": 25,
    "guard_pairs": 8, "guard_symbols": 30, "guard_equals": 5,
}  # fmt: skip


class LiteralGuard:
    def __init__(self, prose: bool = False) -> None:
        self.prose = prose
        self.levels = dict.fromkeys(FLOORS, 0)
        self.trip: tuple[str, int] | None = None
        self.seen = 0
        self.run_char, self.run_length, self.run_start = "", 0, 0
        self.opened = self.closed = self.bins = self.dense = self.in_bin = 0
        self.litter_start = -1
        self.held = ""
        self.words: dict[str, int] = {}
        self.pairs: dict[str, int] = {}
        self.word_count = self.most = self.all_pairs = 0
        self.last_word, self.word_run, self.word_start = "", 0, 0
        self.last_symbol, self.symbol_run, self.symbol_start = "", 0, 0
        self.symbols = self.equals = self.equal_pairs = 0
        self.first_equal = self.tenth_equal = -1

    def saw(self, name: str, count: int, offset: int) -> None:
        if count >= FLOORS[name]:
            self.levels[name] = max(self.levels[name], count)
            if self.trip is None and count >= THRESHOLDS[name]:
                self.trip = (name, offset)

    def feed(self, text: str) -> None:  # noqa: C901 - as literal as it gets
        if not text:
            return
        start = i = self.seen
        quotes: list[tuple[int, int, int, int]] = []
        for character in text:
            if character == self.run_char:
                self.run_length += 1
            else:
                self.run_char, self.run_length, self.run_start = character, 1, i
            i += 1
            if character in BRACKETS:
                if self.run_length >= 4:
                    self.saw("guard_brackets", self.run_length, self.run_start)
            elif self.run_length >= 40 and character not in LAYOUT and not character.isspace():
                self.saw("guard_characters", self.run_length, self.run_start)
            if character == "「":
                self.opened += 1
                self.in_bin += 1
                if self.litter_start < 0 and self.opened - self.closed >= 10:
                    self.litter_start = i
            elif character == "」":
                self.closed += 1
            if i % 200 == 0:
                self.bins += 1
                self.dense += self.in_bin >= 5
                self.in_bin = 0
            if self.prose and character == "「":
                quotes.append((i, self.opened - self.closed, self.bins, self.dense))
        self.seen = i
        self.tokens(start, text)
        for then in quotes:  # the quotes of a piece are looked at after its words
            self.litter(*then)
        self.litter(i, self.opened - self.closed, self.bins, self.dense)

    def litter(self, length: int, net: int, bins: int, dense: int) -> None:
        if length >= 600 and net * 1000 >= 15 * length and bins > 0 and dense * 2 >= bins:
            self.saw("guard_litter", net, max(self.litter_start, 0))

    def tokens(self, start: int, text: str) -> None:
        data = self.held + text
        start -= len(self.held)
        found = [(start + each.start(), each.group()) for each in re.finditer(r"\S+", data)]
        self.held = ""
        if found and not data[-1].isspace() and len(found[-1][1]) <= 64:
            self.held = found.pop()[1]
        for at, token in found:
            self.token(at, token)

    def finish(self) -> None:
        if self.prose and self.held:
            self.token(self.seen - len(self.held), self.held)

    def token(self, at: int, token: str) -> None:
        word = token.strip(STRIPPED).lower()
        least = 1 if self.prose and word in CUES else 2
        if (
            len(word) >= least
            and any(c.isalpha() for c in word)
            and word not in ("true", "false", "none", "null")
            and word != "x" * len(word)
        ):
            self.word(at, word)
            return
        self.last_word, self.word_run = "", 0
        if len(token) > 20 or any(c.isalnum() for c in token):
            self.last_symbol, self.symbol_run = "", 0
            return
        self.symbol(at, token)

    def word(self, at: int, word: str) -> None:
        self.last_symbol, self.symbol_run = "", 0
        self.word_count += 1
        self.words[word] = self.words.get(word, 0) + 1
        self.most = max(self.most, self.words[word])
        if word == self.last_word:
            self.word_run += 1
            self.all_pairs += 1
            self.pairs[word] = self.pairs.get(word, 0) + 1
        else:
            self.last_word, self.word_run, self.word_start = word, 1, at
        dominant = self.words[word] if self.prose else self.most
        if self.word_count >= 50 and dominant >= 0.30 * self.word_count:
            self.saw("guard_cue_words" if word in CUES else "guard_words", self.word_run, self.word_start)
        if self.word_count >= 60 and word in CUES and dominant >= 0.40 * self.word_count:
            self.saw("guard_pairs", self.pairs.get(word, 0) if self.prose else self.all_pairs, self.word_start)

    def symbol(self, at: int, symbol: str) -> None:
        before = self.last_symbol
        if symbol == before:
            self.symbol_run += 1
        else:
            self.last_symbol, self.symbol_run, self.symbol_start = symbol, 1, at
        self.symbols += 1
        if symbol == "=":
            self.equals += 1
            if self.equals == 1:
                self.first_equal = at
            if self.equals == 10:
                self.tenth_equal = at
            self.equal_pairs += before == "="
        self.saw("guard_symbols", self.symbol_run, self.symbol_start)
        tokens = self.word_count + self.symbols
        if tokens >= 50 and self.equals >= 0.35 * tokens:
            self.saw("guard_equals", self.equal_pairs, self.tenth_equal if self.tenth_equal >= 0 else self.first_equal)


def literal(text: str, chunk: int = 0, prose: bool = False) -> LiteralGuard:
    guard = LiteralGuard(prose)
    step = chunk or len(text) or 1
    for at in range(0, len(text), step):
        guard.feed(text[at : at + step])
    guard.finish()
    return guard
