"""The four tools of the harness in which T1 was found: two read, one writes, one tests.

Source: "When an Agent Repeats Its Plan", 27 October 2026, section 2; section 4 counts the two that read.
"""

from calib.tools._family import Family

FAMILY = Family(reads="search_files, read_file", writes="write_file", tests="run_tests")
