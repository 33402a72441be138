"""How often fires come per turn at risk: a description, for turns of an episode depend on each other (Garwood 1936)."""


def turn_rate(fired: int, turns: int, alpha: float) -> tuple[float, float]:
    """Bound the fires per turn from both sides, `alpha`/2 a side, if they come at a constant rate.

    >>> [round(1000 * end, 1) for end in turn_rate(1, 100, 0.05)]
    [0.3, 55.7]

    No turn bounds nothing: from 0 to infinity.
    """
    from scipy.special import gammaincinv

    low = float(gammaincinv(fired, alpha / 2)) / turns if fired and turns else 0.0
    return low, turn_rate_upper(fired, turns, alpha / 2)


def turn_rate_upper(fired: int, turns: int, alpha: float) -> float:
    """Bound the fires per turn from above: exceeded by the true rate with probability at most `alpha`.

    >>> f"{1000 * turn_rate_upper(0, 19, 0.05):.0f} per 1,000"
    '158 per 1,000'

    No turn bounds nothing: infinity.
    """
    from scipy.special import gammainccinv

    return float(gammainccinv(fired + 1, alpha)) / turns if turns else float("inf")
