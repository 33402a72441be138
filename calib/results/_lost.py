"""What an ingest could not keep: all that opening a corpus needs of the results."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Lost:
    """What ingest could not keep, over the whole corpus."""

    records: int = 0
    bytes: int = 0
    of_bytes: int = 0
    by_code: dict[str, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Share of the input bytes that were rejected."""
        return self.bytes / self.of_bytes if self.of_bytes else 0.0
