"""Arrays in the host's memory, as a CPU build takes them: dense, row-major, 16-byte aligned."""

import dataclasses
from typing import TYPE_CHECKING, Any, List, Tuple

import numpy as np

from sinter import dtypes
from sinter.values import checked_array

if TYPE_CHECKING:
    from sinter.interface import Tensor

_ALIGNMENT = 16


@dataclasses.dataclass
class HostBuffer:
    array: np.ndarray

    @property
    def pointer(self) -> int:
        return self.array.ctypes.data


def aligned_empty(shape: Tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    memory = np.empty(size + _ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % _ALIGNMENT
    return memory[begin:begin + size].view(dtype).reshape(shape)


class HostMemory:
    """Where a CPU build's inputs and outputs are."""

    def input(self, tensor: "Tensor", value: Any) -> HostBuffer:
        array = checked_array(tensor, value)
        if not array.flags.c_contiguous or array.ctypes.data % _ALIGNMENT != 0:
            copy = aligned_empty(array.shape, array.dtype)
            copy[...] = array
            array = copy
        return HostBuffer(array)

    def keep(self, buffer: HostBuffer) -> HostBuffer:
        """The buffer as it is now, whatever becomes of the array that it was made of."""
        copy = aligned_empty(buffer.array.shape, buffer.array.dtype)
        copy[...] = buffer.array
        return HostBuffer(copy)

    def output(self, tensor: "Tensor") -> HostBuffer:
        return HostBuffer(aligned_empty(tensor.shape, dtypes.numpy_dtype(tensor.dtype)))

    def is_device_array(self, value: Any) -> bool:
        return False

    def results(self, outputs: List[HostBuffer], on_device: bool) -> List[np.ndarray]:
        return [output.array for output in outputs]
