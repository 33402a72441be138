"""Nothing that names a person or opens a door stays; nothing else goes."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calib.redact import MARKS, redact

HEX = "0123456789abcdef"
BASE = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4"
PEM = f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{BASE}\n{BASE}==\n-----END RSA PRIVATE KEY-----"

CASES = [
    ("ann.lee+x@mail.example.org", "[email]"),
    ("<Ann@Example.org>,bob@b.co.uk.", "<[email]>,[email]."),
    ("mailto:ann%40example.org?x", "mailto:[email]?x"),
    ("ann\\u0040example.org", "[email]"),
    ("jürgen@bücher.example", "[email]"),
    ("DOMAIN\\user@example.org", "DOMAIN\\[email]"),
    ("100%ann@example.org x%20ann@example.org", "100%[email] x%20[email]"),
    ('{"a":"\\nann@example.org\\u00e9bob@example.org"}', '{"a":"\\n[email]\\u00e9[email]"}'),
    ("git@github.com:org/repo", "[email]:org/repo"),
    ("/home/ann", "[home]"),
    ("/home/ann/x/y", "[home]/x/y"),
    ("cd /home/ann.", "cd [home]."),
    ("/home/ann.lee-2/x", "[home]/x"),
    ("/Users/ann/x:/home/bob/y", "[home]/x:[home]/y"),
    ("file:///Users/ann/x", "file://[home]/x"),
    ("\\/home\\/ann\\/x", "[home]\\/x"),
    ("%2Fhome%2Fann%2Fx", "[home]%2Fx"),
    ("/mnt/c/Users/ann/x", "/mnt/c[home]/x"),
    ("backup/home/ann/.ssh", "backup[home]/.ssh"),
    ("C:\\Users\\ann\\x", "[home]\\x"),
    ("C:\\Users\\Ann Lee\\x", "[home]\\x"),
    ("c:\\\\users\\\\ann\\\\x", "[home]\\\\x"),
    ("C:\\\\\\\\Users\\\\\\\\ann", "[home]"),
    ("C:/Users/ann/x", "C:[home]/x"),
    ("C%3A%5CUsers%5Cann%5Cx", "[home]%5Cx"),
    ("~/.claude/projects/-Users-ann-work/1.jsonl", "~/.claude/projects/[home]-work/1.jsonl"),
    ("-home-ann-work/1.jsonl", "[home]-work/1.jsonl"),
    ("sk-proj-" + HEX, "[key]"),
    ("echo\\nsk-" + HEX, "echo\\n[key]"),
    ("\x1b[1;32msk-" + HEX, "\x1b[1;32m[key]"),
    ("\\u001b[0msk-" + HEX, "\\u001b[0m[key]"),
    ("x=sk_live_" + HEX, "x=[key]"),
    ("ghp_" + HEX * 2, "[key]"),
    ("github_pat_" + HEX, "[key]"),
    ("glpat-" + HEX, "[key]"),
    ("AKIAIOSFODNN7EXAMPLE", "[key]"),
    ("xoxb-1234567890-" + HEX, "[key]"),
    ("AIzaSy" + HEX * 2, "[key]"),
    ("ya29." + HEX, "[key]"),
    ("hf_" + HEX, "[key]"),
    ("SG." + HEX + "." + HEX, "[key]"),
    (JWT, "[key]"),
    (f'{{"t":"\\n{JWT}"}}', '{"t":"\\n[key]"}'),
    (PEM, "[key]"),
    (json.dumps(PEM), '"[key]"'),
    (PEM[:90] + '" cut', '[key]" cut'),
    ("Authorization: Bearer " + HEX, "Authorization: Bearer [key]"),
    ("Authorization: Basic dXNlcjpwYXNzd29yZDE=", "Authorization: Basic [key]"),
    ("bearer " + HEX, "bearer [key]"),
    ("AWS_SECRET_ACCESS_KEY=" + BASE, "AWS_SECRET_ACCESS_KEY=[key]"),
    (f'"apiKey": "{HEX}"', '"apiKey": "[key]"'),
    (f'{{"x":"{{\\"api_key\\": \\"{HEX}\\"}}"}}', '{"x":"{\\"api_key\\": \\"[key]\\"}"}'),
    (f"?token={HEX}&x=1", "?token=[key]&x=1"),
    (f"token%3D{HEX}", "token%3D[key]"),
    ("password=hunter2 x", "password=[key] x"),
    ("PASSWORD=swordfish", "PASSWORD=[key]"),
    ('"password": "swordfish"', '"password": "[key]"'),
    ("password: hunter2", "password: [key]"),
    ("DB_PASSWD='sword-fish!'", "DB_PASSWD='[key]'"),
    ("https://ann:s3cret@example.org/x", "https://[key]@example.org/x"),
]


@pytest.mark.parametrize(("text", "masked"), CASES, ids=range(len(CASES)))
def test_what_is_masked(text: str, masked: str) -> None:
    assert redact(text) == masked
    assert redact(f"see {text} there") == f"see {masked} there"


KEPT = [
    "no secrets here", "a @ b", "x@y", "@decorator", "user@0.19.0", "@@ -1,3 +1,4 @@", "/homework/x", "/home/", "/home",
    "/usr/home", "GET /users/123", "/Users/$USER", "/home/*/x", "/home/<name>/x", "take-home-message",
    "a risk-free-and-easy-plan",
    "task-0123456789abcdef", "sk-short", "ghp_short", "AKIA", "eyJ", "eyJhbGciOiJIUzI1NiJ9", "Bearer authentication",
    "token=self.tokenizer.get_token", "key=lambda row: row", "password: required", "password = get_input()",
    "the secret: nobody knows", "max_tokens: 4096", "sha " + HEX * 2, "3f9c" * 10, "https://example.org:8080/x",
    "-----BEGIN CERTIFICATE-----", "api_key = None", "keys: 12", "key_123456789012345", "C:\\Windows\\System32",
]  # fmt: skip


@pytest.mark.parametrize("text", KEPT)
def test_what_is_not(text: str) -> None:
    assert redact(text) == text


def test_a_canary_of_each_kind_leaves_no_trace_wherever_it_stands() -> None:
    """Each is put where dumps have it: alone, in JSON, in JSON in JSON, in a URL, in a shell command."""
    canaries = [
        "canaryuser@canary-host.example", "/home/canaryuser/x", "C:\\Users\\canaryuser\\x", "sk-canary0123456789",
        "ghp_canary0123456789abcd", "xoxb-canary0123456789", f"password=canary{HEX}", f"api_key: canary{HEX}",
        f"eyJcanary{HEX}.canary{HEX}.canary{HEX}",
        f"-----BEGIN PRIVATE KEY-----\ncanary{BASE}\n-----END PRIVATE KEY-----",
        f"Authorization: Bearer canary{HEX}", "https://canaryuser:canarypass@host.example/",
    ]  # fmt: skip
    frames = ["{}", "x {} y", "\n{}\n", "'{}'", '"{}"', "({})", "[{}]", "<{}>", "`{}`", "a,{},b", "x\t{}", "cmd {}; ls"]
    for canary in canaries:
        for frame in frames:
            text = frame.replace("{}", canary)
            once = json.dumps({"command": text})
            for form in (text, once, json.dumps({"arguments": once}), json.dumps([text], ensure_ascii=False)):
                assert "canary" not in redact(form), form


FRAGMENTS = [
    "ann@example.org", "@", "%40", "\\u0040", "/home/ann", "/home/", "/Users/b", "\\Users\\b", "C:\\Users\\b",
    "-home-ann", "\\/", "%2Fhome%2Fann", "sk-" + HEX, "ghp_" + HEX, "AKIAIOSFODNN7EXAMPLE", JWT, "eyJabcdefgh.",
    "password=", "hunter2", "token: ", "Bearer ", HEX, '"', "'", "\\", "\\n", "\n", " ", ".", "-", "=", ":", "://",
    "u:pw@", "a", "Z", "9", "_", "%", "%20", "[", "]", "[key]", "[email]", "[home]", "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----", "é", "xoxb-12345678", "SG.", "/", "n", "u",
]  # fmt: skip
MIXED = st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join)


@settings(max_examples=300)
@given(MIXED)
@example("/home/a/home/b")
@example("AKIAIOSFODNN7EXAMPLEsk-" + HEX)
@example("ghp_" + HEX + ".ann@example.org")
def test_twice_is_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@settings(max_examples=200)
@given(MIXED)
def test_json_stays_json(text: str) -> None:
    for ascii_only in (True, False):
        nested = json.dumps({"a": json.dumps({"b": text}, ensure_ascii=ascii_only)}, ensure_ascii=ascii_only)
        outer = json.loads(redact(nested))
        assert list(outer) == ["a"]
        assert list(json.loads(outer["a"])) == ["b"]


@given(st.text(alphabet="abc XYZ019\n.,;(){}<>!?*", max_size=200))
def test_plain_text_is_untouched(text: str) -> None:
    assert redact(text) == text


BACKTRACKING = [
    "eyJ-", "a.", "a@", "@a.", "-----BEGIN ", "key", "key=", "password ", "\\\\", "x.eyJaaaaaa", "/home", "C:\\Users",
    "://a:", "A KEY-----", "sk-a", "\\u00", "Bearer a ",
]  # fmt: skip


@pytest.mark.parametrize("piece", [*FRAGMENTS, *BACKTRACKING])
def test_hostile_repetition_ends(piece: str) -> None:
    """A pattern that backtracks over the whole text would take hours here."""
    for text in (piece * (200_000 // len(piece)), piece * (200_000 // len(piece)) + "!"):
        redact(text)


def test_marks_are_of_fixed_width() -> None:
    assert redact("a@b.cc") == redact("a" * 60 + "@" + "b" * 60 + ".com") == MARKS[0]
    assert redact("password=123456") == redact("password=" + "1" * 5000) == "password=" + MARKS[2]
