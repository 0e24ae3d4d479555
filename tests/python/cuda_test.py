"""Arrays on a GPU, which stand-ins play: fake_cuda.cpp the driver, the CPU build the model, and two classes the arrays
of other libraries."""

import ctypes
import os
import pathlib
import subprocess
import unittest

import numpy as np
import sinter
from built import TWICE, arrays, build_scores, expected

HERE = pathlib.Path(__file__).parent


def setUpModule():
    library = ["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", "libcuda.so.1"]
    subprocess.run([os.environ.get("CXX", "c++"), *library, HERE / "fake_cuda.cpp"], check=True)
    build_scores()


class Foreign:
    """An array with `__cuda_array_interface__`, in memory of its own."""

    def __init__(self, array, **changes):
        self.array = np.ascontiguousarray(array)
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "version": 3,
                                         "data": (self.array.ctypes.data, False), **changes}


class Capsuled:
    """An array with DLPack, which says that it is on a GPU."""

    def __init__(self, array):
        self.array = array
        self.streams = []

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__()


class Cuda(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # By its path first: what has loaded it finds it by its name.
        cls.fake = ctypes.CDLL(os.path.abspath("libcuda.so.1"))

    def setUp(self):
        self.live = self.number("fake_live")
        self.model = sinter.load("scores/build/cpu/libscores.so", device="cuda")

    def number(self, name):
        return ctypes.c_int.in_dll(self.fake, name).value

    def test_numpy_in_and_out(self):
        waits = self.number("fake_waits")
        score, twice, above = self.model(*arrays())
        for result, right in zip((score, twice.view(np.uint16), above), expected()):
            self.assertIsInstance(result, np.ndarray)
            np.testing.assert_allclose(result, right, rtol=1e-6)
        self.assertEqual(self.number("fake_waits"), waits + 1)
        self.assertEqual(self.number("fake_live"), self.live)

    def test_arrays_that_lie_there_are_read_there(self):
        for wrap in (Foreign, Capsuled):
            w, bias, x, keep, level = arrays()
            there = wrap(w)
            score, twice, above = self.model(there, bias, x, keep, level)
            self.assertIsInstance(score, sinter.cuda.DeviceArray)
            np.testing.assert_allclose(score.numpy(), expected()[0], rtol=1e-6)
            np.testing.assert_array_equal(np.asarray(twice).view(np.uint16), TWICE)
            again = self.model(there, bias, x, keep, above)  # of another run
            np.testing.assert_array_equal(again[2].numpy(), [-8, -4, 0, 4, -8])  # s4 ends at 7
            there.array[:] = 0
            np.testing.assert_array_equal(self.model(there, bias, x, keep, level)[0].numpy(), np.zeros((2, 4)))
            if wrap is Capsuled:
                self.assertEqual(set(there.streams), {1})

    def test_results_go_on_as_arrays(self):
        w, bias, x, keep, level = arrays()
        score, twice, _ = self.model(w, Foreign(bias), x, keep, level)
        np.testing.assert_array_equal(twice.numpy().view(np.uint16), TWICE)
        interface = score.__cuda_array_interface__
        self.assertEqual((interface["shape"], interface["typestr"], interface["version"]), ((2, 4), "<f4", 3))
        self.assertEqual(interface["data"], (score.pointer, False))
        self.assertNotEqual(score.pointer, 0)
        live = self.number("fake_live")
        del score, _
        self.assertEqual(self.number("fake_live"), live - 2)

    def test_what_is_refused(self):
        w, *rest = arrays()
        for wrong, kind, text in [
                (Foreign(w.astype(np.float64)), TypeError, r"input params_w f32\[3,4\] is given float64 on the GPU"),
                (Capsuled(w.astype(np.int32)), TypeError, r"input params_w f32\[3,4\] is given int32 on the GPU"),
                (Foreign(w[:2]), ValueError, r"is given shape \(2, 4\) on the GPU"),
                (Foreign(w, strides=(4, 12)), ValueError, "is not dense and row-major: copy it first"),
                (Capsuled(np.asfortranarray(w)), ValueError, "is not dense and row-major: copy it first")]:
            with self.assertRaisesRegex(kind, text):
                self.model(wrong, *rest)

    def test_a_producers_stream_is_waited_for(self):
        w, *rest = arrays()
        last = []
        wait = self.model._memory._driver.wait
        self.model._memory._driver.wait = lambda stream=None: (last.append(stream), wait(stream))
        self.model(Foreign(w, stream=7), *rest)
        self.assertEqual(last, [7, None])

    def test_bound_inputs_stay(self):
        w, bias, x, keep, level = arrays()
        self.model.bind({"params_w": w, "params_bias": bias})
        self.assertEqual(self.number("fake_live"), self.live + 2)
        for _ in range(2):
            np.testing.assert_allclose(self.model(x, keep, level)[0], expected()[0], rtol=1e-6)
        self.assertEqual(self.number("fake_live"), self.live + 2)
        self.model = None
        self.assertEqual(self.number("fake_live"), self.live)

    def test_errors_of_the_driver(self):
        with self.assertRaisesRegex(sinter.Error, "^cuMemAlloc_v2: out of memory$"):
            self.model._memory._driver.allocate(1 << 50)


if __name__ == "__main__":
    unittest.main()
