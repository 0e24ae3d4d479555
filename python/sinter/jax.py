"""HLO text from JAX, which is imported only where it is used."""

import contextlib
import inspect
import json
import os
import pathlib
import re
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union

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


# Operations that call back into Python, by what makes them.
_CALLBACKS = {"pure_callback": "jax.pure_callback", "io_callback": "jax.experimental.io_callback",
              "debug_callback": "jax.debug.callback", "debug_print": "jax.debug.print"}


def _callbacks(traced: Any) -> List[str]:
    found = re.findall(rf"\b({'|'.join(_CALLBACKS)})\[", str(traced.jaxpr))
    return [_CALLBACKS[name] for name in dict.fromkeys(found)]


def _lower(fn: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any], platform: str) -> Any:
    import jax

    if not callable(fn) or isinstance(fn, (jax.stages.Compiled, jax.stages.Traced)):
        raise TypeError(f"{type(fn).__name__} is no function of JAX's: give the function that it was made of; "
                        "StableHLO, as lowered.as_text() has it, becomes HLO text by sinter.jax.convert")
    # A function that is jitted has options of its own. Else all arguments stay, used or not.
    jitted: Any = fn if _is_jitted(fn) else jax.jit(fn, keep_unused=True)
    with _relative_files():
        traced = jitted.trace(*args, **named)
        try:
            return traced.lower(lowering_platforms=(platform,))
        except ValueError:  # what JAX says of callbacks is that platforms differ
            callbacks = _callbacks(traced)
            if not callbacks:
                raise
            raise Error(f"{getattr(fn, '__name__', fn)} calls back into Python, which compiled programs do not: take "
                        f"{' and '.join(callbacks)} out") from None


def _key_name(key: Any) -> str:
    """A step from a tree to a part of it: a key, an index, or a field's name."""
    for attribute in ("key", "idx", "name"):
        if hasattr(key, attribute):
            return str(getattr(key, attribute))
    return str(key)


def _result_name(path: Sequence[Any]) -> str:
    """What a result is called: `value`, or `state_0` of {"state": (a, b)}, also where that is one of a tuple's; empty
    where its path has no name."""
    name = re.sub(r"\W+", "_", "_".join(map(_key_name, path)), flags=re.ASCII)
    return re.sub(r"^[0-9_]+", "", name).rstrip("_")


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
    return _text_of(_lower(fn, args, {}, platform))


def _parameters(fn: Callable[..., Any]) -> List[inspect.Parameter]:
    """Those that the function declares; none where it does not say."""
    try:
        return list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        return []


def _check_named(fn: Callable[..., Any], named: Mapping[str, Any]) -> None:
    """What is given by name is an option of export's or an argument of the function."""
    parameters = _parameters(fn)
    if not parameters or any(p.kind == p.VAR_KEYWORD for p in parameters):
        return
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    for name in named:
        if name not in names:
            raise TypeError(f"{name} is no option of sinter.jax.export, and no argument of the function, which has "
                            f"{', '.join(names)}")


def _argument_names(fn: Callable[..., Any], count: int) -> List[str]:
    parameters = _parameters(fn)
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = [f"{p.name}_{i}" for p in parameters if p.kind == p.VAR_POSITIONAL for i in range(count)]
    return (names + rest + [f"argument_{i}" for i in range(count)])[:count]


def _leaf_names(argument: Any, name: str) -> List[str]:
    """What the arrays of an argument are called in a file: params.layer_0.w."""
    import jax

    paths = [path for path, _ in jax.tree_util.tree_flatten_with_path(argument)[0]]
    return [".".join([name, *map(_key_name, path)]) for path in paths]


def _named_arguments(fn: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> Dict[str, Any]:
    """Arguments by their names, in the order of the program's inputs: JAX sorts those that are given by name."""
    return {**dict(zip(_argument_names(fn, len(args)), args)), **{name: named[name] for name in sorted(named)}}


def _check_values(arguments: Mapping[str, Any], option: str) -> None:
    """Files have values, which a shape and a type alone are without."""
    import jax

    for name, argument in arguments.items():
        for leaf_name, leaf in zip(_leaf_names(argument, name), jax.tree_util.tree_leaves(argument)):
            if isinstance(leaf, jax.ShapeDtypeStruct):
                raise TypeError(f"{option}: {leaf_name} is a ShapeDtypeStruct, and its values are needed: give an "
                                "array")


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


def _chosen_names(arguments: Mapping[str, Any], positions: int, chosen: Union[Argument, Sequence[Argument]]
                  ) -> List[str]:
    """Those of the arguments, the first of which have positions, that names and positions choose."""
    names = list(arguments)
    each = [chosen] if isinstance(chosen, (int, str)) else chosen
    for argument in each:
        if argument not in names and argument not in range(positions):
            raise ValueError(f"weight_arguments: {argument!r} is none of the arguments {', '.join(names)}")
    return [argument if isinstance(argument, str) else names[argument] for argument in each]


def _write_weights(path: Path, arguments: Mapping[str, Any], chosen: Sequence[str]) -> None:
    import jax

    arrays, inputs, number = {}, {}, 0
    for name, argument in arguments.items():
        leaves = jax.tree_util.tree_leaves(argument)
        if name in chosen:
            for offset, (leaf_name, leaf) in enumerate(zip(_leaf_names(argument, name), leaves)):
                if leaf_name in arrays:  # {"a.b": x, "a": {"b": y}}
                    raise ValueError(f"weights: two arrays would be {leaf_name} in the file: rename one")
                arrays[leaf_name] = _array(leaf)
                inputs[leaf_name] = number + offset
        number += len(leaves)
    if not arrays:
        raise ValueError(f"weights: the arguments {chosen} hold no arrays")
    safetensors.write(path, arrays, {INPUTS: json.dumps(inputs)})


def _check_inputs(fn: Callable[..., Any], arguments: Mapping[str, Any], lowered: Any) -> None:
    """Inputs of the program are all arrays of the arguments."""
    import jax

    leaves = len(jax.tree_util.tree_leaves(list(arguments.values())))
    inputs = len(lowered.compiler_ir("hlo").program_shape().parameter_shapes())
    if inputs != leaves:
        raise ValueError(f"the program has {inputs} inputs, but the arguments hold {leaves} arrays: jit {fn} with "
                         "keep_unused=True, or give the function itself")


def export(fn: Callable[..., Any], *args: Any, path: Path, weights: Optional[Path] = None,
           weight_arguments: Union[Argument, Sequence[Argument]] = (0,), inputs: Optional[Path] = None,
           expected: Optional[Path] = None, platform: str = "cuda", **named: Any) -> pathlib.Path:
    """Writes the HLO text of `fn` for arguments of these shapes and types to `path`, which is returned.

    Inputs of the compiled program are the arrays of the arguments in JAX's order, and are called as those:
    `params["w"]` and `params.w` are `params_w`. Results that are in a dict or a dataclass go by their keys. Large
    constants are printed in full. Where `fn` is jitted already, its own options hold; it drops arguments that it does
    not use unless they include `keep_unused=True`. `named` are arguments of `fn` by name, other than
    names of options here.

    Safetensors files besides, where they are named: `weights` receives the arrays of `weight_arguments`, names or
    positions: the first argument, if not given; `sinter.load(folder, weights=...)` binds them. `inputs` receives all
    arrays, and `expected` what JAX computes of them, as `sinter run` and `sinter_add_test` read them.
    """
    import jax

    _check_named(fn, named)
    lowered = _lower(fn, args, named, platform)
    text = _text_of(lowered)
    arguments = _named_arguments(fn, args, named)
    chosen = [] if weights is None else _chosen_names(arguments, len(args), weight_arguments)
    if weights is not None or inputs is not None:
        _check_inputs(fn, arguments, lowered)
    _check_values({name: arguments[name] for name in chosen}, "weights")
    for option, file in (("inputs", inputs), ("expected", expected)):
        if file is not None:
            _check_values(arguments, option)
    if weights is not None:
        _write_weights(weights, arguments, chosen)
    if inputs is not None:
        _write_numbered(inputs, list(arguments.values()))
    if expected is not None:
        _write_numbered(expected, (fn if _is_jitted(fn) else jax.jit(fn))(*args, **named))
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
