r"""Mask what identifies people and opens doors: e-mail addresses, home folders, keys.

========  ==========================================================================================================
mark      what it stands for
========  ==========================================================================================================
[email]   an e-mail address, also with `%40` or ``\u0040`` for the @
[home]    `/home/NAME`, `/Users/NAME`, `C:\Users\NAME`, also with JSON-escaped or URL-encoded separators, inside a
          longer path, and as folder names spell it: `-Users-NAME-project`
[key]     private keys in PEM form, also cut ones
[key]     JSON web tokens: `eyJ….….…`
[key]     keys with a known beginning: `sk-`, `sk_live_`, `ghp_` and kin, `github_pat_`, `glpat-`, `AKIA`, `ASIA`,
          `xoxb-` and kin, `xapp-`, `AIza`, `ya29.`, `hf_`, `gsk_`, `xai-`, `r8_`, `npm_`, `pypi-`, `SG.`, `dop_v1_`,
          `shpat_` and kin
[key]     what follows `Bearer`, or a name that ends in key, token, auth or credentials and a `:` or `=`, if it is 12
          characters with a digit, or 32
[key]     what follows a name that ends in password, passwd, pwd, passphrase or secret: after a close `=` or in quotes
          6 characters, else 6 with a digit
[key]     user and password in a URL: `://[key]@host`
========  ==========================================================================================================

A mask too many hides a word, one too few a person: where a pattern is in doubt, it masks. The marks are of fixed
width, so they tell nothing about what they hide. Redacting twice changes nothing; JSON stays JSON; the time is
linear in the length of the text, whatever it holds. Cut a text only after it is redacted, else half a key is left.

Which texts of an episode are equal is found before anything is masked, and lengths are those of the recorded text:
two plans that differ in a name alone are still two plans, and every level, fire turn and report is the same with and
without redaction.
"""

import re
from typing import NamedTuple

MARKS = ("[email]", "[home]", "[key]")
_BEFORE = (
    r"\\[nrtbf]",
    r"\\u[0-9A-Fa-f]{4}",
    "%[0-9A-Fa-f]{2}",
    r"[\[;][0-9]m",
    r"[\[;][0-9]{2}m",
    r"\\(?![nrtbf]|u[0-9A-Fa-f]{4})",
    "%(?![0-9A-Fa-f]{2})",
)
"""Escapes of JSON, URLs and terminals: a word begins behind them, although they end in letters."""


def _begun(characters: str, literal: str = "") -> str:
    """Match where a word of these characters begins; looked for behind the literal it begins with, which is quicker.

    It does not begin right behind a mark: there the first pass saw another character, and decided.
    """
    fresh = "".join(rf"(?<!{re.escape(mark)}{literal})" for mark in MARKS)
    escaped = "".join(rf"|(?<={before}{literal})" for before in _BEFORE)
    return rf"(?:{fresh}(?<![%\\{characters}]{literal}){escaped})"


_WORD = "[A-Za-z0-9_-]"
_TOKEN = "[A-Za-z0-9+/_=.~-]"
_SECRET = r"[^\s\"'\\&,;<>()\[\]{}|]"
_QUOTE = r"\\{0,8}[\"']"
_SIGN = r"(?:=>|[:=]|%3[ADad]|\\u003[aAdD])"
_LONG = rf"(?:{_TOKEN}{{32,}}+|(?=[A-Za-z+/_=.~-]{{0,64}}[0-9]){_TOKEN}{{12,}}+)"
_PEM = r"(?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_NAMED = (
    "(?:key|Key|KEY|token|Token|TOKEN|auth(?:orization)?|Auth(?:orization)?|AUTH(?:ORIZATION)?"
    "|credentials?|Credentials?|CREDENTIALS?)"
)
_PASSWORD = (
    "(?:pass(?:word|wd|phrase)|Pass(?:word|wd|phrase|Word|Phrase)|PASS(?:WORD|WD|PHRASE)|pwd|Pwd|PWD"
    "|secret|Secret|SECRET)"
)  # every spelling by itself: a pattern that ignores case takes ten times as long
_BOUND_PREFIXES = ("sk-", "hf_", "gsk_", "xai-", "r8_", "npm_", "pypi-")
_LOCAL = r"\w.+-"
_LOGIN = r"(?P<kept>://)[^\s/:@\"'\\\[\]]{1,128}:[^\s/@\"'\\\[\]]{1,256}(?=@)"
_HOST = r"(?:@|%40|\\u0040)(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}"
_NAME = r"\w(?:[\w+@~-]|\.(?=\w))*"  # a possessive group matches too much in Python before 3.11.5
_BACKSLASH = r"(?:\\{1,8}|%5[Cc])"

_KEYS = (
    rf"-----BEGIN {_PEM}(?:[A-Za-z0-9+/=\s]|\\++[nr]|[:,-](?!----))*(?:-----END {_PEM})?",
    rf"eyJ{_begun('A-Za-z0-9_-', 'eyJ')}{_WORD}{{6,}}+\.{_WORD}{{6,}}+(?:\.{_WORD}*+)?",
    *(rf"{prefix}{_begun('A-Za-z0-9', prefix)}{_WORD}{{16,}}+" for prefix in _BOUND_PREFIXES),
    rf"[spr]k_(?:live|test)_{_WORD}{{10,}}+",
    rf"(?:gh[pousr]_|github_pat_|glpat-|xapp-|ya29\.|dop_v1_|shp(?:at|ca|pa|ss)_){_WORD}{{16,}}+",
    r"A[KS]IA[A-Z0-9]{12,}+",
    rf"xox[a-z]-{_WORD}{{8,}}+",
    rf"AIza{_WORD}{{24,}}+",
    rf"SG\.{_WORD}{{10,64}}+\.{_WORD}{{10,}}+",
    rf"(?P<kept>[Bb]earer\s{{1,3}}){_LONG}",
    rf"(?P<kept>{_NAMED}(?:{_QUOTE})?\s{{0,3}}{_SIGN}\s{{0,3}}(?:{_QUOTE})?"
    rf"(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)\s{{1,3}})?){_LONG}",
    rf"(?P<kept>{_PASSWORD}(?:(?:{_QUOTE})?\s{{0,3}}{_SIGN}\s{{0,3}}{_QUOTE}|{_SIGN})){_SECRET}{{6,}}+",
    rf"(?P<kept>{_PASSWORD}\s{{0,3}}{_SIGN}\s{{0,3}})(?=[^0-9\s]{{0,64}}[0-9]){_SECRET}{{6,}}+",
)
_HOMES = (
    rf"/(?:home|Users)/{_NAME}",
    rf"\\{{1,4}}/(?:home|Users)\\{{1,4}}/{_NAME}",
    rf"%2[Ff](?:home|Users)(?:%2[Ff]|/){_NAME}",
    r"-(?:(?<=[/\\\"'\s=]-)|(?<=\A-))(?:home|Users)-\w++",
)


class _Rule(NamedTuple):
    """A pattern and its mark. `sign` is quick to find and in every text that the pattern changes."""

    pattern: re.Pattern[str]
    mark: str
    sign: re.Pattern[str] | None = None


_RULES = (
    _Rule(re.compile(_LOGIN), "[key]"),
    _Rule(re.compile(rf"{_begun(_LOCAL)}[{_LOCAL}]++{_HOST}"), "[email]", re.compile(_HOST)),
    *(_Rule(re.compile(pattern), "[key]") for pattern in _KEYS),
    *(_Rule(re.compile(pattern), "[home]") for pattern in _HOMES),
    _Rule(
        re.compile(
            rf"(?:\b[A-Za-z](?::|%3[Aa]))?{_BACKSLASH}[Uu]sers{_BACKSLASH}(?:\w[\w .+@~-]{{0,40}}(?=\\)|{_NAME})"
        ),
        "[home]",
        re.compile(r"sers(?:\\|%5)"),
    ),
)


def redact(text: str) -> str:
    r"""Give the text with every e-mail address, home folder and key masked.

    >>> redact("mail ann@example.org, see /home/ann/notes")
    'mail [email], see [home]/notes'
    >>> redact(r'{"path": "C:\\Users\\ann\\x", "api_key": "0123456789abcdef"}')
    '{"path": "[home]\\\\x", "api_key": "[key]"}'
    """
    for pattern, mark, sign in _RULES:
        if sign is None or sign.search(text):
            text = pattern.sub(rf"\g<kept>{mark}" if "kept" in pattern.groupindex else mark, text)
    return text
