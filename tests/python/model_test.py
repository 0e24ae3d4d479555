"""A built model on numpy arrays: its tables, checks of inputs, weights, libraries that change."""

import os
import pathlib
import shutil
import subprocess
import sys
import threading
import unittest

import numpy as np
import sinter
from built import FAST, TEXT, arrays, build_scores, expected
from sinter import safetensors
from sinter.jax import INPUTS
from sinter.interface import _upper_camel


def setUpModule():
    build_scores()


def bits(array):
    return array.view(np.uint16) if array.dtype.itemsize == 2 else array


class Run(unittest.TestCase):
    def setUp(self):
        self.model = sinter.load("scores")

    def assert_expected(self, results, tolerance=1e-6):
        for result, right in zip(results, expected(), strict=True):
            np.testing.assert_allclose(bits(result), right, rtol=tolerance)

    def test_tables(self):
        self.assertEqual([str(t) for t in self.model.inputs],
                         ["params_w f32[3,4]", "params_bias bf16[4]", "x f32[2,3]", "keep pred[2,4]", "level s4[5]"])
        self.assertEqual([(t.dtype, t.shape) for t in self.model.outputs],
                         [("f32", (2, 4)), ("bf16", (4,)), ("s4", (5,))])
        self.assertEqual(repr(self.model).splitlines()[:2], ["model scores on cpu", "  in   params_w f32[3,4]"])

    def test_by_position_and_by_name(self):
        w, bias, x, keep, level = arrays()
        self.assert_expected(self.model(w, bias, x, keep, level))
        results = self.model(w, bias, level=level, keep=keep, x=x)
        self.assert_expected(results)
        self.assertEqual(results._fields, tuple(t.name for t in self.model.outputs))

    def test_views_and_lists_are_taken(self):
        w, bias, x, keep, level = arrays()
        turned = np.asfortranarray(w)
        shifted = np.frombuffer(b"\0" * 4 + x.tobytes(), np.float32)[1:].reshape(x.shape)
        self.assert_expected(self.model(turned, bias, shifted, keep, level.tolist()))

    def test_what_is_refused(self):
        w, bias, x, keep, level = arrays()
        for wrong, kind, text in [
                ((w, bias, x.astype(np.float16), keep, level), TypeError,
                 r"input x f32\[2,3\] is given float16; convert it: x.astype\('float32'\)"),
                ((w, bias, x[:1], keep, level), ValueError, r"input x f32\[2,3\] is given shape \(1, 3\)"),
                ((w, bias, x, keep, [0.5] * 5), TypeError, r"input level s4\[5\] is given floats, and takes integers"),
                ((w, bias, x, keep), TypeError, r"level missing; it takes params_w f32\[3,4\], "),
                ((w, bias, x, keep, level, 1), TypeError, "scores takes 5 arrays, not 6")]:
            with self.assertRaisesRegex(kind, text):
                self.model(*wrong)
        with self.assertRaisesRegex(TypeError, "scores has no input y to give; it takes params_w"):
            self.model(*arrays(), y=x)
        with self.assertRaisesRegex(TypeError, "params_w is given twice"):
            self.model(*arrays(), params_w=w)

    def test_a_null_pointer_is_the_librarys_error(self):
        interface = self.model._interface
        with self.assertRaisesRegex(sinter.Error, "^scores: null argument of run$") as raised:
            interface.check(interface.run(self.model._instance, None, None, None))
        self.assertEqual(raised.exception.status, "an argument is null, misaligned, or overlaps another")

    def test_bound_inputs_are_kept_as_they_were(self):
        w, bias, x, keep, level = arrays()
        given = w.copy()
        self.model.bind({"params_w": given, "params_bias": bias})
        given[:] = 0
        self.assert_expected(self.model(x, keep, level))
        with self.assertRaisesRegex(TypeError, "no input params_w to give; it takes x f32"):
            self.model(x, keep, level, params_w=w)
        with self.assertRaisesRegex(TypeError, r"scores has no input v; it has params_w f32\[3,4\], "):
            self.model.bind({"v": w})

    def test_threads_take_turns(self):
        results = []
        threads = [threading.Thread(target=lambda: results.append(self.model(*arrays()))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 8)
        for result in results:
            self.assert_expected(result)


class Weights(unittest.TestCase):
    def setUp(self):
        self.w, self.bias, *self.rest = arrays()

    def test_by_name(self):
        safetensors.write("named.safetensors", {"params.w": self.w}, {})
        model = sinter.load("scores", weights="named.safetensors")
        np.testing.assert_allclose(model(self.bias, *self.rest)[0], expected()[0], rtol=1e-6)
        self.assertIn("in   params_w f32[3,4]  (bound)", repr(model))

    def test_by_number(self):
        safetensors.write("numbered.safetensors", {"any": self.w}, {INPUTS: '{"any": 0}'})
        np.testing.assert_allclose(
            sinter.load("scores", weights="numbered.safetensors")(self.bias, *self.rest)[0], expected()[0], rtol=1e-6)

    def test_of_another_program(self):
        safetensors.write("other.safetensors", {"v": self.w}, {})
        with self.assertRaisesRegex(sinter.Error, "other.safetensors: scores has no input v"):
            sinter.load("scores", weights="other.safetensors")
        safetensors.write("other.safetensors", {"v": self.w}, {INPUTS: '{"v": 9}'})
        with self.assertRaisesRegex(sinter.Error, "other.safetensors has weights of another program than scores"):
            sinter.load("scores", weights="other.safetensors")
        safetensors.write("other.safetensors", {"params.w": self.w[:2]}, {})
        with self.assertRaisesRegex(sinter.Error, r"other.safetensors: input params_w .* is given shape \(2, 4\)"):
            sinter.load("scores", weights="other.safetensors")
        safetensors.write("other.safetensors", {"params.w": self.w, "params_w": self.w}, {})
        with self.assertRaisesRegex(sinter.Error, "other.safetensors: params.w and params_w would both be params_w: "):
            sinter.load("scores", weights="other.safetensors")

    def test_of_the_library(self):
        text = pathlib.Path(__file__).resolve().parents[1] / "ship" / "layers.hlo"
        sinter.compile(text, "layers", name="layers", weights="file")
        sinter.build("layers", device="cpu", cmake=FAST)
        x = np.arange(40, dtype=np.float32).reshape(5, 8) / 10
        result = sinter.load("layers")(x)[0]  # by the folder's weights.safetensors
        arrays, metadata = safetensors.read("layers/weights.safetensors")
        for name in ("last.dot_general", "last.add"):
            arrays[name] = arrays[name] * 2
        safetensors.write("doubled.safetensors", arrays, metadata)
        np.testing.assert_array_equal(sinter.load("layers", weights="doubled.safetensors")(x)[0], 2 * result)
        with self.assertRaisesRegex(sinter.Error, "layers: weights: not there cannot be opened"):
            sinter.load("layers", weights="not there")
        # A model that outlives ctypes when Python ends leaves without a word.
        ended = subprocess.run([sys.executable, "-c", "import ctypes, sinter\nctypes.kept = sinter.load('layers')"],
                               capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_files(self):
        kinds = ["bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex64"]
        given = {kind: np.arange(6).reshape(2, 3).astype(kind) for kind in kinds} | {"scalar": np.array(2.5)}
        safetensors.write("all.safetensors", given, {"a": "b"})
        arrays_read, metadata = safetensors.read("all.safetensors")
        self.assertEqual(metadata, {"a": "b"})
        self.assertEqual(list(arrays_read), list(given))
        for kind, array in given.items():
            np.testing.assert_array_equal(arrays_read[kind], array)
            self.assertEqual(arrays_read[kind].dtype, array.dtype)
        data = pathlib.Path("all.safetensors").read_bytes()
        for length in (0, 5, 40, len(data) - 1):
            pathlib.Path("short.safetensors").write_bytes(data[:length])
            with self.assertRaisesRegex(sinter.Error, "short.safetensors is no safetensors file, or is cut short$"):
                safetensors.read("short.safetensors")
        with self.assertRaisesRegex(TypeError, "text: a safetensors file holds no <U1"):
            safetensors.write("text.safetensors", {"text": np.array(["a"])}, {})


class Load(unittest.TestCase):
    def test_what_is_not_there(self):
        sinter.compile(TEXT, "unbuilt", no_verify=True)
        for path, device, text in [("nowhere", None, "nowhere does not exist"),
                                   (".", None, "is no folder that sinter.compile wrote"),
                                   ("unbuilt", None, "unbuilt is not built: call sinter.build"),
                                   ("scores", "cuda", r"not built for cuda: call sinter.build\('scores', device=")]:
            with self.assertRaisesRegex(sinter.Error, text):
                sinter.load(path, device=device)
        with self.assertRaisesRegex(ValueError, "device is 'cpu' or 'cuda', not 'tpu'"):
            sinter.build("scores", device="tpu")

    def test_libraries(self):
        library = shutil.copy("scores/build/cpu/libscores.so", "libother.so")
        self.assertEqual(sinter.load(library, name="scores").name, "scores")
        with self.assertRaisesRegex(sinter.Error, "libother.so is no library of other: it has no other_create"):
            sinter.load(library)
        pathlib.Path("libtext.so").write_text("text")
        with self.assertRaisesRegex(sinter.Error, "libtext.so cannot be loaded: "):
            sinter.load("libtext.so")
        with self.assertRaisesRegex(sinter.Error, "scores.hlo is HLO text: load what sinter.compile and sinter.build"):
            sinter.load(TEXT)

    def test_a_changed_library_is_loaded_again(self):
        text = TEXT.read_text()
        changed = text.replace("zero = f32[] constant(0)", "zero = f32[] constant(5)")
        self.assertNotEqual(text, changed)
        pathlib.Path("changed.hlo").write_text(changed)
        keep = arrays()[3]
        for library, value in [("scores/build/cpu/libscores.so", 0), (build_scores("changed", "changed.hlo"), 5)]:
            os.replace(shutil.copy(library, "new.so"), "libscores.so")
            self.assertEqual(sinter.load("libscores.so")(*arrays())[0][~keep].tolist(), [value] * 3)

    def test_a_stale_build_is_warned_of(self):
        shutil.copytree("scores", "stale")
        later = pathlib.Path("stale/build/cpu/libscores.so").stat().st_mtime + 10
        os.utime("stale/kernels.h", (later, later))
        with self.assertWarnsRegex(UserWarning, "stale has changed since .*libscores.so was built: call sinter.build"):
            sinter.load("stale")

    def test_a_copied_folder_is_built(self):
        shutil.copytree("scores", "copied")
        sinter.build("copied", cmake=FAST)
        cache = pathlib.Path("copied/build/cpu/CMakeCache.txt").read_text()
        self.assertIn(f"CMAKE_HOME_DIRECTORY:INTERNAL={pathlib.Path('copied').resolve()}\n", cache)
        self.assertEqual(sinter.load("copied")(*arrays())[0].shape, (2, 4))

    def test_a_failed_build_says_why(self):
        sinter.compile(TEXT, "broken", no_verify=True)
        with open("broken/kernels.h", "a") as file:
            file.write("#error broken by hand\n")
        with self.assertRaisesRegex(sinter.Error, "(?s)^building broken for cpu:.*broken by hand"):
            sinter.build("broken", cmake=FAST)

    def test_names_of_tables(self):
        # As tests/emitter has them of upper_camel.
        for name, camel in [("scores", "Scores"), ("gpt2_block", "Gpt2Block"), ("x_1_2", "X1_2"), ("a_b", "AB")]:
            self.assertEqual(_upper_camel(name), camel)


if __name__ == "__main__":
    unittest.main()
