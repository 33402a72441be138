"""Any other tool, by the verb with which its name begins.

Source: the habits of tool servers and benchmarks: `get_user`, `search_pages`, `list_issues`, `create_issue`. A name
that is listed anywhere else, or in `[tools]`, is not guessed.
"""

from calib.tools._family import Family


def _begin(verbs: str) -> str:
    return ", ".join(f"{verb}_*, {verb}-*" for verb in verbs.split())


FAMILY = Family(
    reads=_begin("get list search find read fetch query view show describe lookup browse inspect retrieve grep count"),
    writes=_begin(
        "create update delete write add remove set insert edit move rename send book modify save upload append replace "
        "patch put post push merge close assign install"
    ),
    tests=_begin("run_test run_tests test run_lint lint"),
)
