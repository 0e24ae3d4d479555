"""Sizes that a run of a built model says: dimensions of up to N elements (`f32[<=64,8]` in its text)."""

import ctypes
import dataclasses
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

import numpy as np

from sinter.values import elements

if TYPE_CHECKING:
    from sinter.interface import Tensor

SIZE = "size"  # the element type of an input that is a size


class Row(ctypes.Structure):
    """<Name>Size of the header."""

    _fields_ = [("is_output", ctypes.c_int), ("array", ctypes.c_int), ("dimension", ctypes.c_int),
                ("times", ctypes.c_int64), ("size", ctypes.c_int), ("bound", ctypes.c_int64)]


@dataclasses.dataclass
class Number:
    """A size, where run has a pointer for other inputs."""

    pointer: int


class Sizes:
    """Which dimension has which size, of a model with such dimensions."""

    def __init__(self, rows: Sequence[Row], inputs: Sequence["Tensor"], numbers: Sequence[str]) -> None:
        self._rows = [(bool(row.is_output), row.array, row.dimension, row.times, row.size - len(inputs)) for row in rows]
        self._inputs, self._numbers = inputs, numbers

    def has(self, tensor: "Tensor") -> bool:
        return any(not is_output and self._inputs[array] is tensor for is_output, array, *_ in self._rows)

    def of(self, values: Dict[str, Any]) -> List[int]:
        """What the arrays of a run say, in the order of the numbers."""
        found: Dict[int, Tuple[int, str]] = {}
        for is_output, array, dimension, times, number in self._rows:
            if is_output:
                continue
            tensor = self._inputs[array]
            shape, bound = np.shape(values[tensor.name]), tensor.shape[dimension]
            text = f"dimension {dimension} of input {tensor}"
            if len(shape) != len(tensor.shape) or shape[dimension] > bound:
                raise ValueError(f"input {tensor} is given shape {shape}; its dimension {dimension} is up to {bound}")
            size, first = found.setdefault(number, (shape[dimension] // times, text))
            if shape[dimension] != size * times:
                raise ValueError(f"{first} and {text} are {self._numbers[number]}, and are given {size} and "
                                 f"{shape[dimension]}")
        return [found[number][0] for number in range(len(self._numbers))]

    def with_room(self, tensor: "Tensor", value: Any) -> Any:
        """An input with room for its bounds; the others as they are."""
        if not self.has(tensor):
            return value
        if not hasattr(value, "__array__") and not isinstance(value, (list, tuple)):
            raise TypeError(f"input {tensor}: an array of a size of the run is an array of numpy")
        given = elements(tensor, value)
        if given.shape == tensor.shape:
            return given
        index = tuple(slice(0, length) for length in given.shape)
        for axis, (length, whole) in enumerate(zip(given.shape, tensor.shape)):
            sized = any(not is_output and self._inputs[array] is tensor and dimension == axis
                        for is_output, array, dimension, *_ in self._rows)
            if length != whole and not sized:
                raise ValueError(f"input {tensor} is given shape {given.shape}")
        whole_array = np.zeros(tensor.shape, given.dtype)
        whole_array[index] = given
        return whole_array

    def result(self, position: int, array: Any, sizes: Sequence[int]) -> Any:
        """What a run of these sizes has of an output."""
        index = [slice(None)] * array.ndim
        for is_output, row, dimension, times, number in self._rows:
            if is_output and row == position:
                index[dimension] = slice(0, sizes[number] * times)
        return array[tuple(index)]
