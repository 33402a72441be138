"""A rule says, as one value, how a level is counted: one whole number at every turn. Nothing here computes it.

Two evaluators read the same value: `calib.evaluate` over the integer columns of a corpus, `calib.live` one turn at a
time; `tests/literal.py` judges both. What a rule means, step by step:

1. **Rows.** `unit=turn`: every turn is a row. `unit=call`: every call is a row, in order; a turn without a call has
   none. `batch=once` drops a call whose key an earlier call of the same turn has.
2. **Forgetting.** Before its first row a turn forgets all rows so far where `reset` names `user` (a user message stands
   before it), `compaction`, or `turn` (every turn). Where it names `result`, a call that gives another result than the
   last time it was made forgets all rows before its own, or before its turn's. A turn without a call (`idle`) or one
   that writes and has no failed call (`wrote`) forgets when its own rows have been passed over: they do not count. A
   row for which `breaks` holds forgets all rows so far and does not count itself. What `reset` names is an event
   whatever the other parameters say of its row.
3. **Transparent rows.** A row for which `only` does not hold, and a row whose calls (one at least) are all of `exempt`
   tools, is passed over: as if it was not there.
4. **Histories.** The other rows count. With `per=KEY` those of each value of the key have a history of their own; a row
   without a value is passed over. A history begins anew where an episode begins or rows are forgotten.
5. **The family** gives each row of a history its level; `n` rows of it have been seen, this one included:

   ==================================  =======================================================================
   `run(TEST)`                         rows in a row, up to this one, for which the test holds
   `lag(KEY,k)`                        rows in a row, up to this one, whose key equals that of the row k before
   `cycle(KEY,a..b)`                   the highest of `lag(KEY,k)` divided by k, rounded down, for k from a to b:
                                       whole laps that repeat the lap before
   `count(KEY,window=W)`               how often this row's key occurs in the last W rows, or in all
   `count(TEST,window=W)`              for how many of the last W rows the test holds
   `budget(TEST)`, `budget(NUMBER)`    for how many rows so far the test holds; sum of a number over them
   ==================================  =======================================================================

   A key without a value equals nothing and counts 0. A part marked `?` may be without a value, and two such are equal.
   A result that changed ends a run where it is in the key, `lag(call+result,1)`, or with `reset=result`.
   `R` copies of a lap of `k` rows: `lag` reaches `k(R-1)`, `cycle` `R-1`; the n-th equal row in a row: `n-1`.
6. **Holding back.** `warm_up=m` (of `count`): the first m-1 rows of a history have level 0, the m-th the highest level
   that a row so far would have had. `seen=TEST`: level 0 before the first row of the history for which it holds.
7. **The turn's level** is the highest of its rows; 0 when it has none. A row that does not count has level 0.

**Parallel calls.** With `unit=turn` a batch of calls is one row, compared whole: in order (`calls`, `results`) or in
any (`call_set`). With `unit=call` each of them is a row, in the order in which they were written, so a batch of n equal
calls can raise a level by n; `batch=once` takes equal ones for one. What is a matter of turns holds for a call as it
does for its turn, all of it: beside a write no call of the turn `reads`, each call has all the turn's `output_tokens`,
and a turn that `wrote` forgets every call of it. A user message or a compaction stands before the first call only.

`any(RULE@k | …)` joins rules into one level: the highest of *level divided by k, rounded down*. At 1 it fires where the
first of them fires at its threshold. `scan(NAME)` is a level that a scanner reads off one text of each turn.
"""

from calib.rules._parsing import parse_rule, split
from calib.rules._rule import (
    EMPTY_IS_A_VALUE,
    KEYS,
    NUMBERS,
    RESETS,
    TESTS,
    AnyOf,
    AnyRule,
    Family,
    Key,
    Part,
    Recorded,
    Rule,
    Scan,
    Test,
    Unit,
    looks_at_actions,
)

__all__ = [
    "EMPTY_IS_A_VALUE",
    "KEYS",
    "NUMBERS",
    "RESETS",
    "TESTS",
    "AnyOf",
    "AnyRule",
    "Family",
    "Key",
    "Part",
    "Recorded",
    "Rule",
    "Scan",
    "Test",
    "Unit",
    "looks_at_actions",
    "parse_rule",
    "split",
]
