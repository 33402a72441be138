"""calib.json against itself: is each thing listed once, and do the accounts add up?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from calib.escape import visible
from calib.formats._codes import CODES, NOTICES
from calib.labels import LIMIT_KINDS
from calib.tables import LABELS, MANIFEST, REASONING_FORMS


def _name(key: str) -> str:
    return visible(key)[:80]


def list_findings(manifest: Mapping[str, Any]) -> list[str]:
    """List what keeps the parts from being told apart: one listed twice, one of no source, the file of another."""
    found = []
    names = [source["source"] for source in manifest["sources"]]
    if names != sorted(set(names), key=str.encode):
        found.append(f"{MANIFEST}: sources: expected each once and sorted, found another order")
    keys = [(part["source"].encode(), part["first_byte"], part["part"]) for part in manifest["parts"]]
    if keys != sorted(set(keys)):
        found.append(f"{MANIFEST}: parts: expected each once and sorted by source and first byte, found another order")
    held = [name for part in manifest["parts"] for name in part.get("members") or (part["source"],)]
    if strays := sorted(set(held) - set(names)):
        found.append(f"{MANIFEST}: parts: expected sources that are listed, found {_name(strays[0])}")
    packed = Counter(name for part in manifest["parts"] for name in part.get("members", ()))
    alone = {part["source"] for part in manifest["parts"] if not part.get("members")}
    if twice := sorted(name for name, count in packed.items() if count > 1 or name in alone):
        found.append(f"{MANIFEST}: parts: expected a source of a pack in no other part, found {_name(twice[0])}")
    for part in manifest["parts"]:
        for table, entry in part["tables"].items():
            wanted = f"{table}/{part['part']}.parquet"
            if entry["file"] != wanted:
                found.append(f"{MANIFEST}: parts: expected the file {_name(wanted)}, found {_name(entry['file'])}")
    return found


def account_findings(source: Mapping[str, Any], parts: Sequence[Mapping[str, Any]] | None) -> list[str]:
    """Add the account of a source up again, from its own figures and from those of its parts; a pack has none of it."""
    account = source["account"]
    name = _name(source["source"])
    lost, ignored = _bytes(account["rejected"]), _bytes(account.get("ignored", {}))
    added = account["kept"] + account["blank"] + lost + ignored
    pairs = [
        ("account", f"{account['bytes']} bytes", f"{added} = {account['kept']} kept + {lost} rejected"
         f" + {account['blank']} blank" + (f" + {ignored} ignored" if ignored else ""), account["bytes"] == added),
        ("bytes", f"{account['bytes']} as in the account", source["bytes"], source["bytes"] == account["bytes"]),
        *(_sums(source, parts) if parts is not None else ()),
    ]  # fmt: skip
    found = [f"{name}: {what}: expected {wanted}, found {had}" for what, wanted, had, holds in pairs if not holds]
    return found + _gaps(name, parts or ()) + _unlisted(name, source, parts or ())


def pack_findings(part: Mapping[str, Any], sources: Sequence[Mapping[str, Any]]) -> list[str]:
    """Add the account of a pack up again, from those of its sources."""
    whole = {
        "account": part["account"], "notices": part["notices"],
        **{table: part["tables"][table]["rows"] for table in ("episodes", "turns", "calls")},
    }  # fmt: skip
    like_parts = [
        {
            "account": one["account"], "bytes": one["bytes"], "notices": one["notices"],
            "tables": {table: {"rows": one[table]} for table in ("episodes", "turns", "calls")},
        }
        for one in sources
    ]  # fmt: skip
    name = f"{MANIFEST}: pack {part['part']}"
    found = [
        f"{name}: {what}: expected {wanted.replace('its parts', 'its sources')}, found {had}"
        for what, wanted, had, holds in _sums(whole, like_parts)
        if not holds
    ]
    return found + _unlisted(name, whole, [part])


def _bytes(counts: Mapping[str, Mapping[str, int]]) -> int:
    return sum(each["bytes"] for each in counts.values())


def _sums(source: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]) -> list[tuple[str, Any, Any, bool]]:
    """Compare every figure of a source with the sum over its parts."""
    account = source["account"]
    accounts = [part["account"] for part in parts]
    figures = {
        f"account.{key}": (account[key], sum(one[key] for one in accounts)) for key in ("bytes", "kept", "blank")
    }
    figures["account.bytes"] = (account["bytes"], sum(part["bytes"] for part in parts))
    for kind in ("rejected", "ignored"):
        codes = {code for one in (account, *accounts) for code in one.get(kind, {})}
        for code, unit in ((code, unit) for code in sorted(codes) for unit in ("records", "bytes")):
            none = {unit: 0}
            total = sum(one.get(kind, {}).get(code, none)[unit] for one in accounts)
            figures[f"account.{kind}.{_name(code)}.{unit}"] = (account.get(kind, {}).get(code, none)[unit], total)
    for code in sorted({code for one in (source, *parts) for code in one["notices"]}):
        figures[f"notices.{_name(code)}"] = (
            source["notices"].get(code, 0),
            sum(p["notices"].get(code, 0) for p in parts) + (not parts and code == "empty-file"),
        )
    for table in ("episodes", "turns", "calls"):
        figures[table] = (source[table], sum(part["tables"][table]["rows"] for part in parts))
    return [(what, f"{total} as in its parts", had, had == total) for what, (had, total) in figures.items()]


def _gaps(name: str, parts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Find bytes of a source that lie in no part, or in two."""
    starts = [(0, 0), *((part["first_byte"], part["bytes"]) for part in parts)]
    for (first, size), (following, _) in pairwise(starts):
        if first + size != following:
            return [f"{name}: parts: expected one to begin at byte {first + size}, found byte {following}"]
    return []


def _unlisted(name: str, source: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Find codes and words that are on no closed list."""
    forms = {form for part in parts for counts in part["reasoning"].values() for form in counts}
    lists = [
        ("rejected", source["account"]["rejected"], CODES),
        ("notices", source["notices"], NOTICES),
        ("labels", {word for part in parts for word in part["labels"]}, LABELS),
        ("stops", {kind for part in parts for kind in part["stops"]}, LIMIT_KINDS),
        ("reasoning", forms, REASONING_FORMS),
    ]
    return [
        f"{name}: {what}: expected one of the closed list, found {_name(word)}"
        for what, words, allowed in lists
        for word in sorted(set(words) - set(allowed))
    ]
