"""A port of T2 and T1 to "another language", with the mistakes that ports make: python port.py [MISTAKE]."""

import json
import sys

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else ""
TRIMMED = " \t\n\r\x0b\x0c" if MISTAKE == "trim" else None


def trimmed(text: str | None) -> str:
    return (text or "").strip(TRIMMED)


def main() -> None:
    plan = search = index = 0
    before = ""
    thresholds: dict[str, int] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        if "begin" in asked:
            plan = search = index = 0
            before = ""
            thresholds = {each["detector"]: each["threshold"] for each in asked["triggers"]}
            continue
        turn = asked["turn"]
        if MISTAKE == "user" and turn["user"]:
            plan, before = 0, "\0"
        now = trimmed(turn["reasoning"])
        plan = plan + 1 if index and (now or MISTAKE == "empty") and now == before else 0
        before, index = now, index + 1
        does = {kind for call in turn["calls"] for kind in call["does"]}
        reads = "reads" in does and (does <= {"reads", "neutral"} or MISTAKE == "any")
        search = search + 1 if reads else (search if MISTAKE == "idle" and not turn["calls"] else 0)
        levels = {"repeated_plan": plan, "search_run": search}
        fired = [
            name for name, level in levels.items()
            if (level > thresholds[name] if MISTAKE == "above" else level >= thresholds[name])
        ]  # fmt: skip
        if MISTAKE == "crash" and index == 5:
            sys.exit(3)
        if MISTAKE == "words":
            print("thinking …")
        if MISTAKE == "endless":
            import time

            time.sleep(60)
        print(json.dumps({"levels": levels, "fired": fired}))
    if MISTAKE == "more":
        print("{}")


if __name__ == "__main__":
    main()
