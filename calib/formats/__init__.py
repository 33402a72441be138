"""One transcript format per module: it recognises a record and turns records into episodes.

A module that does not begin with an underscore is a format, named after its file. It holds

- a docstring: the page of `calib formats NAME`, under the headings *Recognised by*, *Turn*, *Reasoning*,
  *Calls and results*, *Tokens and times*, *Outcome and stop*, *Cannot know*;
- `SUMMARY`, one line;
- `RANK`, a whole number: of two formats that recognise a record the lower one wins;
- `STREAM`: False when every record stands alone, so that a file of lines can be read in ranges;
- `recognises(value)`: is this decoded JSON value (a line, or a whole file) a record of mine;
- `Reader(context)` with `feed(record, where)`, which gives the episodes that end with this record, and `finish()`,
  which gives those still open. `_reader.Records` is the usual base.

What a record is does not depend on the format: a line of a file, or a whole file, or an element of a file that is one
JSON list. Optional: `BUNDLE = True` (the files of one folder are the records of one stream, in the natural order of
their names; with `bundled(value)` only the files whose value it accepts, with `group(value)` a stream for each of its
names, with `home(path)` from several folders of the one that it gives), `MAGIC` (first bytes of a binary file, which
`Reader.open(path, size)` reads: it gives episodes, `Fault` and `Passed`, which add up to `size`), `BESIDE` (names of
files in the same folder, for a bundle also the one above, that belong to it; of up to 24 MiB, or `BESIDE_BYTES`) and
`beside(name)` (more such names, for a file `name`).
"""
