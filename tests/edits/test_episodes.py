"""Episodes under an edit: where it begins, which requests are written, whether detectors fire again."""

from typing import Any

from calib.edits.dumps import Saved
from calib.edits.episodes import Plan, Wish, accounts, plans
from calib.edits.fires import fire_turns, told
from calib.point import Point, parse_point
from calib.tools import Map
from tests.edits.saved import history, items, kept, step


def wish(by: str = "full", point: str = "", turn: int | None = None) -> Wish:
    parsed: Point | None = parse_point(point) if point else None
    return Wish(by, None, parsed, turn, Map())


def planned(plan: str, wanted: Wish) -> Plan:
    (one,) = plans([Saved("e", "episode_lines", history(plan), {"model": "m"})], wanted)
    return one


def test_the_edit_begins_with_the_request_after_the_fire() -> None:
    one = planned("A A A B A A", wish(point="T2@2"))
    assert (one.fire_turn, one.first) == (2, 3)
    (request,) = one.sent()
    assert list(request) == ["episode_id", "request", "model", "messages"]
    assert (request["request"], kept(request["messages"])) == (3, "– – –")


def test_every_request_is_as_it_was_up_to_the_fire_turn() -> None:
    one = planned("A A A B A A", wish(turn=2))
    assert list(one.all_numbers()) == [0, 1, 2, 3, 4, 5]
    drawn = [kept(request["messages"]) for request in one.sent(one.all_numbers())]
    assert drawn == ["", "A", "A A", "– – –", "– – – –", "– – – – –"]


def test_a_fire_at_the_last_turn_edits_the_request_that_would_have_come() -> None:
    one = planned("A A A", wish(point="T2@2"))
    assert (one.first, list(one.all_numbers())) == (3, [0, 1, 2, 3])
    (request,) = one.sent()
    assert kept(request["messages"]) == "– – –"


def test_without_a_fire_nothing_is_edited() -> None:
    one = planned("A B A", wish(point="T2@2"))
    assert (one.fire_turn, list(one.sent()), list(one.all_numbers())) == (None, [], [0, 1, 2])
    (request,) = one.sent([2])
    assert kept(request["messages"]) == "A B"
    assert list(one.sent([9])) == []


def test_a_turn_beyond_the_episode_is_no_fire() -> None:
    assert planned("A B", wish(turn=2)).fire_turn is None


def test_the_detectors_begin_anew_on_what_the_edit_leaves() -> None:
    plan = "A A A " + "B " * 4 + "C C C C"
    found = {
        by: next(accounts([planned(plan, wish(by, "T2@2"))])).fires_again
        for by in ("none", "full", "keep_first", "drop_all_copies")
    }
    assert found == {"none": 5, "full": None, "keep_first": None, "drop_all_copies": None}


def test_search_runs_go_on_whatever_is_edited() -> None:
    read = [{"id": "c", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}]
    messages = [step("A", tool_calls=read) for _ in range(6)]
    (one,) = plans([Saved("e", "episode_lines", messages)], wish("full", "T1@3"))
    (found,) = accounts([one])
    assert (one.fire_turn, found.fires_again) == (2, 5)


def test_items_fire_as_ingest_would_see_them() -> None:
    point = parse_point("T2@2")
    episodes = [told(items("A A A B"), "responses"), told(history("A A . A A A"), "episode_lines"), told([], "x")]
    assert fire_turns(episodes, point, Map()) == [2, 5, None]
    assert fire_turns([], point, Map()) == []


def test_rules_that_look_at_calls_and_detectors_of_the_configuration_fire_too() -> None:
    from calib.detectors import Detector
    from calib.rules import parse_rule

    point = parse_point("mine@2")
    own = {"mine": Detector("mine", parse_rule("lag(calls,1)"))}
    assert fire_turns([told(history("A B C"), "episode_lines")], point, Map(), own) == [2]
    assert fire_turns([told(history("A B C"), "episode_lines")], parse_point("lag(call,1)@1"), Map()) == [1]


def test_an_episode_whose_messages_cannot_be_read_is_passed_over_and_named() -> None:
    said: list[str] = []
    found = [Saved("bad", "episode_lines", [{"content": "no role"}]), Saved("e", "episode_lines", history("A A"))]
    assert [one.saved.episode_id for one in plans(found, wish(turn=0), said.append)] == ["e"]
    assert said == ["episode bad: bad-message; passed over"]


def test_turns_are_those_of_the_dumps_format() -> None:
    ask = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]}
    said = [{"role": "assistant", "content": f"<think>{plan}</think>x"} for plan in "AB"]
    both: list[Any] = [([ask, *said], "chat_completions", 2), (said, "responses", 1)]
    for messages, format, turns in both:
        saved = Saved("e", format, messages)
        assert saved.history.turns == len(told(messages, format).turns) == turns
        (one,) = plans([saved], wish(turn=0))
        assert one.edited.history.turns == turns
