"""What a DLPack capsule says: the structs of dlpack.h as far as reading an array needs them."""

import ctypes
import dataclasses
from typing import Any, Optional, Tuple

import numpy as np

CUDA_DEVICES = (2, 13)  # kDLCUDA, kDLCUDAManaged

_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}


class _Tensor(ctypes.Structure):
    """DLTensor, which a DLManagedTensor begins with."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


@dataclasses.dataclass(frozen=True)
class Array:
    pointer: int
    dtype: Optional[np.dtype]  # None: one that numpy has not
    shape: Tuple[int, ...]
    strides: Optional[Tuple[int, ...]]  # in bytes; None: dense and row-major


def _dtype(code: int, bits: int) -> Optional[np.dtype]:
    kind = _KINDS.get(code)
    if kind == "bool":
        return np.dtype(bool)
    if kind == "bfloat":
        from sinter import dtypes

        return dtypes.numpy_dtype("bf16")
    try:
        return np.dtype(f"{kind}{bits}")
    except TypeError:
        return None


def read(capsule: Any) -> Array:
    """The array of a capsule, which must live as long as the array is used."""
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = _Tensor.from_address(get_pointer(capsule, b"dltensor"))
    shape = tuple(tensor.shape[:tensor.ndim])
    item = tensor.bits // 8
    strides = tuple(s * item for s in tensor.strides[:tensor.ndim]) if tensor.strides else None
    dtype = _dtype(tensor.code, tensor.bits) if tensor.lanes == 1 else None
    return Array((tensor.data or 0) + tensor.byte_offset, dtype, shape, strides)
