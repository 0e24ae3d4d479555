"""What is given for an input, as an array of its elements: values that its type does not hold are refused."""

import numbers
import reprlib
from typing import TYPE_CHECKING, Any

import numpy as np

from sinter import dtypes

if TYPE_CHECKING:
    from sinter.interface import Tensor

_KINDS = ("booleans", "integers", "floats", "complex numbers")  # by dtypes.rank
_CPU = 1  # kDLCPU of DLPack

# What arrays of 64-bit numbers become for an input of half the bits, as JAX makes of them unless it is told otherwise.
_HALVES = {"int64": "s32", "uint64": "u32", "float64": "f32", "complex128": "c64"}


def _is_array(value: Any) -> bool:
    return any(hasattr(value, name) for name in ("dtype", "__array__", "__array_interface__"))


def readable(tensor: "Tensor", value: Any) -> Any:
    """An array of numpy of what has DLPack alone and is not on a GPU; other values as they are."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"input {tensor} is given a masked array, whose mask would be ignored: give its filled(...)")
    if _is_array(value) or not hasattr(value, "__dlpack__") or value.__dlpack_device__()[0] != _CPU:
        return value
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError) as error:
        raise TypeError(f"input {tensor}: numpy does not take {type(value).__name__} by DLPack: {error}") from None


def _not_taken(tensor: "Tensor", what: str) -> TypeError:
    wanted = dtypes.numpy_dtype(tensor.dtype).name
    return TypeError(f"input {tensor} is given {what}; it takes an array of {wanted}, or numbers of Python and lists "
                     "of them")


def _converted(tensor: "Tensor", given: np.ndarray) -> np.ndarray:
    """Numbers as elements of the input's type, which is of their kind or a wider one."""
    if dtypes.rank(tensor.dtype) == dtypes.INTEGERS:
        low, high = dtypes.limits(tensor.dtype)
        given = given.astype(np.int8) if given.dtype == bool else given  # booleans are not compared with large numbers
        outside = ((given < low) | (given > high)).astype(bool)
        if outside.any():
            raise ValueError(f"input {tensor} is given {given[outside][0]}, and {tensor.dtype} holds {low} to {high}")
        return given.astype(dtypes.numpy_dtype(tensor.dtype))
    with np.errstate(over="ignore", invalid="ignore"):
        array = given.astype(dtypes.numpy_dtype(tensor.dtype))
        largest = np.array(np.inf).astype(array.dtype)
    lost = np.isfinite(given) & ~np.isfinite(array)
    if np.isfinite(largest):  # of a type that is without infinity and NaN
        lost = ~(np.abs(given) <= float(largest))
    if lost.any():
        raise ValueError(f"input {tensor} is given {given[lost][0]}, which {tensor.dtype} does not hold")
    return array


def _as_floats(tensor: "Tensor", objects: np.ndarray) -> np.ndarray:
    try:
        return objects.astype(np.float64)
    except OverflowError:
        raise ValueError(f"input {tensor} is given {reprlib.repr(objects.tolist())}, which {tensor.dtype} does not hold"
                         ) from None


def _numbers_of(tensor: "Tensor", value: Any) -> np.ndarray:
    """An array of numbers, with objects for elements where they are integers that int64 does not hold."""
    try:
        given = np.asarray(value)
    except ValueError as error:  # lists of different lengths
        raise ValueError(f"input {tensor}: {error}") from None
    kind = dtypes.hlo_of(given.dtype)
    # Of such integers numpy makes objects, or floats.
    if given.size > 0 and (kind is None or (kind == "f64" and dtypes.rank(tensor.dtype) == dtypes.INTEGERS)):
        objects = np.asarray(value, object)
        if all(isinstance(item, numbers.Integral) for item in objects.flat):
            return np.vectorize(int, otypes=[object])(objects)
        if all(isinstance(item, numbers.Real) for item in objects.flat):
            return _as_floats(tensor, objects)
    if kind is None:
        shown = value is None or isinstance(value, (str, list, tuple))
        raise _not_taken(tensor, reprlib.repr(value) if shown else f"an object of {type(value).__name__}")
    return given


def _of_python(tensor: "Tensor", value: Any) -> np.ndarray:
    """A number, or lists of them."""
    given = _numbers_of(tensor, value)
    large = given.dtype == object
    given_rank = dtypes.INTEGERS if large else dtypes.rank(str(dtypes.hlo_of(given.dtype)))
    taken_rank = dtypes.rank(tensor.dtype)
    if given.size > 0 and given_rank > taken_rank:
        raise TypeError(f"input {tensor} is given {_KINDS[given_rank]}, and takes {_KINDS[taken_rank]}: "
                        f"{reprlib.repr(value)}")
    if dtypes.holds_bits(tensor.dtype):
        raise TypeError(f"input {tensor}: numbers become {tensor.dtype} by ml_dtypes, which is not installed; give an "
                        f"array of their bits, {dtypes.numpy_dtype(tensor.dtype).name}")
    return _converted(tensor, _as_floats(tensor, given) if large and taken_rank != dtypes.INTEGERS else given)


def elements(tensor: "Tensor", value: Any) -> np.ndarray:
    """The value as an array of the input's type. Numbers and lists of Python take it; so do 64-bit numbers where JAX's
    would."""
    if not _is_array(value):
        return _of_python(tensor, value)
    given = np.asarray(value)
    array = dtypes.as_elements(given, tensor.dtype)
    if array is not None:
        return array
    if _HALVES.get(given.dtype.name) == tensor.dtype:
        return _converted(tensor, given)
    if dtypes.hlo_of(given.dtype) is None:
        raise _not_taken(tensor, f"an array of {given.dtype}")
    raise TypeError(f"input {tensor} is given {given.dtype}; convert it: "
                    f"{tensor.name}.astype({dtypes.numpy_dtype(tensor.dtype).name!r})")


def checked_array(tensor: "Tensor", value: Any) -> np.ndarray:
    """The value as an array of the input's type and shape."""
    array = elements(tensor, value)
    if array.shape != tensor.shape:
        raise ValueError(f"input {tensor} is given shape {array.shape}")
    return array
