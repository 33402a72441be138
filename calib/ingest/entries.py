"""The entries of sources for calib.json, packed: a dump of a million files has a million of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

import msgspec

FIGURES = ("format", "bytes", "notices", "notice_lines", "episodes", "turns", "calls", "small")
ACCOUNT = ("bytes", "kept", "blank", "rejected", "ignored")

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[str, bytes, list[Any], list[Any]]).decode


def packed(entry: Mapping[str, Any]) -> bytes:
    """Pack an entry of `sources`, in a tenth of the room."""
    figures, account = [entry[key] for key in FIGURES], [entry["account"][key] for key in ACCOUNT]
    return _encode((entry["source"], bytes.fromhex(entry["digest"]), figures, account))


def unpacked(data: bytes) -> dict[str, Any]:
    """Give the entry that was packed."""
    source, digest, figures, account = _decode(data)
    found = dict(zip(FIGURES, figures, strict=True))
    return {"source": source, "digest": digest.hex(), "account": dict(zip(ACCOUNT, account, strict=True)), **found}


class Entries(Sequence[dict[str, Any]]):
    """A list of entries, each unpacked when it is asked for."""

    def __init__(self, data: Iterable[bytes]) -> None:
        self.data = list(data)

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(unpacked, self.data)

    @overload
    def __getitem__(self, at: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> "Entries": ...
    def __getitem__(self, at: int | slice) -> "dict[str, Any] | Entries":
        return Entries(self.data[at]) if isinstance(at, slice) else unpacked(self.data[at])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return NotImplemented
        return all(one == its for one, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def ordered(self) -> "Entries":
        """Give them in the order of calib.json."""
        return Entries(sorted(self.data, key=lambda data: _decode(data)[0].encode()))


def share_names(part: dict[str, Any], names: Mapping[str, str]) -> None:
    """Let a part call its sources by the very texts that the plan does: of a million names one is enough."""
    for key in ("members", "entries"):
        if key in part:
            part[key] = {names.get(name, name): value for name, value in part[key].items()}
