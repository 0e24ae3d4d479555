"""Arrays in a GPU's memory, by the CUDA driver (libcuda.so.1): a model's library has its CUDA runtime inside, which
uses the same context.

Arrays of others are taken as they lie where they say where that is: `__cuda_array_interface__` (CuPy, Numba, PyTorch,
JAX) or DLPack. docs/python.md says what of this was run on a GPU.
"""

import ctypes
import dataclasses
import weakref
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

import numpy as np

from sinter import dlpack, dtypes
from sinter.host import aligned_empty
from sinter.program import Error
from sinter.values import checked_array

if TYPE_CHECKING:
    from sinter.interface import Tensor


class _Driver:
    """Calls of the driver in the context of the library's CUDA runtime: the thread's own, or device 0's."""

    def __init__(self) -> None:
        try:
            self._library = ctypes.CDLL("libcuda.so.1")
        except OSError:
            raise Error("there is no driver of a GPU here (libcuda.so.1): build the model with device='cpu'") from None
        self._call("cuInit", ctypes.c_uint(0))

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._library, name)(*arguments)
        if status == 0:
            return
        text = ctypes.c_char_p()
        self._library.cuGetErrorString(status, ctypes.byref(text))
        raise Error(f"{name}: {(text.value or b'unknown error').decode()}")

    def _make_current(self) -> None:
        context = ctypes.c_void_p()
        self._call("cuCtxGetCurrent", ctypes.byref(context))
        if not context:
            device = ctypes.c_int()
            self._call("cuDeviceGet", ctypes.byref(device), ctypes.c_int(0))
            self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
            self._call("cuCtxSetCurrent", context)

    def call(self, name: str, *arguments: Any) -> None:
        self._make_current()
        self._call(name, *arguments)

    def allocate(self, size: int) -> int:
        pointer = ctypes.c_uint64()
        if size > 0:
            self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer.value

    def free(self, pointer: int) -> None:
        self.call("cuMemFree_v2", ctypes.c_uint64(pointer))

    def upload(self, pointer: int, array: np.ndarray) -> None:
        if array.nbytes > 0:
            self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(pointer), ctypes.c_void_p(array.ctypes.data),
                      ctypes.c_size_t(array.nbytes))

    def download(self, array: np.ndarray, pointer: int) -> None:
        if array.nbytes > 0:
            self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(pointer),
                      ctypes.c_size_t(array.nbytes))

    def wait(self, stream: Optional[int] = None) -> None:
        self.call("cuStreamSynchronize", ctypes.c_void_p(stream))


class DeviceArray:
    """An array of a model's in the GPU's memory: `numpy()` copies it; CuPy, Numba, PyTorch and JAX take it as it is."""

    def __init__(self, driver: _Driver, shape: Tuple[int, ...], dtype: np.dtype) -> None:
        self._driver, self.shape, self.dtype = driver, shape, dtype
        self.nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        self.pointer = driver.allocate(self.nbytes)
        if self.pointer:
            # The process frees what is left when Python ends, when the driver may be gone.
            weakref.finalize(self, driver.free, self.pointer).atexit = False

    @property
    def __cuda_array_interface__(self) -> dict:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.pointer, False), "version": 3}

    def numpy(self) -> np.ndarray:
        array = aligned_empty(self.shape, self.dtype)
        self._driver.download(array, self.pointer)
        return array

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        return self.numpy() if dtype is None else self.numpy().astype(dtype)


@dataclasses.dataclass
class _Foreign:
    """An array of somebody else's in the GPU's memory."""

    pointer: int
    owner: Any  # keeps it alive


def _by_interface(tensor: "Tensor", value: Any, driver: _Driver) -> Optional[_Foreign]:
    try:
        interface = value.__cuda_array_interface__
    except (AttributeError, TypeError, ValueError, RuntimeError):  # JAX has it of some types and devices
        return None
    dtype = np.dtype(interface["typestr"])
    stream = interface.get("stream")
    if stream is not None:
        driver.wait(stream)
    strides = interface.get("strides")
    _check(tensor, dtype, tuple(interface["shape"]), None if strides is None else tuple(strides))
    return _Foreign(interface["data"][0], value)


def _by_dlpack(tensor: "Tensor", value: Any) -> Optional[_Foreign]:
    if not hasattr(value, "__dlpack_device__") or value.__dlpack_device__()[0] not in dlpack.CUDA_DEVICES:
        return None
    capsule = value.__dlpack__(stream=1)  # the default stream, on which the model runs, waits for the array
    array = dlpack.read(capsule)
    _check(tensor, array.dtype, array.shape, array.strides)
    return _Foreign(array.pointer, (value, capsule))


def _check(tensor: "Tensor", dtype: Optional[np.dtype], shape: Tuple[int, ...], strides: Optional[Tuple[int, ...]]
           ) -> None:
    if not dtypes.is_stored_as(tensor.dtype, dtype):
        raise TypeError(f"input {tensor} is given {dtype or 'elements that numpy does not know'} on the GPU")
    if shape != tensor.shape:
        raise ValueError(f"input {tensor} is given shape {shape} on the GPU")
    dense: List[int] = []
    step = dtypes.numpy_dtype(tensor.dtype).itemsize
    for size in reversed(shape):
        dense.insert(0, step)
        step *= size
    if strides is not None and any(s != d for s, d, size in zip(strides, dense, shape) if size > 1):
        raise ValueError(f"input {tensor} is given an array on the GPU that is not dense and row-major: copy it first")


class CudaMemory:
    """Where a CUDA build's inputs and outputs are."""

    def __init__(self) -> None:
        self._driver = _Driver()
        self._driver.wait()  # makes the context, which the model's instance belongs to, current

    def is_device_array(self, value: Any) -> bool:
        if isinstance(value, (np.ndarray, np.generic)):
            return False
        if hasattr(value, "__dlpack_device__"):
            return value.__dlpack_device__()[0] in dlpack.CUDA_DEVICES
        return hasattr(value, "__cuda_array_interface__")

    def input(self, tensor: "Tensor", value: Any) -> Any:
        if self.is_device_array(value):
            foreign = _by_interface(tensor, value, self._driver) or _by_dlpack(tensor, value)
            if foreign is not None:
                return foreign
        array = np.ascontiguousarray(checked_array(tensor, value)).reshape(tensor.shape)
        buffer = DeviceArray(self._driver, array.shape, array.dtype)
        self._driver.upload(buffer.pointer, array)
        return buffer

    def keep(self, buffer: Any) -> Any:
        """Arrays that lie on the GPU are kept as they are, not copied."""
        return buffer

    def output(self, tensor: "Tensor") -> DeviceArray:
        return DeviceArray(self._driver, tensor.shape, dtypes.numpy_dtype(tensor.dtype))

    def results(self, outputs: List[DeviceArray], on_device: bool) -> List[Any]:
        """Waits for the run. Where an input lay on the GPU, so do results."""
        self._driver.wait()
        return list(outputs) if on_device else [output.numpy() for output in outputs]
