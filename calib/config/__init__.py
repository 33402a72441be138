"""What calib.toml, or [tool.calib] of pyproject.toml, may say: read into checked values, and written to start with.

::

    point = "repeated_plan@7 | search_run@35"   without it the closest-pass rule chooses; calib sweep, which looks for
                                                one, passes it over
    chosen = "here"                             or "before": fixed without the episodes it is judged on
    calibrated_on = "3f9c…"                     data digest of the episodes the point was chosen on, which
                                                calib.calibrated.json beside this file lists by content
    rule = "closest_pass"                       what chose it there: closest_pass, given or published
    confidence = 0.95                           of every bound, one side
    checks = 1                                  divides the error over this many repeated checks
    unit = "episode"                            what is drawn independently: episode, task, model or arm
    where = ["model = x"]                       as the options --where and --exclude
    exclude = ["arm=always-strip"]

    [gate]                                      limits; each is optional, none gates nothing
    max_false_fires = 0                         counts: max_false_fires, min_caught, min_plateau_width,
    min_plateau_width = { search_run = 9 }        (a number, or one for each detector), min_passed, min_turn_limit
    max_false_fire_rate = 0.01                  exact bounds: max_false_fire_rate, max_other_fire_rate, min_caught_rate
    max_rejected = 0.001                        share of the input bytes that ingest may have lost

    [tools]
    reads = ["mcp__fs__*", "bash:cat"]          adds to what is known to only read; also writes, tests, other, neutral
    only = false                                true: exactly the tools in reads read, as in note 000

    [detectors]
    my_name = "lag(calls,2)@6"                  a rule by a name of your own, for points, limits and the command line

In pyproject.toml the tables are [tool.calib], [tool.calib.gate] and so on.
"""

from calib.config._values import Config, Limits, for_point
from calib.config.reading import load
from calib.config.starting import write_commented

__all__ = ["Config", "Limits", "for_point", "load", "write_commented"]
