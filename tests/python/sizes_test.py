"""A built model with a dimension of up to 8: arrays are as long as each run."""

import pathlib
import unittest

import numpy as np
import sinter
from built import build_scores
from sinter.model import _pointers
from sinter.sizes import Number


def setUpModule():
    build_scores("rows", pathlib.Path(__file__).parent / "rows.hlo")


class Sizes(unittest.TestCase):
    def setUp(self):
        self.model = sinter.load("rows")
        random = np.random.default_rng(1)
        self.x = random.normal(size=(8, 3)).astype(np.float32)
        self.w = random.normal(size=(3, 2)).astype(np.float32)
        self.keep = random.normal(size=(2, 8)) > 0

    def test_tables_have_the_bound(self):
        self.assertEqual([str(t) for t in self.model.inputs], ["x f32[8,3]", "w f32[3,2]", "keep pred[2,8]"])

    def test_results_are_as_long_as_the_run(self):
        for size in [0, 1, 5, 8]:
            x, keep = self.x[:size], self.keep[:, :size]
            flat, kept, total = self.model(x, self.w, keep)
            y = x @ self.w
            self.assertEqual((flat.shape, kept.shape), ((2 * size,), (2, size)))
            np.testing.assert_allclose(flat, y.reshape(-1), rtol=1e-5)
            np.testing.assert_allclose(kept, np.where(keep, y.T, 0), rtol=1e-5)
            np.testing.assert_allclose(total, np.where(keep, y.T, 0).sum(1), rtol=1e-4, atol=1e-6)

    def test_what_is_refused(self):
        for wrong, text in [
                ((self.x[:5], self.w, self.keep), r"dimension 0 of input x f32\[8,3\] and dimension 1 of input keep "
                                                  r"pred\[2,8\] are size, and are given 5 and 8"),
                ((np.zeros((9, 3), np.float32), self.w, self.keep), r"its dimension 0 is up to 8"),
                ((self.x[:5, :2], self.w, self.keep[:, :5]), r"input x f32\[8,3\] is given shape \(5, 2\)"),
        ]:
            with self.assertRaisesRegex(ValueError, text):
                self.model(*wrong)
        with self.assertRaisesRegex(ValueError, r"input x f32\[8,3\] is given 1e\+60, which f32 does not hold"):
            self.model([[1e60, 1, 1]], self.w, self.keep[:, :1])
        with self.assertRaisesRegex(TypeError, "x is as long as each run says; it is not bound"):
            self.model.bind({"x": self.x})

    def test_the_library_checks_sizes(self):
        memory, interface = self.model._memory, self.model._interface
        outputs = [memory.output(tensor) for tensor in self.model.outputs]
        for size in [-1, 9, 1 << 40]:
            inputs = [memory.input(t, value) for t, value in zip(self.model.inputs, [self.x, self.w, self.keep])]
            status = interface.run(self.model._instance, _pointers(inputs + [Number(size)]), _pointers(outputs), None)
            with self.assertRaisesRegex(sinter.Error, f"size is {size}, and must be 0 to 8"):
                interface.check(status)


if __name__ == "__main__":
    unittest.main()
