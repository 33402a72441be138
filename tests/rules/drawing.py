"""Rules of every shape for hypothesis."""

from typing import Any

from hypothesis import strategies as st

from calib.errors import UsageError
from calib.rules import KEYS, NUMBERS, RESETS, TESTS, AnyOf, Key, Part, Rule, Test
from calib.rules._rule import inferred_unit

TOOLS = st.lists(st.sampled_from(["read", "write", "poll", "re*", "*"]), min_size=1, max_size=2, unique=True).map(tuple)


def keys(names: list[str]) -> st.SearchStrategy[Key]:
    """Keys of the names, in the order in which they print."""
    parts = st.dictionaries(st.sampled_from(names), st.booleans(), min_size=1, max_size=2)
    return parts.map(lambda found: Key(tuple(Part(name, found[name]) for name in KEYS if name in found)))


def tests() -> st.SearchStrategy[Test]:
    """Tests of every name."""
    plain = st.builds(Test, st.sampled_from([n for n in TESTS if n != "tool"]), st.just(()), st.booleans())
    return plain | st.builds(Test, st.just("tool"), TOOLS, st.booleans())


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    """Rules of the five families with every parameter, few at a time: most of them make levels 0."""

    def rarely(some: st.SearchStrategy[Any], otherwise: Any = None) -> Any:
        return draw(some) if draw(st.integers(0, 4)) == 4 else otherwise

    family: Any = draw(st.sampled_from(["run", "lag", "cycle", "count", "budget"]))
    names = draw(st.sampled_from([[n for n in KEYS if KEYS[n][0] == "turn"], list(KEYS)]))
    low = draw(st.integers(1, 3))
    named: dict[str, Any] = {
        "per": rarely(keys(names)),
        "only": rarely(tests()),
        "breaks": rarely(tests()),
        "exempt": rarely(TOOLS, ()),
        "reset": tuple(sorted(rarely(st.sets(st.sampled_from(list(RESETS))), ()), key=list(RESETS).index)),
        "seen": rarely(tests()),
    }
    if family == "lag":
        named["lag"] = low
    if family == "cycle":
        named["periods"] = (low, low + draw(st.integers(0, 2)))
    of: Key | Test | str = draw(keys(names)) if family in ("lag", "cycle") else draw(tests())
    if family == "count":
        named["window"] = draw(st.integers(1, 5) | st.just(40))
        named["warm_up"] = rarely(st.integers(2, 5), 0)
        if draw(st.booleans()):
            of, named["window"] = draw(keys(names)), draw(st.integers(0, 5) | st.just(40))
    if family == "budget":
        of = draw(tests() | st.sampled_from(list(NUMBERS)))
    named["unit"] = draw(st.sampled_from(["turn", "call", inferred_unit(of, named["per"])]))
    if isinstance(of, Key):
        named["batch"] = draw(st.sampled_from(["each", "once"]))
    for unit in (named["unit"], "call"):
        try:
            return Rule(family, of, **(named | {"unit": unit}))
        except UsageError:
            named["warm_up"] = min(named.get("warm_up", 0), 2) if named.get("window") != 1 else 0
    return Rule(family, of, **(named | {"unit": "call"}))


def every_rule() -> st.SearchStrategy[Rule | AnyOf]:
    """Rules, and several as one."""
    members = st.lists(st.tuples(rules(), st.integers(1, 4)), min_size=1, max_size=3)
    return rules() | rules() | rules() | members.map(lambda found: AnyOf(tuple(found)))
