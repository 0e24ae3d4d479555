#!/usr/bin/env python3
"""Times a bundle's programs by XLA itself, through JAX: "NAME MICROSECONDS" a line. No model's Python is needed, for XLA
reads the same HLO text. time_unrolled.py times JAX's own unrollings of loops.

    time_xla.py BUNDLE [--short]
"""
import math
import re
import sys
import time

import jax
import jax.numpy as jnp
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import _jax, xla_client
from jaxlib import _hlo
from jaxlib.mlir import ir

import sources

# These are private modules of JAX; they fit 0.10.2.


def compile_hlo(text, device):
    proto = _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    stablehlo = _jax.mlir.hlo_to_stablehlo(proto)
    with jax_mlir.make_ir_context() as context:
        module = ir.Module.parse(stablehlo, context)
        program = device.client.compile_and_load(module, _jax.DeviceList((device,)), xla_client.CompileOptions())
    return program, _hlo.XlaComputation(proto).program_shape().parameter_shapes()


POSITIVE = {"variance", "var", "v", "nu", "std", "sigma", "scale", "rms", "spot", "strike", "volatility", "years"}
CHOICES = {"taken", "action", "actions", "segment"}


def made_up(number, shape, name):
    """As bench/gpu/made_up.h does; on the device: what the host makes takes longer than all else."""
    dtype, dims, key = shape.numpy_dtype(), shape.dimensions(), jax.random.PRNGKey(number)
    words = set(re.split(r"[^A-Za-z0-9]", name))
    if dtype.kind in "iub":
        return jax.random.randint(key, dims, 0, 2 if dtype.kind == "b" or words & CHOICES else 8).astype(dtype)
    if words & POSITIVE:
        return jax.random.uniform(key, dims, jnp.float32, 0.25, 1).astype(dtype)
    rows = min(math.prod(dims[:-1]), 8192)
    width = 1 if len(dims) < 2 or rows <= 3 else math.sqrt(3 / rows)
    return jax.random.uniform(key, dims, jnp.float32, -width, width).astype(dtype)


def parameter_names(text):
    """{number: what op_name calls it}, of the entry."""
    found = re.findall(r"parameter\((\d+)\).*?op_name=\"([^\"]*)\"", text[text.index("ENTRY"):])
    return {int(number): name for number, name in found}


def microseconds(text, repeat):
    """Of one run: of up to `repeat` that the host puts on the device without waiting, and then waits for the last; the best of
    three such rows. What the host takes is in it only where the device is faster."""
    device = jax.devices()[0]
    # Arrays that are given away could not be used again.
    program, shapes = compile_hlo(re.sub(r"input_output_alias=\{ .*? \}, ", "", text), device)
    names = parameter_names(text)
    values = [jax.device_put(made_up(number, shape, names.get(number, "")), device)
              for number, shape in enumerate(shapes)]

    def row(runs):
        began = time.perf_counter()
        for _ in range(runs):
            results = program.execute(values)
        jax.block_until_ready(results)
        return 1e6 * (time.perf_counter() - began) / runs

    row(1)
    repeat = max(1, min(repeat, int(2e5 / row(1))))
    return min(row(repeat) for _ in range(3))


def main():
    options = sources.options(__doc__, "a few programs and runs")
    programs = sources.timed(options.bundle, options)
    programs = programs[:2] if options.short else programs

    def times(name):
        yield f"{name} {microseconds(sources.text(options.bundle, name), 2 if options.short else 20):.2f}"

    return sources.time_each(programs, times)


if __name__ == "__main__":
    sys.exit(main())
