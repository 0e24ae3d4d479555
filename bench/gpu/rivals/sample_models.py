#!/usr/bin/env python3
"""The samples' models (samples/models) at benchmark size, through JAX: as HLO text, for `prepare`.

    sample_models.py FOLDER
"""
import importlib
import os
import sys
import types

import jax
import ml_dtypes
import numpy as np

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))


def registry(programs):
    """What the models import: who is there, and numbers for their arrays. Which numbers does not matter to times."""
    module = types.ModuleType("registry")

    def program(name, kind, donate=(), **_):
        return lambda build: programs.setdefault(name, (build, kind, donate))

    def array(values, dtype):
        return np.asarray(values, dtype or np.float32)

    module.BFLOAT16 = ml_dtypes.bfloat16
    module.program = program
    module.pick = lambda size, small, large: small if size == "small" else large
    module.seeded = lambda name: np.random.default_rng(len(name))
    module.key = jax.random.PRNGKey
    module.normal = lambda rng, *dims, scale=1.0, dtype=None: array(scale * rng.standard_normal(dims, np.float32), dtype)
    module.uniform = lambda rng, *dims, low=0.0, high=1.0, dtype=None: array(
        low + (high - low) * rng.random(dims, np.float32), dtype)
    module.integers = lambda rng, *dims, low=0, high: rng.integers(low, high, dims, np.int32)
    return module


def models():
    """{name: (build, kind, donate)}: build("large") gives a function and its arguments."""
    programs = {}
    sys.modules["registry"] = registry(programs)
    folder = os.path.join(ROOT, "samples", "models")
    sys.path.insert(0, folder)
    for file in sorted(os.listdir(folder)):
        if file.endswith(".py"):
            importlib.import_module(file.removesuffix(".py"))
    return programs


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name, (build, _, donate) in models().items():
        function, arguments = build("large")
        lowered = jax.jit(function, donate_argnums=donate, keep_unused=True).lower(*arguments)
        with open(os.path.join(folder, name + ".hlo"), "w") as file:
            file.write(lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True))
        print(name, flush=True)


if __name__ == "__main__":
    main()
