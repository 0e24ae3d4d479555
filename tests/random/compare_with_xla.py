"""Compares modules that random_modules --oracle wrote with XLA:CPU. Needs jax 0.10, whose private calls it makes.

    random_modules --oracle 300 --save DIR && python compare_with_xla.py DIR

Every result must have the bits of the evaluator's, but for NaNs, which are all one, and zeros of the other sign, which
are counted apart: XLA's reductions and simplifications do not keep the sign of zeros.
"""

import collections
import concurrent.futures
import json
import multiprocessing
import pathlib
import sys

import jax
import ml_dtypes
import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import _jax, xla_client
from jaxlib import _hlo
from jaxlib.mlir import ir


def leaves(shape):
    return [leaf for part in shape.tuple_shapes() for leaf in leaves(part)] if shape.is_tuple() else [shape]


def dtype_of(leaf):
    try:
        return np.dtype(leaf.numpy_dtype())
    except AttributeError as missing:  # numpy has no small floats
        return np.dtype(getattr(ml_dtypes, missing.name))


def as_dtype(array, dtype):
    """Small floats lie in files as patterns, small integers as numbers."""
    return array.view(dtype) if array.dtype == np.uint8 and dtype.name.startswith("float") else array.astype(dtype)


STORED = {"BOOL": np.bool_, "BF16": ml_dtypes.bfloat16, "C64": np.complex64, "C128": np.complex128}


def stored_dtype(name):
    """Small floats are bytes here."""
    kinds = {"F": "float", "I": "int", "U": "uint"}
    if name in STORED:
        return np.dtype(STORED[name])
    return np.dtype(kinds[name[0]] + name[1:]) if name[1:] in ("16", "32", "64") or name[0] in "IU" else np.dtype(np.uint8)


def load(path):
    """A safetensors file; the safetensors package does not read complex128."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    arrays = []
    for i in range(len(header) - ("__metadata__" in header)):
        entry = header[str(i)]
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        arrays.append(np.frombuffer(data[begin:end], stored_dtype(entry["dtype"])).reshape(entry["shape"]))
    return arrays


def evaluate(text, inputs):
    proto = _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    shape = _hlo.XlaComputation(proto).program_shape()
    with jax_mlir.make_ir_context() as context:
        module = ir.Module.parse(_jax.mlir.hlo_to_stablehlo(proto), context)
    parameters = shape.parameter_shapes()
    options = xla_client.CompileOptions()
    options.parameter_is_tupled_arguments = len(parameters) == 1 and parameters[0].is_tuple()
    device = jax.devices("cpu")[0]
    executable = device.client.compile_and_load(module, _jax.DeviceList((device,)), options)
    dtypes = [dtype_of(leaf) for parameter in parameters for leaf in leaves(parameter)]
    buffers = [jax.device_put(as_dtype(array, dtype), device) for array, dtype in zip(inputs, dtypes, strict=True)]
    results = executable.execute_sharded(buffers).disassemble_into_single_device_arrays()
    return [np.asarray(arrays[0]) for arrays in results]


def difference(got, expected):
    """Empty, "signs of zeros", or what differs."""
    if got.shape != expected.shape:
        return f"is {got.shape}, should be {expected.shape}"
    expected = as_dtype(expected, got.dtype)
    wide = np.complex128 if got.dtype.kind == "c" else np.float64 if got.dtype.kind not in "iub" else got.dtype
    a, b = np.atleast_1d(got.astype(wide)), np.atleast_1d(expected.astype(wide))
    if wide == np.complex128:
        a, b = a.view(np.float64), b.view(np.float64)
    with np.errstate(invalid="ignore"):
        wrong = ~((a == b) | ((a != a) & (b != b)))
    if wrong.any():
        where = np.argmax(wrong)
        return f"{wrong.sum()} of {wrong.size} {got.dtype.name} differ: XLA {a.flat[where]}, evaluator {b.flat[where]}"
    if a.dtype == np.float64 and ((np.signbit(a) != np.signbit(b)) & (a == a)).any():
        return "signs of zeros"
    return ""


def check(path):
    """What kind of outcome, and details."""
    text = path.read_text()
    if " rng(" in text or " rng-get-and-update-state(" in text:  # HLO leaves open which numbers these are
        return "left out", ""
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)
    try:
        outputs = evaluate(text, load(path.with_suffix(".inputs.safetensors")))
    except Exception as error:  # whatever XLA makes of the text is a result
        return "refused by XLA", " ".join(str(error).split())[:300]
    expected = load(path.with_suffix(".expected.safetensors"))
    differences = [difference(*pair) for pair in zip(outputs, expected, strict=True)]
    wrong = [f"result {i}: {d}" for i, d in enumerate(differences) if d and d != "signs of zeros"]
    if wrong:
        return "different", "; ".join(wrong)
    return ("signs of zeros" if any(differences) else "equal"), ""


def main():
    remaining = sorted(pathlib.Path(sys.argv[1]).glob("*.hlo"), key=lambda path: int(path.stem))
    outcomes = collections.Counter()
    while remaining:
        # A new worker after each crash of XLA.
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            while remaining:
                path = remaining.pop(0)
                try:
                    outcome, details = pool.submit(check, path).result()
                except concurrent.futures.process.BrokenProcessPool:
                    outcome, details = "crash of XLA", ""
                outcomes[outcome] += 1
                if outcome not in ("equal", "signs of zeros", "left out"):
                    print(f"{path.name}: {outcome} {details}", flush=True)
                if outcome == "crash of XLA":
                    break
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    sys.exit(1 if outcomes["different"] else 0)


if __name__ == "__main__":
    main()
