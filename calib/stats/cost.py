"""Whether a guard pays, from a bound on its false-fire rate and without a made-up cost (Provost & Fawcett 2001).

`prevalence` is the share of turn_limit among turn_limit and passed episodes where the guard will run, `saved` the
turns after the fire per turn_limit episode, `rate` an upper bound of the false-fire rate, never a share seen.
"""


def break_even_cost(prevalence: float, saved: float, rate: float) -> float | None:
    """Give the cost of a false fire, in turns, below which the guard pays; None when no false fire is possible.

    >>> round(break_even_cost(15 / 236, 1943 / 44, 0.00745))
    402
    """
    return prevalence * saved / ((1 - prevalence) * rate) if rate and prevalence < 1 else None


def break_even_prevalence(cost: float, saved: float, rate: float) -> float | None:
    """Give the prevalence above which the guard pays when a false fire costs `cost` turns; None: nothing to weigh.

    >>> f"{100 * break_even_prevalence(64, 1943 / 44, 0.00745):.2f} %"
    '1.07 %'
    """
    return cost * rate / (saved + cost * rate) if saved + cost * rate else None


def at_least_once(rate: float, times: int) -> float:
    """Give the probability that what happens at `rate` happens in `times` independent units at least once.

    >>> f"{100 * at_least_once(0.05, 52):.1f} %"
    '93.1 %'
    """
    from math import expm1, log1p

    return -expm1(times * log1p(-rate)) if rate < 1 else float(times > 0)
