"""One output per file: a report value in, text out. No report computes, prints, or formats a number by itself.

`render(report)` takes one Report or several (one per group of `--by`) and gives the whole text, ending in a
line feed. Numbers and the sentences around them come from `calib.reports._words`, text of dumps from
`calib.escape`.
"""
