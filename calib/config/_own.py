"""Rules by names of the user's: what [detectors] may say, and which detectors there are then."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from calib.config._wrong import WrongValueError
from calib.detectors import Detector, names
from calib.errors import ConfigurationError, UsageError, near
from calib.escape import visible
from calib.point import whole
from calib.rules import parse_rule, split


def own_detector(name: str, value: Any) -> Detector:
    """Read a rule under a name, with or without its threshold.

    >>> found = own_detector("pairs", "lag(calls,2)@6")
    >>> found.name, str(found.rule), found.default
    ('pairs', 'lag(calls,2)', 6)

    Raises WrongValueError otherwise.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name) or name in (*names(), "rules"):
        raise WrongValueError("a new name of small letters, digits and _, at most 40, for the rule")
    if not isinstance(value, str):
        raise WrongValueError('a rule such as "lag(calls,2)@6"')
    try:
        spelling, *threshold = split(value, "@")
        return Detector(name, parse_rule(spelling), whole("@".join(threshold).strip(), name) if threshold else None)
    except UsageError as error:
        raise WrongValueError(f'a rule such as "lag(calls,2)@6" ({error})') from None


def check_known(where: str, named: Iterable[str], own: Mapping[str, Detector]) -> None:
    """Raise ConfigurationError for a detector that neither calib nor the file has."""
    for name in named:
        if "(" not in name and name not in (*names(), *own):
            known = near(name[:80], [*names(), *own])
            raise ConfigurationError(f"{where}: expected a detector, found {visible(name[:60])!r}; there are {known}")
