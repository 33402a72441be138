"""One transcript format per module: it recognises a record and turns records into episodes.

A module that does not begin with an underscore is a format, named after its file. It has `SUMMARY` (one
line), `STREAM` (False: any line stands alone, so a file can be read in ranges), `recognises(record)` and
`Reader`.
"""
