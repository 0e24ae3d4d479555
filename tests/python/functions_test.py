"""docs/functions.md's examples: headers and programs as they stand there, beside the same in JAX."""

import os
import pathlib
import re
import runpy
import subprocess
import unittest

import jax
import jax.numpy as jnp
import numpy as np
from sinter import safetensors

PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "functions.md").read_text()
PROGRAM = os.environ["SINTER_PROGRAM"]
BINDINGS = """# Those of both examples.
device swish = kernels/swish.cuh:nn::swish
device swish_slope = kernels/swish.cuh:nn::swish_slope  # its derivative

host rms_norm = kernels/rms_norm.cuh:nn::rms_norm
host rms_norm_gradient = kernels/rms_norm.cuh:nn::rms_norm_gradient
"""


def options(option, header, *targets):
    return [word for target in targets for word in (option, f"{target}=kernels/{header}:nn::{target}")]


SWISH = options("--device-function", "swish.cuh", "swish", "swish_slope")
BOTH = options("--device-function", "swish_and_slope.cuh", "swish_and_slope")
SOFTMAX = [word for name in ("softmax", "softmax_gradient")
           for word in ("--device-function", f"{name}=kernels/softmax.cuh:nn::{name}_row")]
RMS_NORM = options("--host-function", "rms_norm.cuh", "rms_norm", "rms_norm_gradient")


def block(language, number):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[number]


def sinter(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)


def swish(x, beta):
    return x / (1 + jnp.exp(-beta * x))


def rms_norm(x, epsilon):
    return x / jnp.sqrt(jnp.mean(x * x, axis=-1, keepdims=True) + epsilon)


def lower(name, function, *arguments):
    lowered = jax.jit(function).lower(*arguments)
    text = lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True)
    pathlib.Path(f"{name}.hlo").write_text(text)


class Example(unittest.TestCase):
    def prepare(self, number, name):
        """Header and program of the page, and random arguments."""
        pathlib.Path("kernels").mkdir(exist_ok=True)
        pathlib.Path(f"kernels/{name}.cuh").write_text(block("cuda", number))
        pathlib.Path(f"{name}.py").write_text(block("python", number))
        self.example = runpy.run_path(f"{name}.py")
        random = np.random.default_rng(1)
        self.w, self.x = (random.standard_normal(shape).astype(np.float32) for shape in ((97,), (64, 97)))

    def compare(self, name, bind, function, *arguments):
        """Runs NAME.hlo, built for the CPU, and compares with what JAX makes of `function`."""
        results = jax.tree.leaves(jax.jit(function)(*arguments))
        for path, arrays in (("in", arguments), ("out", results)):
            safetensors.write(f"{path}.safetensors", {str(i): np.array(a) for i, a in enumerate(arrays)}, {})
        run = sinter("run", f"{name}.hlo", *bind, "--inputs", "in.safetensors", "--expect", "out.safetensors",
                     "--rtol", "1e-4", "--atol", "1e-4")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


class OfElements(Example):
    def setUp(self):
        self.prepare(0, "swish")

    def test_value_and_gradient(self):
        self.compare("swish", SWISH, jax.value_and_grad(lambda w, x: jnp.sum(swish(x * w + 1.0, 1.5))), self.w, self.x)

    def test_the_page_s_command(self):
        command = re.search(r"^    sinter (compile .*)$", PAGE, re.MULTILINE)[1].split()
        compiled = sinter(*command)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        kernels = "".join(path.read_text() for path in pathlib.Path("swish/kernels").glob("*.cu"))
        self.assertIn("::nn::swish_slope(", kernels)

    def test_one_launch(self):
        f = lambda x: self.example["swish"](x * 2, 1.5) + 1
        lower("fused", f, self.x)
        fused = sinter("explain", "fused.hlo", "--device-function", "swish=kernels/swish.cuh:nn::swish")
        self.assertRegex(fused.stdout, r"launches per run +1\n", fused.stderr)
        self.compare("fused", SWISH, lambda x: swish(x * 2, 1.5) + 1, self.x)

    def test_vmap(self):
        f = jax.vmap(lambda x: self.example["swish"](x, 0.5))
        lower("lanes", f, self.x)
        self.compare("lanes", SWISH, lambda x: swish(x, 0.5), self.x)


class OfSeveralResults(Example):
    def setUp(self):
        self.prepare(1, "swish_and_slope")

    def test_value_and_gradient(self):
        loss = lambda w, x: jnp.sum(swish(x * w + 1.0, 1.5))
        self.compare("swish_and_slope", BOTH, jax.value_and_grad(loss), self.w, self.x)

    def test_one_call(self):
        f = lambda x: self.example["value_and_slope"](x * 2, 1.5)
        lower("once", f, self.x)
        compiled = sinter("compile", "once.hlo", *BOTH, "-o", "once", "--verify", "--print", "kernels/")
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        self.assertEqual(compiled.stdout.count("::nn::swish_and_slope("), 1, compiled.stdout)
        slope = jax.vmap(jax.vmap(jax.grad(lambda y: swish(y, 1.5))))
        self.compare("once", BOTH, lambda x: (swish(x * 2, 1.5), slope(x * 2)), self.x)

    def test_vmap(self):
        f = jax.vmap(lambda x: self.example["value_and_slope"](x, 0.5)[0])
        lower("lanes", f, self.x)
        self.compare("lanes", BOTH, lambda x: swish(x, 0.5), self.x)


class OfRows(Example):
    def setUp(self):
        self.prepare(2, "softmax")

    def test_value_and_gradient(self):
        loss = lambda w, x: jnp.sum(jnp.sin(jax.nn.softmax(x * w / 0.5)))
        self.compare("softmax", SOFTMAX, jax.value_and_grad(loss), self.w, self.x)

    def test_one_launch(self):
        f = lambda x: self.example["softmax"](x * 2, 0.5) + 1
        lower("rows", f, self.x)
        fused = sinter("explain", "rows.hlo", *SOFTMAX[:2])
        self.assertRegex(fused.stdout, r"launches per run +1\n", fused.stderr)
        self.compare("rows", SOFTMAX, lambda x: jax.nn.softmax(x * 4) + 1, self.x)

    def test_the_page_s_command(self):
        command = re.search(r"^    sinter (compile softmax.*)$", PAGE, re.MULTILINE)[1].split()
        compiled = sinter(*command, "--verify")
        self.assertEqual(compiled.returncode, 0, compiled.stderr)

    def test_vmap(self):
        f = jax.vmap(lambda x: self.example["softmax"](x, 0.5))
        lower("lanes", f, self.x)
        self.compare("lanes", SOFTMAX, lambda x: jax.nn.softmax(x * 2), self.x)

    def test_in_a_loop(self):
        steps = lambda f: lambda x: jax.lax.fori_loop(0, 3, lambda _, y: f(y * self.w, 0.5) + 1, x)
        lower("loop", steps(self.example["softmax"]), self.x)
        self.compare("loop", SOFTMAX, steps(lambda x, t: jax.nn.softmax(x / t)), self.x)


class OfArrays(Example):
    def setUp(self):
        self.prepare(3, "rms_norm")

    def test_value_and_gradient(self):
        loss = lambda w, x: jnp.sum(jnp.tanh(rms_norm(x * w, 1e-5)))
        self.compare("rms_norm", RMS_NORM, jax.value_and_grad(loss), self.w, self.x)

    def test_launcher_calls(self):
        compiled = sinter("compile", "rms_norm.hlo", *RMS_NORM, "-o", "rms_norm", "--verify")
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        launcher = pathlib.Path("rms_norm/loss.cu").read_text()
        self.assertRegex(launcher, r"::nn::rms_norm\(stream,")
        self.assertRegex(launcher, r"::nn::rms_norm_gradient\(stream,")

    def test_vmap(self):
        f = jax.vmap(lambda x: self.example["rms_norm"](x, 0.5))
        lower("lanes", f, self.x)
        self.compare("lanes", RMS_NORM, lambda x: rms_norm(x, 0.5), self.x)

    def test_in_a_loop(self):
        steps = lambda f: lambda x: jax.lax.fori_loop(0, 3, lambda _, y: f(y * self.w, 0.5) + 1, x)
        lower("loop", steps(self.example["rms_norm"]), self.x)
        self.compare("loop", RMS_NORM, steps(rms_norm), self.x)

    def test_both_of_a_file(self):
        self.prepare(0, "swish")
        swish_call = self.example["swish"]
        self.prepare(3, "rms_norm")
        pathlib.Path("functions.txt").write_text(BINDINGS)
        lower("both", lambda x: swish_call(self.example["rms_norm"](x, 0.5), 1.5), self.x)
        self.compare("both", ["--functions", "functions.txt"], lambda x: swish(rms_norm(x, 0.5), 1.5), self.x)


if __name__ == "__main__":
    unittest.main()
