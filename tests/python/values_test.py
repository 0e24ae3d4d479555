"""What is given for inputs: numbers of Python, arrays of other types, and objects that are no arrays."""

import pickle
import unittest
import unittest.mock

import numpy as np
from sinter import dtypes
from sinter.interface import Tensor
from sinter.model import _OfThisProcess, _outputs_type
from sinter.values import elements, readable

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None


def taken(hlo, value, shape=(2,)):
    tensor = Tensor("x", hlo, shape)
    return elements(tensor, readable(tensor, value))


class Case(unittest.TestCase):
    def assert_taken(self, hlo, value, right):
        array = taken(hlo, value)
        self.assertEqual(array.dtype, dtypes.numpy_dtype(hlo))
        np.testing.assert_array_equal(array, np.array(right, array.dtype))

    def assert_refused(self, hlo, value, kind, text):
        with self.assertRaisesRegex(kind, rf"^input x {hlo}\[2\]{text}") as raised:
            taken(hlo, value)
        if not isinstance(value, (np.ndarray, Capsuled)):
            self.assertNotIn("astype", str(raised.exception))


class NumbersOfPython(Case):
    def test_those_that_fit_are_taken(self):
        for hlo, value in [("u32", [0, 2]), ("u32", [0, 2**32 - 1]), ("u64", [2**64 - 1, 0]),
                           ("u64", [[2**63], [np.int64(1)]]), ("s8", [-128, 127]),
                           ("s64", [-2**63, 2**63 - 1]), ("u4", [0, 15]), ("s4", [-8, 7]), ("s32", [True, False]),
                           ("u64", [True, False]), ("pred", [True, False]), ("f32", [1, 2.5]), ("f32", [2**70, 1]),
                           ("f32", [float("inf"), float("nan")]), ("c64", [1 + 2j, 1]), ("c64", [1, 2]),
                           ("f16", [1.5, 65504]), ("f32", [2**70, 0.5]), ("s32", [])]:
            self.assert_taken(hlo, value, [float(v) for v in value] if 2**70 in value else value)
        self.assertEqual(taken("s32", 7, ()).shape, ())
        self.assert_taken("f32", [np.float64(0.5), np.float32(1)], [0.5, 1])

    def test_others_are_named(self):
        for hlo, value, text in [
                ("s32", 2**40, r" is given 1099511627776, and s32 holds -2147483648 to 2147483647$"),
                ("s32", 2**70, " is given 1180591620717411303424, and s32 holds"),
                ("s32", [1, 2**70], " is given 1180591620717411303424, and s32 holds"),
                ("s8", [300, 1], " is given 300, and s8 holds -128 to 127$"),
                ("s4", [0, 8], " is given 8, and s4 holds -8 to 7$"),
                ("u32", [-1, 2], " is given -1, and u32 holds 0 to 4294967295$"),
                ("f32", [1e60, 1], r" is given 1e\+60, which f32 does not hold$"),
                ("f16", [1, 70000], " is given 70000, which f16 does not hold$"),
                ("c64", [1e60j, 1], r" is given 1e\+60j, which c64 does not hold$"),
                ("f32", [10**400, 0.5], r" is given \[1000.*\], which f32 does not hold$"),
                ("f64", [10**400, 1], r" is given \[1000.*\], which f64 does not hold$")]:
            self.assert_refused(hlo, value, ValueError, text)

    def test_kinds_are_kept(self):
        for hlo, value, text in [
                ("s32", [0.5, 1], r" is given floats, and takes integers: \[0.5, 1\]$"),
                ("f32", [1 + 2j, 1], " is given complex numbers, and takes floats: "),
                ("pred", [0, 2], " is given integers, and takes booleans: "),
                ("s32", None, " is given None; it takes an array of int32, or numbers of Python and lists of them$"),
                ("f32", "hello", " is given 'hello'; it takes an array of float32"),
                ("f32", ["1", "2"], r" is given \['1', '2'\]; it takes"),
                ("f32", [None, 1], r" is given \[None, 1\]; it takes"),
                ("f32", np.array([None, 1]), " is given an array of object; it takes an array of float32")]:
            self.assert_refused(hlo, value, TypeError, text)
        with self.assertRaisesRegex(ValueError, r"^input x f32\[2\]: .*inhomogeneous"):
            taken("f32", [[1, 2], [3]])

    @unittest.skipUnless(ml_dtypes, "of ml_dtypes")
    def test_floats_that_numpy_lacks(self):
        self.assert_taken("bf16", [1, 2.5], [1, 2.5])
        self.assert_taken("f8e4m3fn", [1, 448], [1, 448])
        self.assert_taken("f32", [ml_dtypes.bfloat16(1), ml_dtypes.bfloat16(2)], [1, 2])
        self.assert_refused("bf16", [1e60, 1], ValueError, r" is given 1e\+60, which bf16 does not hold$")
        self.assert_refused("f8e4m3fn", [1000, 1], ValueError, " is given 1000, which f8e4m3fn does not hold$")
        self.assert_taken("f4e2m1fn", [6, -6], [6, -6])
        for value in (7, float("nan")):
            self.assert_refused("f4e2m1fn", [value, 1], ValueError, f" is given {value}.*, which f4e2m1fn does not")
        self.assert_refused("bf16", [1 + 2j, 1], TypeError, " is given complex numbers, and takes floats: ")

    def test_bits_are_not_numbers(self):
        with unittest.mock.patch.object(dtypes, "ml_dtypes", None):
            self.assert_refused("bf16", [1, 2], TypeError, ": numbers become bf16 by ml_dtypes, which is not installed")


class Arrays(Case):
    def test_64_bits_become_32_as_in_jax(self):
        for hlo, array in [("s32", np.array([1, -2])), ("u32", np.array([1, 2], np.uint64)),
                           ("f32", np.array([0.5, np.inf])), ("c64", np.array([1j, 2]))]:
            self.assert_taken(hlo, array, array)
        self.assertEqual(taken("s32", np.int64(2), ()), 2)
        self.assert_refused("s32", np.array([1, 2**40]), ValueError, " is given 1099511627776, and s32 holds")
        self.assert_refused("f32", np.array([1, 1e60]), ValueError, r" is given 1e\+60, which f32 does not hold")

    def test_others_are_refused(self):
        for hlo, dtype in [("s32", "uint64"), ("s32", "int8"), ("f32", "int64"), ("f16", "float32"), ("s16", "int64"),
                           ("f32", "complex128")]:
            self.assert_refused(hlo, np.ones(2, dtype), TypeError, f" is given {dtype}; convert it: x.astype")

    def test_masks_are_not_ignored(self):
        self.assert_refused("f32", np.ma.masked_array(np.ones(2, np.float32), mask=[0, 1]), TypeError,
                            " is given a masked array, whose mask would be ignored: give its filled")


class Capsuled:
    """An array with DLPack alone."""

    def __init__(self, array, device=1):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return (self.device, 0)


class Protocols(Case):
    def test_dlpack(self):
        self.assert_taken("f32", Capsuled(np.array([1, 2], np.float32)), [1, 2])
        self.assert_refused("f32", Capsuled(np.array([1, 2], np.int32)), TypeError, " is given int32; convert it")
        self.assert_refused("f32", Capsuled(np.ones(2, np.float32), device=2), TypeError,
                            " is given an object of Capsuled; it takes an array of float32")

    def test_array(self):
        class Array:
            def __array__(self, dtype=None, copy=None):
                return np.array([1, 2], np.float32)

        self.assert_taken("f32", Array(), [1, 2])


class Pickles(unittest.TestCase):
    def test_results(self):
        results = _outputs_type(("action", "class"))(np.ones(2), 3)
        again = pickle.loads(pickle.dumps(results))
        self.assertIs(type(again), type(results))
        self.assertEqual((again._fields, again[1]), (("action", "_1"), 3))
        np.testing.assert_array_equal(again.action, results.action)

    def test_a_model_is_of_its_process(self):
        model = _OfThisProcess()
        model.name = "policy"
        with self.assertRaisesRegex(TypeError, "policy is loaded in this process .*: load it in each process"):
            pickle.dumps(model)


if __name__ == "__main__":
    unittest.main()
