"""What makes a part, an episode, a duplicate the same one: versions, options, and hashes of content."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from blake3 import blake3

from calib.formats._talk import Episode
from calib.ingest.copies import PLACES, chain_of
from calib.labels import Decision, decide

if TYPE_CHECKING:
    from calib.ingest.work import Unit


_sorted = json.JSONEncoder(sort_keys=True).encode


def digester() -> blake3:
    """Begin the digest of input bytes: BLAKE3, as hard to forge as SHA-256 and more than twice as fast."""
    return blake3()


class Drop(NamedTuple):
    """An episode that another one elsewhere came before: its line, hashes of id and content, why, and its chain."""

    line: int
    id: str
    content: str
    code: str
    reason: str
    chain: str


@dataclass(frozen=True)
class Stamp:
    """The versions and options that shape every part.

    `positives` are the kinds of stop that make the label `turn_limit`, `turn_limit` is the limit to assume where the
    dump names none, `labels` the SHA-256 of the labels file that is joined.
    """

    version: str
    schema: int
    text: bool
    redact: bool = False
    positives: tuple[str, ...] = ("turn_limit",)
    turn_limit: int | None = None
    labels: str = ""

    @property
    def options(self) -> dict[str, Any]:
        """The options, as calib.json and the Parquet metadata hold them."""
        return {
            "text": self.text, "redact": self.redact, "positive": list(self.positives), "turn_limit": self.turn_limit,
            "labels": self.labels or None,
        }  # fmt: skip

    def metadata(self, source: str, digest: str) -> dict[str, str]:
        """Give what the Parquet files of a part say of it."""
        return {
            "schema_version": str(self.schema), "version": self.version, "source": source, "source_digest": digest,
            "options": _sorted(self.options),
        }  # fmt: skip

    @property
    def as_recorded(self) -> bool:
        """Whether texts are stored as recorded, so that nothing is read off them now."""
        return self.text and not self.redact

    def decide(self, episode: Episode) -> Decision:
        """Decide the label of an episode from what the dump says."""
        about = episode.about
        return decide(
            about.outcome, about.stop_reason, len(episode.turns), about.turn_limit, positives=self.positives,
            limit_option=self.turn_limit, ends_truncated=about.torn, n_steps=about.n_steps, step_limit=about.step_limit,
        )  # fmt: skip


def part_id(
    stamp: Stamp, unit: "Unit", first_byte: int, before: int, digest: str, dropped: Sequence[Drop]
) -> str:  # fmt: skip
    """Name a part after everything that its content depends on."""
    what = [
        unit.source, unit.format, unit.fault, first_byte, before, digest, stamp.options, stamp.version, stamp.schema,
        [list(drop) for drop in dropped],
    ]  # fmt: skip
    return hashlib.sha256(_sorted(what).encode()).hexdigest()[:16]


def hash_of(*values: Any) -> str:
    """Hash values to 32 hexadecimal digits."""
    return hashlib.blake2b(json.dumps(values).encode(), digest_size=16).hexdigest()


def hashes_of(ids: Iterable[str]) -> bytes:
    """Hash ids to 16 bytes each, one after the other."""
    return b"".join(bytes.fromhex(hash_of(one)) for one in ids)


def chain_of_episode(episode: Episode) -> str:
    """Give the chain by which longer copies of an episode are told."""
    turns = ([turn[at] for at in PLACES] for turn in episode.turns)
    return chain_of(episode.about.task, episode.about.arm, turns)


def content_of(episode: Episode) -> str:
    """Hash everything by which two episodes of one id are the same one: the transcript and what is said about it."""
    about = episode.about
    return hash_of(
        episode.digest, about.task, about.model, about.arm, about.metadata_text(), about.outcome_word,
        about.stop_reason, about.turn_limit, len(episode.turns), about.parent,
    )  # fmt: skip


class Told(NamedTuple):
    """An episode and the line where it begins."""

    line: int
    episode: Episode

    @property
    def content(self) -> str:
        """Hash what is said of it."""
        return content_of(self.episode)

    @property
    def chain(self) -> str:
        """Give the chain by which copies are told."""
        return chain_of_episode(self.episode)
