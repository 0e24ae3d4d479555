"""HLO text from JAX, which is imported only where it is used."""

import contextlib
import json
import os
import pathlib
import re
from typing import Any, Callable, Iterator, List, Optional, Sequence, Union

import numpy as np

from sinter import safetensors
from sinter.program import Error

Path = Union[str, "os.PathLike[str]"]
Argument = Union[int, str]

# What a weights file says in its metadata under INPUTS: the number of the input that each tensor is.
INPUTS = "sinter_inputs"


def _print_hlo(computation: Any) -> str:
    """HLO text with constants in full and with what it says of the Python that it was made from."""
    try:
        from jaxlib._hlo import HloPrintOptions
    except ImportError:  # older than 0.10
        from jaxlib.xla_client import HloPrintOptions
    options = HloPrintOptions()
    options.print_large_constants = True
    options.print_metadata = True
    return computation.as_hlo_module().to_string(options)


@contextlib.contextmanager
def _relative_files() -> Iterator[None]:
    """Names of Python files in HLO text begin in this folder, or in one that packages are in: the same on every
    machine."""
    import jax

    setting = "jax_hlo_source_file_canonicalization_regex"
    before = getattr(jax.config, setting)
    folders = [os.getcwd(), str(pathlib.Path(__file__).parent.parent)]
    jax.config.update(setting, f"^({'|'.join(re.escape(f) + '/' for f in folders)}|.*/(site|dist)-packages/)")
    try:
        yield
    finally:
        jax.config.update(setting, before)


def _is_jitted(fn: Callable[..., Any]) -> bool:
    return hasattr(fn, "trace") and hasattr(fn, "lower")


def _lower(fn: Callable[..., Any], args: Sequence[Any], platform: str) -> Any:
    import jax

    # A function that is jitted has options of its own. Else all arguments stay, used or not.
    jitted: Any = fn if _is_jitted(fn) else jax.jit(fn, keep_unused=True)
    with _relative_files():
        return jitted.trace(*args).lower(lowering_platforms=(platform,))


def _key_name(key: Any) -> str:
    """A step from a tree to a part of it: a key, an index, or a field's name."""
    for attribute in ("key", "idx", "name"):
        if hasattr(key, attribute):
            return str(getattr(key, attribute))
    return str(key)


def _result_name(path: Sequence[Any]) -> str:
    """What a result is called: `value`, or `state_0` of {"state": (a, b)}; empty where its path has no name."""
    name = re.sub(r"\W+", "_", "_".join(map(_key_name, path)), flags=re.ASCII).strip("_")
    return "" if name[:1].isdigit() else name


def _with_result_names(text: str, names: Sequence[str]) -> str:
    """HLO text has none: the entry's root says them (frontend/hlo/name_results.h)."""
    if not any(names):
        return text
    begin = text.index("\n  ROOT ", text.index("\nENTRY ")) + 1
    end = text.index("\n", begin)
    root, said = text[begin:end], f'sinter_results="{",".join(names)}"'
    if "frontend_attributes={" in root:
        root = root.replace("frontend_attributes={", f"frontend_attributes={{{said},", 1)
    else:
        root += f", frontend_attributes={{{said}}}"
    return text[:begin] + root + text[end:]


def _text_of(lowered: Any) -> str:
    import jax

    paths = [path for path, _ in jax.tree_util.tree_flatten_with_path(lowered.out_info)[0]]
    return _with_result_names(_print_hlo(lowered.compiler_ir("hlo")), [_result_name(path) for path in paths])


def hlo_text(fn: Callable[..., Any], *args: Any, platform: str = "cuda") -> str:
    """HLO text of a function for arguments of these shapes and types; `platform` is the one that JAX lowers it for."""
    return _text_of(_lower(fn, args, platform))


def _argument_names(fn: Callable[..., Any], count: int) -> List[str]:
    import inspect

    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = [f"{p.name}_{i}" for p in parameters if p.kind == p.VAR_POSITIONAL for i in range(count)]
    return (names + rest + [f"argument_{i}" for i in range(count)])[:count]


def _leaf_names(argument: Any, name: str) -> List[str]:
    """What the arrays of an argument are called in a file: params.layer_0.w."""
    import jax

    paths = [path for path, _ in jax.tree_util.tree_flatten_with_path(argument)[0]]
    return [".".join([name, *map(_key_name, path)]) for path in paths]


def _array(leaf: Any) -> np.ndarray:
    """The elements that HLO text has for an array of JAX's: of random keys, their numbers."""
    import jax

    is_key = hasattr(leaf, "dtype") and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(leaf) if is_key else jax.numpy.asarray(leaf))


def _write_numbered(path: Path, arrays: Any) -> None:
    """A file as `sinter run --inputs` and `--expect` read it: tensors "0", "1", ..."""
    import jax

    leaves = jax.tree_util.tree_leaves(arrays)
    safetensors.write(path, {str(i): _array(leaf) for i, leaf in enumerate(leaves)}, {})


def _write_weights(path: Path, fn: Callable[..., Any], args: Sequence[Any], chosen: Sequence[Argument]) -> None:
    import jax

    names = _argument_names(fn, len(args))
    unknown = [c for c in chosen if c not in names and c not in range(len(args))]
    if unknown:
        raise ValueError(f"weight_arguments: {unknown[0]!r} is none of the arguments {', '.join(names)}")
    arrays, inputs, number = {}, {}, 0
    for i, (name, argument) in enumerate(zip(names, args)):
        leaves = jax.tree_util.tree_leaves(argument)
        if i in chosen or name in chosen:
            for offset, (leaf_name, leaf) in enumerate(zip(_leaf_names(argument, name), leaves)):
                arrays[leaf_name] = _array(leaf)
                inputs[leaf_name] = number + offset
        number += len(leaves)
    if not arrays:
        raise ValueError(f"weights: the arguments {list(chosen)} hold no arrays")
    safetensors.write(path, arrays, {INPUTS: json.dumps(inputs)})


def _check_inputs(fn: Callable[..., Any], args: Sequence[Any], lowered: Any) -> None:
    """Inputs of the program are all arrays of the arguments."""
    import jax

    leaves = len(jax.tree_util.tree_leaves(args))
    inputs = len(lowered.compiler_ir("hlo").program_shape().parameter_shapes())
    if inputs != leaves:
        raise ValueError(f"the program has {inputs} inputs, but the arguments hold {leaves} arrays: jit {fn} with "
                         "keep_unused=True, or give the function itself")


def export(fn: Callable[..., Any], *args: Any, path: Path, weights: Optional[Path] = None,
           weight_arguments: Sequence[Argument] = (0,), inputs: Optional[Path] = None, expected: Optional[Path] = None,
           platform: str = "cuda") -> pathlib.Path:
    """Writes the HLO text of `fn` for arguments of these shapes and types to `path`, which is returned.

    Inputs of the compiled program are the arrays of the arguments in JAX's order, and are called as those:
    `params["w"]` and `params.w` are `params_w`. Results that are in a dict or a dataclass go by their keys. Large
    constants are printed in full. Where `fn` is jitted already, its own options hold; it drops arguments that it does
    not use unless they include `keep_unused=True`.

    Safetensors files besides, where they are named: `weights` receives the arrays of `weight_arguments`, names or
    positions: the first argument, if not given; `sinter.load(folder, weights=...)` binds them. `inputs` receives all
    arrays, and `expected` what JAX computes of them, as `sinter run` and `sinter_add_test` read them.
    """
    import jax

    lowered = _lower(fn, args, platform)
    text = _text_of(lowered)
    if weights is not None or inputs is not None:
        _check_inputs(fn, args, lowered)
    if weights is not None:
        _write_weights(weights, fn, args, weight_arguments)
    if inputs is not None:
        _write_numbered(inputs, args)
    if expected is not None:
        _write_numbered(expected, (fn if _is_jitted(fn) else jax.jit(fn))(*args))
    target = pathlib.Path(path)
    target.write_text(text)
    return target


def convert(source: Path, path: Path) -> pathlib.Path:
    """Writes HLO text to `path` for a program that `source` holds in another form: StableHLO, as text or bytecode, or a
    protocol buffer of HLO."""
    from jaxlib import _hlo, _jax

    data = pathlib.Path(source).read_bytes()
    try:
        is_proto = data[:1] == b"\n" and not data.lstrip().startswith((b"module", b"#"))
        computation = _hlo.XlaComputation(data) if is_proto else _jax.mlir.mlir_module_to_xla_computation(
            data, use_tuple_args=False, return_tuple=False)
        text = _print_hlo(computation)
    except Exception as error:  # of jaxlib's own kinds
        raise Error(f"{os.fspath(source)} holds no StableHLO and no protocol buffer of HLO: {error}") from None
    target = pathlib.Path(path)
    target.write_text(text)
    return target
