"""Measurements: what each command costs against named peers. Run: python -m benchmarks.

calib is byte-compiled first, as every installed package is: a checkout that runs without writing byte code would be
timed compiling itself.
"""

import compileall
from pathlib import Path

compileall.compile_dir(str(Path(__file__).parents[1] / "calib"), quiet=1)
