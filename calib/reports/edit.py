"""What an edit removes: a row an episode, and a row a request where there is one episode only."""

import json as jsonlib
from collections.abc import Callable, Sequence
from dataclasses import asdict

from calib.edits.account import Account, Removed
from calib.escape import json_text
from calib.escape import markdown as cell
from calib.reports._columns import STUCK, distinct_names, guarded, table, wrap
from calib.spelling import NONE, count, plural

EPISODE = ("episode", "fires", "edited from", "blocks", "characters", "tokens", "again")
REQUEST = ("request", "messages", "blocks", "characters", "tokens", "kept in front")
NOTES = (
    "Sums over all requests from the one after the fire turn to the last. `kept in front`: messages, and characters of "
    "their JSON, that stand before the first change: what a prompt cache can keep. `again`: where it fires on what the "
    "edit leaves, counted anew after the fire turn. A dash in tokens: not recorded."
)


def _number(value: int | None) -> str:
    return NONE if value is None else count(value)


def _episode(account: Account) -> list[str]:
    blocks, characters, tokens = account.total
    if account.fire_turn is None:
        return ["never", NONE, *[NONE] * 4]
    again = "no" if account.fires_again is None else f"turn {count(account.fires_again)}"
    first = NONE if account.first_changed is None else f"request {count(account.first_changed)}"
    return [f"turn {count(account.fire_turn)}", first, count(blocks), count(characters), _number(tokens), again]


def _request(row: Removed) -> list[str]:
    kept = f"{count(row.same_messages)} ({count(row.same_characters)})"
    return [
        count(row.request), count(row.messages), count(row.blocks), count(row.characters), _number(row.tokens), kept,
    ]  # fmt: skip


def _headline(accounts: Sequence[Account]) -> str:
    changed = sum(account.first_changed is not None for account in accounts)
    edits = " | ".join(dict.fromkeys(f"{account.by}, rules {account.provider}" for account in accounts))
    return f"edit {edits}: {plural(len(accounts), 'episode')}, {count(changed)} edited"


def _unchanged(accounts: Sequence[Account]) -> str:
    """Say so when an edit of fired episodes has nothing to remove."""
    idle = [account for account in accounts if account.fire_turn is not None and account.first_changed is None]
    if not idle:
        return ""
    return f"{plural(len(idle), 'episode')} fired and no request changes: no readable repeat, or an open tool-use turn."


def _listed(accounts: Sequence[Account]) -> Sequence[Account]:
    """Keep the episodes in which something fires; one alone is shown in any case."""
    return accounts if len(accounts) == 1 else [account for account in accounts if account.fire_turn is not None]


def _others(accounts: Sequence[Account]) -> str:
    """Count the episodes that have no row."""
    rest = len(accounts) - len(_listed(accounts))
    return (
        f"{plural(rest, 'episode')} in which nothing fires: left as {'it is' if rest == 1 else 'they are'}."
        if rest
        else ""
    )


def render(accounts: Sequence[Account], width: int = 80) -> str:
    """Show the tables on a terminal; ids are escaped."""
    listed = _listed(accounts)
    names = distinct_names([account.episode_id for account in listed], 16)
    rows = [EPISODE, *[(shown, *_episode(account)) for shown, account in zip(names, listed, strict=True)]]
    lines = [_headline(accounts)]
    if listed:
        lines += ["", *table(_stuck(rows), (False, False, False, True, True, True, False), "")]
    if others := _others(accounts):
        lines += ["", *wrap(others, width)]
    if len(accounts) == 1 and accounts[0].rows:
        requests = [REQUEST, *map(_request, accounts[0].rows)]
        lines += ["", *table(_stuck(requests), (True,) * 6, "")]
    if said := _unchanged(accounts):
        lines += ["", *wrap(said, width)]
    return guarded([*lines, "", *wrap(NOTES, width)])


def _stuck(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[part.replace(" ", STUCK) for part in row] for row in rows]


def render_markdown(accounts: Sequence[Account]) -> str:
    """Write the tables in Markdown."""
    lines = [_headline(accounts), "", _row(EPISODE), _row(["---", "---", "---", *["---:"] * 3, "---"])]
    lines += [_row([cell(account.episode_id), *_episode(account)]) for account in _listed(accounts)]
    if len(accounts) == 1 and accounts[0].rows:
        lines += ["", _row(REQUEST), _row(["---:"] * 6), *(_row(_request(row)) for row in accounts[0].rows)]
    return "\n".join([*lines, "", *filter(None, [_others(accounts), _unchanged(accounts)]), NOTES]) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def render_json(accounts: Sequence[Account]) -> str:
    """Write one JSON object with a list of episodes; `total` and `first_changed` beside the requests."""
    told = []
    for account in accounts:
        blocks, characters, tokens = account.total
        total = {"blocks": blocks, "characters": characters, "tokens": tokens}
        told.append({**asdict(account), "first_changed": account.first_changed, "total": total})
    return json_text(jsonlib.dumps({"schema_version": 1, "episodes": told}, ensure_ascii=False, indent=1)) + "\n"


RENDER: dict[str, Callable[[Sequence[Account]], str]] = {"markdown": render_markdown, "json": render_json}
