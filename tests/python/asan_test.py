"""A model that is built with AddressSanitizer, run from Python: nothing is reported of a run, and an array that is too
short is."""

import os
import subprocess
import sys
import unittest

from built import build_scores

RUN = """
import numpy as np, sinter
from built import arrays, expected
model = sinter.load("scores")
np.testing.assert_allclose(model(*arrays())[0], expected()[0], rtol=1e-6)
"""
RUN_SHORT = RUN + """
from sinter.host import HostBuffer
from sinter.model import _pointers
short = [model._memory.input(tensor, array) for tensor, array in zip(model.inputs, arrays())]
short[0] = HostBuffer(np.empty(4, np.float32))
outputs = [model._memory.output(tensor) for tensor in model.outputs]
model._interface.run(model._instance, _pointers(short), _pointers(outputs), None)
"""


def library_of(compiler, name):
    path = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
    return path if os.path.isabs(path) else None


class AddressSanitizer(unittest.TestCase):
    def test_runs(self):
        library = library_of("g++", "libasan.so")
        if library is None:
            self.skipTest("g++ has no libasan.so")
        build_scores(cmake=["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_COMPILER=g++",
                            "-DCMAKE_CXX_FLAGS=-g1 -fsanitize=address"])
        options = {"LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}

        def run(program):
            return subprocess.run([sys.executable, "-c", program], env={**os.environ, **options}, capture_output=True,
                                  text=True, errors="replace")

        good, short = run(RUN), run(RUN_SHORT)
        self.assertEqual((good.returncode, good.stderr), (0, ""))
        self.assertNotEqual(short.returncode, 0)
        self.assertRegex(short.stderr, r"AddressSanitizer: heap-buffer-overflow(.|\n)*scores\.cu:\d+")


if __name__ == "__main__":
    unittest.main()
