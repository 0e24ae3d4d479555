"""A library of several programs: one by its name, or by the shapes of what it is given."""

import pathlib
import unittest

import numpy as np
import sinter
from built import FAST
from sinter import safetensors

# hidden = x * w, and y = hidden + 1, where w is a weight.
TEXT = """HloModule jit_{name}
ENTRY main {{
  x = f32[{rows},3] parameter(0)
  w = f32[3] constant({{2, 4, 6}}), metadata={{op_name="layer/w"}}
  b = f32[{rows},3] broadcast(w), dimensions={{1}}
  hidden = f32[{rows},3] multiply(x, b)
  one = f32[] constant({added})
  ones = f32[{rows},3] broadcast(one), dimensions={{}}
  ROOT y = f32[{rows},3] add(hidden, ones)
}}
"""
W = np.array([2, 4, 6], np.float32)


def rows_of(rows):
    return np.arange(rows * 3, dtype=np.float32).reshape(rows, 3)


def setUpModule():
    texts = []
    for entry, rows, added in [("n2", 2, 1), ("n8", 8, 1), ("other", 8, 5)]:
        texts.append(pathlib.Path(f"{entry}.hlo"))
        texts[-1].write_text(TEXT.format(name=entry, rows=rows, added=added))
    sinter.compile(texts, "policy", name="policy", weights="file", no_verify=True)
    sinter.build("policy", cmake=FAST)


class Entries(unittest.TestCase):
    def test_by_name(self):
        policy = sinter.load("policy")
        self.assertEqual(list(policy), ["n2", "n8", "other"])
        self.assertEqual(policy["n8"].name, "policy_n8")
        for entry, rows, added in [("n2", 2, 1), ("other", 8, 5), ("n8", 8, 1), ("n2", 2, 1)]:
            np.testing.assert_array_equal(policy[entry](rows_of(rows))[0], rows_of(rows) * W + added)
        with self.assertRaisesRegex(KeyError, "policy has no program n9; it has n2, n8, other"):
            policy["n9"]
        self.assertEqual(repr(policy).splitlines()[:3], ["programs of policy on cpu", "  n2", "    in   x f32[2,3]"])

    def test_by_shape(self):
        policy = sinter.load("policy")
        np.testing.assert_array_equal(policy(x=rows_of(2))[0], rows_of(2) * W + 1)
        with self.assertRaisesRegex(TypeError, "policy: n8 and other take these; name one: policy.'n8'.*"):
            policy(rows_of(8))
        with self.assertRaisesRegex(TypeError, r"no program takes these:\n  n2 takes x f32\[2,3\]\n  n8 takes x f32"):
            policy(rows_of(5))

    def test_by_size(self):
        # Programs that are alike but for their sizes are picked by these.
        texts = []
        for rows in [8, 2]:
            texts.append(pathlib.Path(f"r{rows}.hlo"))
            texts[-1].write_text(TEXT.format(name=f"r{rows}", rows=rows, added=1))
        sinter.compile(texts, "batch", name="batch", weights="file", no_verify=True)
        sinter.build("batch", cmake=FAST)
        batch = sinter.load("batch")
        self.assertEqual([batch.fit(n).name for n in (1, 2, 3, 8)], ["batch_r2", "batch_r2", "batch_r8", "batch_r8"])
        self.assertIsNone(batch.fit(9))
        np.testing.assert_array_equal(batch.fit(2)(rows_of(2))[0], rows_of(2) * W + 1)
        with self.assertRaisesRegex(TypeError, "batch is picked by 1 size, not 2"):
            batch.fit(1, 2)
        with self.assertRaisesRegex(ValueError, "batch: sizes are 0 or more, not -1"):
            batch.fit(-1)
        with self.assertRaisesRegex(TypeError, "policy: its programs differ in more than sizes; name one: n2, n8, other"):
            sinter.load("policy").fit(1)

    def test_one_of_them(self):
        # Its library's instance lives as long as it does.
        n2 = sinter.load("policy", entry="n2")
        np.testing.assert_array_equal(n2(rows_of(2))[0], rows_of(2) * W + 1)
        with self.assertRaisesRegex(sinter.Error, "policy has no program n3; it has n2, n8, other"):
            sinter.load("policy", entry="n3")

    def test_weights_are_those_of_all(self):
        arrays, metadata = safetensors.read("policy/weights.safetensors")
        self.assertEqual(len(arrays), 1)
        safetensors.write("half.safetensors", {name: array / 2 for name, array in arrays.items()}, metadata)
        policy = sinter.load("policy", weights="half.safetensors")
        for entry, rows, added in [("n2", 2, 1), ("other", 8, 5)]:
            np.testing.assert_array_equal(policy[entry](rows_of(rows))[0], rows_of(rows) * W / 2 + added)
        with self.assertRaisesRegex(sinter.Error, "policy: weights: not there cannot be opened") as raised:
            sinter.load("policy", weights="not there")
        self.assertEqual(raised.exception.status, "the weights are missing, damaged, or of another program")

    def test_a_library(self):
        policy = sinter.load("policy/build/cpu/libpolicy.so", weights="policy/weights.safetensors")
        np.testing.assert_array_equal(policy["n2"](rows_of(2))[0], rows_of(2) * W + 1)
        with self.assertRaisesRegex(sinter.Error, "policy: no weights are given"):
            sinter.load("policy/build/cpu/libpolicy.so")

    def test_a_program_alone(self):
        sinter.build("policy/policy_n2", cmake=FAST)
        n2 = sinter.load("policy/policy_n2", weights="policy/weights.safetensors")
        np.testing.assert_array_equal(n2(rows_of(2))[0], rows_of(2) * W + 1)
        with self.assertRaisesRegex(sinter.Error, "policy_n2 is one program, without an entry n2"):
            sinter.load("policy/policy_n2", entry="n2")

    def test_programs_without_weights(self):
        sinter.compile(["n2.hlo", "n8.hlo"], "plain", name="plain", no_verify=True)
        sinter.build("plain", cmake=FAST)
        np.testing.assert_array_equal(sinter.load("plain")(rows_of(8))[0], rows_of(8) * W + 1)
        with self.assertRaisesRegex(sinter.Error, r"plain has no weights; inputs are bound for a program: .*\['n2'\]"):
            sinter.load("plain", weights="policy/weights.safetensors")


if __name__ == "__main__":
    unittest.main()
