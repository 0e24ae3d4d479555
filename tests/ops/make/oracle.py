"""HLO text on XLA:CPU. The calls into JAX's private modules fit jax 0.10.2."""

import concurrent.futures
import multiprocessing
import re

import numpy as np

from case import DTYPES, NAMES


def evaluate(text, inputs):
    """The results of the text's entry, in a worker process."""
    import jax
    from jax._src.interpreters import mlir as jax_mlir
    from jax._src.lib import _jax, xla_client
    from jaxlib import _hlo
    from jaxlib.mlir import ir

    jax.config.update("jax_enable_x64", True)
    proto = _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    with jax_mlir.make_ir_context() as context:
        module = ir.Module.parse(_jax.mlir.hlo_to_stablehlo(proto), context)
    device = jax.devices("cpu")[0]
    options = xla_client.CompileOptions()
    executable = device.client.compile_and_load(module, _jax.DeviceList((device,)), options)
    buffers = [jax.device_put(array, device) for array in inputs]
    results = executable.execute_sharded(buffers)
    return [np.asarray(arrays[0]) for arrays in results.disassemble_into_single_device_arrays()]


# XLA:CPU stops the process at these. A wider type holds their values; results are cut or rounded back. What that is wrong
# for brings its own expected values.
WIDER = {"s2": "s8", "s4": "s8", "u2": "u8", "u4": "u8", "f4e2m1fn": "f32", "f6e2m3fn": "f32", "f6e3m2fn": "f32"}


def evaluate_widened(text, inputs):
    narrow = next((name for name in WIDER if re.search(rf"\b{name}\[", text)), None)
    if narrow is None:
        return evaluate(text, inputs)
    wide = WIDER[narrow]
    inputs = [array.astype(DTYPES[wide]) if NAMES[array.dtype] == narrow else array for array in inputs]
    results = evaluate(re.sub(rf"\b{narrow}\[", f"{wide}[", text), inputs)
    return [array.astype(DTYPES[narrow]) if NAMES[array.dtype] == wide else array for array in results]


def attempt(text, inputs):
    try:
        return evaluate_widened(text, inputs), ""
    except Exception as error:  # whatever XLA says of a text is a result
        return None, str(error).strip().splitlines()[0][:300]


def evaluate_all(cases, workers=2):
    """Fills in the expected values; returns (case, problem) of those that XLA:CPU does not run."""
    remaining = list(cases)
    problems = []
    context = multiprocessing.get_context("spawn")
    while remaining:
        with concurrent.futures.ProcessPoolExecutor(workers, mp_context=context) as pool:
            futures = [(case, pool.submit(attempt, case.text, case.inputs)) for case in remaining]
            remaining = []
            for case, future in futures:
                try:
                    case.expected, problem = future.result()
                    if problem:
                        problems.append((case, problem))
                except concurrent.futures.process.BrokenProcessPool:
                    remaining.append(case)
        # Of those after a crash, the first may be the one that crashed.
        if remaining:
            first = remaining.pop(0)
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
                try:
                    first.expected, problem = pool.submit(attempt, first.text, first.inputs).result()
                except concurrent.futures.process.BrokenProcessPool:
                    problem = "XLA crashed"
            if problem:
                problems.append((first, problem))
    return problems
