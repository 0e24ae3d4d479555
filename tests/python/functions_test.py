"""docs/functions.md's example: the header and the program as they stand there, beside the same in JAX."""

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
TARGETS = ["swish", "swish_slope"]
BIND = [word for target in TARGETS for word in ("--device-function", f"{target}=kernels/swish.cuh:nn::{target}")]


def block(language):
    return re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]


def sinter(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)


def swish(x, beta):
    return x / (1 + jnp.exp(-beta * x))


class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        pathlib.Path("kernels").mkdir()
        pathlib.Path("kernels/swish.cuh").write_text(block("cuda"))
        pathlib.Path("swish.py").write_text(block("python"))
        cls.example = runpy.run_path("swish.py")
        random = np.random.default_rng(1)
        cls.w, cls.x = (random.standard_normal(shape).astype(np.float32) for shape in ((97,), (64, 97)))

    def compare(self, name, function, *arguments):
        """Runs NAME.hlo, built for the CPU, and compares with what JAX makes of `function`."""
        results = jax.tree.leaves(jax.jit(function)(*arguments))
        for path, arrays in (("in", arguments), ("out", results)):
            safetensors.write(f"{path}.safetensors", {str(i): np.array(a) for i, a in enumerate(arrays)}, {})
        run = sinter("run", f"{name}.hlo", *BIND, "--inputs", "in.safetensors", "--expect", "out.safetensors",
                     "--rtol", "1e-4", "--atol", "1e-4")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_value_and_gradient(self):
        self.compare("swish", jax.value_and_grad(lambda w, x: jnp.sum(swish(x * w + 1.0, 1.5))), self.w, self.x)

    def test_the_page_s_command(self):
        command = re.search(r"^    sinter (compile .*)$", PAGE, re.MULTILINE)[1].split()
        compiled = sinter(*command)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        kernels = "".join(path.read_text() for path in pathlib.Path("swish/kernels").glob("*.cu"))
        self.assertIn("::nn::swish_slope(", kernels)

    def test_one_launch(self):
        f = lambda x: self.example["swish"](x * 2, 1.5) + 1
        self.lower("fused", f, self.x)
        fused = sinter("explain", "fused.hlo", "--device-function", "swish=kernels/swish.cuh:nn::swish")
        self.assertRegex(fused.stdout, r"launches per run +1\n", fused.stderr)
        self.compare("fused", lambda x: swish(x * 2, 1.5) + 1, self.x)

    def test_vmap(self):
        f = jax.vmap(lambda x: self.example["swish"](x, 0.5))
        self.lower("lanes", f, self.x)
        self.compare("lanes", lambda x: swish(x, 0.5), self.x)

    def lower(self, name, function, *arguments):
        lowered = jax.jit(function).lower(*arguments)
        text = lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True)
        pathlib.Path(f"{name}.hlo").write_text(text)


if __name__ == "__main__":
    unittest.main()
