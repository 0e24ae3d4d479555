"""Built models: a library's C interface (include/NAME/NAME.h of the emitted folder), called on numpy arrays."""

import collections
import ctypes
import dataclasses
import json
import os
import pathlib
import re
import shutil
import tempfile
import threading
import warnings
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from sinter import safetensors
from sinter.cuda import CudaMemory
from sinter.host import HostMemory
from sinter.jax import INPUTS
from sinter.program import Error
from sinter.project import DEVICES, library_path, program_name
from sinter.sizes import SIZE, Number, Row, Sizes

Path = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Tensor:
    """One input or output."""

    name: str
    dtype: str  # as HLO spells it: "f32"
    shape: Tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} {self.dtype}[{','.join(map(str, self.shape))}]"


class _Row(ctypes.Structure):
    """<Name>Tensor of the header."""

    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_char_p), ("rank", ctypes.c_int),
                ("dims", ctypes.POINTER(ctypes.c_int64)), ("bytes", ctypes.c_int64)]


class _Info(ctypes.Structure):
    """The beginning of <Name>Info."""

    _fields_ = [("size", ctypes.c_uint32), ("kernels", ctypes.c_int32), ("launches", ctypes.c_int64),
                ("interface_hash", ctypes.c_uint64)]


class _Options(ctypes.Structure):
    """<Name>Options of a program with weights."""

    _fields_ = [("size", ctypes.c_uint32), ("device", ctypes.c_int32), ("interface_hash", ctypes.c_uint64),
                ("workspace", ctypes.c_void_p), ("workspace_bytes", ctypes.c_int64), ("weights", ctypes.c_void_p)]


def _upper_camel(name: str) -> str:
    """upper_camel of the compiler (emitter/text/emit_names.h)."""
    camel = ""
    for word in filter(None, name.split("_")):
        # Two digits that an underscore kept apart stay apart.
        apart = "_" if camel and camel[-1].isdigit() and word[0].isdigit() else ""
        camel += apart + word[0].upper() + word[1:]
    return camel


class _Interface:
    """The functions and tables of a library."""

    def __init__(self, path: pathlib.Path, name: str) -> None:
        self.name = name
        self._library = _open(path)
        pointer = ctypes.c_void_p
        self.create_with = self._function("create_with", ctypes.c_int, ctypes.POINTER(pointer), pointer)
        self.run = self._function("run", ctypes.c_int, pointer, pointer, pointer, pointer)
        self.destroy = self._function("destroy", None, pointer)
        self.last_error = self._function("last_error", ctypes.c_char_p)
        self.inputs = self._table("Input")
        self.outputs = self._table("Output")
        # Sizes of a run stand behind the arrays.
        numbers = [tensor.name for tensor in self.inputs if tensor.dtype == SIZE]
        self.inputs = self.inputs[:len(self.inputs) - len(numbers)]
        self.sizes = Sizes(self._size_rows(), self.inputs, numbers) if numbers else None
        self._status_text = None
        if hasattr(self._library, f"{name}_status_text"):
            self._status_text = self._function("status_text", ctypes.c_char_p, ctypes.c_int)
        self.has_weights = hasattr(self._library, f"{name}_weights_load")

    def weights(self, path: Path) -> ctypes.c_void_p:
        """An object of weights, of a safetensors file; destroy_weights ends it."""
        load = self._function("weights_load", ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p)
        weights = ctypes.c_void_p()
        self.check(load(ctypes.byref(weights), os.fsencode(path)))
        return weights

    def destroy_weights(self, weights: ctypes.c_void_p) -> None:
        self._function("weights_destroy", None, ctypes.c_void_p)(weights)

    def options(self, weights: ctypes.c_void_p) -> _Options:
        info = self._function("info", ctypes.POINTER(_Info))()
        return _Options(ctypes.sizeof(_Options), -1, info.contents.interface_hash, None, 0, weights)

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        try:
            function = getattr(self._library, f"{self.name}_{name}")
        except AttributeError:
            raise Error(f"{self._library._name} is no library of {self.name}: it has no {self.name}_{name}") from None
        function.restype, function.argtypes = result, arguments
        return function

    def _table(self, direction: str) -> List[Tensor]:
        # Its last row has no name.
        symbol = f"k{_upper_camel(self.name)}{direction}Table"
        try:
            rows = ctypes.cast(ctypes.addressof(_Row.in_dll(self._library, symbol)), ctypes.POINTER(_Row))
        except ValueError:
            raise Error(f"{self._library._name} is no shared library of {self.name}: it has no {symbol}") from None
        tensors: List[Tensor] = []
        while rows[len(tensors)].name is not None:
            row = rows[len(tensors)]
            tensors.append(Tensor(row.name.decode(), row.dtype.decode(), tuple(row.dims[:row.rank])))
        return tensors

    def _size_rows(self) -> List[Row]:
        # Its last row has times 0.
        symbol = f"k{_upper_camel(self.name)}SizeTable"
        table = ctypes.cast(ctypes.addressof(Row.in_dll(self._library, symbol)), ctypes.POINTER(Row))
        rows: List[Row] = []
        while table[len(rows)].times != 0:
            rows.append(table[len(rows)])
        return rows

    def check(self, status: int) -> None:
        if status == 0:
            return
        error = Error(self.last_error().decode(errors="replace"))
        if self._status_text is not None:
            error.status = self._status_text(status).decode()
        raise error


_opened: Dict[str, os.stat_result] = {}


def _open(path: pathlib.Path) -> ctypes.CDLL:
    """The library that the file holds now: the system takes a path that it has loaded for what it held then."""
    if not path.exists():
        raise Error(f"{path} does not exist")
    real = str(path.resolve())
    now = os.stat(real)
    before = _opened.setdefault(real, now)
    try:
        if (before.st_ino, before.st_mtime_ns) == (now.st_ino, now.st_mtime_ns):
            return ctypes.CDLL(real)
        with tempfile.TemporaryDirectory() as folder:
            return ctypes.CDLL(shutil.copy(real, folder))
    except OSError as error:
        raise Error(f"{path} cannot be loaded: {error}") from None


class Model:
    """An instance of a built model.

    `model(*arrays, **arrays_by_name)` runs it: arrays in the order of `inputs`, less those that are bound, or by name.
    Results are a named tuple of arrays, in the order of `outputs`. Runs of one instance follow each other. Where the
    program has dimensions of up to N elements, shapes of `inputs` and `outputs` have N, arrays of numpy may be shorter
    there, and results are as long.
    """

    def __init__(self, path: pathlib.Path, name: str, device: str, weights: Optional[Path] = None) -> None:
        self._interface = _Interface(path, name)
        self.name, self.device = name, device
        self.inputs: Tuple[Tensor, ...] = tuple(self._interface.inputs)
        self.outputs: Tuple[Tensor, ...] = tuple(self._interface.outputs)
        self._memory: Any = CudaMemory() if device == "cuda" else HostMemory()
        self._results = collections.namedtuple("Outputs", [t.name for t in self.outputs], rename=True)  # type: ignore
        self._bound: Dict[str, Any] = {}
        self._lock = threading.Lock()
        self._instance = ctypes.c_void_p()
        self._weights = ctypes.c_void_p()
        options = None
        if weights is not None and self._interface.has_weights:
            self._weights = self._interface.weights(weights)
            options = ctypes.byref(self._interface.options(self._weights))
        self._interface.check(self._interface.create_with(ctypes.byref(self._instance), options))
        if weights is not None and not self._interface.has_weights:
            self.bind_weights(weights)

    def __repr__(self) -> str:
        lines = [f"model {self.name} on {self.device}"]
        lines += [f"  in   {t}{'  (bound)' if t.name in self._bound else ''}" for t in self.inputs]
        lines += [f"  out  {t}" for t in self.outputs]
        return "\n".join(lines)

    def __del__(self) -> None:
        instance = getattr(self, "_instance", None)
        if instance:
            self._interface.destroy(instance)
        weights = getattr(self, "_weights", None)
        if weights:
            self._interface.destroy_weights(weights)

    def bind(self, arrays: Mapping[str, Any]) -> None:
        """Keeps these inputs for all runs that follow."""
        by_name = {tensor.name: tensor for tensor in self.inputs}
        unknown = [name for name in arrays if name not in by_name]
        if unknown:
            raise TypeError(f"{self.name} has no input {unknown[0]}; it takes {self._signature()}")
        sized = [name for name in arrays if self._interface.sizes and self._interface.sizes.has(by_name[name])]
        if sized:
            raise TypeError(f"{self.name}: {sized[0]} is as long as each run says; it is not bound")
        self._bound.update({name: self._memory.keep(self._memory.input(by_name[name], value))
                            for name, value in arrays.items()})

    def bind_weights(self, path: Path) -> None:
        """Binds the tensors of a safetensors file: that of sinter.jax.export, or one whose names are inputs'."""
        arrays, metadata = safetensors.read(path)
        try:
            numbers = json.loads(metadata.get(INPUTS, "{}"))
            names = {name: self.inputs[number].name for name, number in numbers.items()}
        except (ValueError, IndexError, TypeError):
            raise Error(f"{os.fspath(path)} has weights of another program than {self.name}") from None
        plain = {name: re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_") for name in arrays}
        try:
            self.bind({names.get(name, plain[name]): array for name, array in arrays.items()})
        except (TypeError, ValueError) as error:
            raise Error(f"{os.fspath(path)}: {error}") from None

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        values = self._arguments(arrays, named)
        sizes = self._interface.sizes
        numbers = sizes.of(values) if sizes else []
        if sizes:
            by_name = {tensor.name: tensor for tensor in self.inputs}
            values = {name: sizes.with_room(by_name[name], value) for name, value in values.items()}
        with self._lock:
            inputs = [self._bound[t.name] if t.name in self._bound else self._memory.input(t, values[t.name])
                      for t in self.inputs]
            outputs = [self._memory.output(tensor) for tensor in self.outputs]
            inputs += [Number(number) for number in numbers]
            self._interface.check(self._interface.run(self._instance, _pointers(inputs), _pointers(outputs), None))
            on_device = any(self._memory.is_device_array(value) for value in values.values())
            results = self._memory.results(outputs, on_device and not sizes)
            if sizes:
                results = [sizes.result(i, array, numbers) for i, array in enumerate(results)]
            return self._results(*results)

    def _signature(self) -> str:
        return ", ".join(str(t) for t in self.inputs if t.name not in self._bound) or "no inputs"

    def _arguments(self, arrays: Tuple[Any, ...], named: Dict[str, Any]) -> Dict[str, Any]:
        free = [tensor.name for tensor in self.inputs if tensor.name not in self._bound]
        if len(arrays) > len(free):
            raise TypeError(f"{self.name} takes {len(free)} arrays, not {len(arrays)}: {self._signature()}")
        values = dict(zip(free, arrays))
        for name, value in named.items():
            if name not in free:
                raise TypeError(f"{self.name} has no input {name} to give; it takes {self._signature()}")
            if name in values:
                raise TypeError(f"{self.name}: {name} is given twice, by position and by name")
            values[name] = value
        missing = [name for name in free if name not in values]
        if missing:
            raise TypeError(f"{self.name}: {', '.join(missing)} missing; it takes {self._signature()}")
        return values


def _pointers(buffers: List[Any]) -> Any:
    """The struct of pointers that run takes; nobody reads that of no pointers."""
    return (ctypes.c_void_p * max(len(buffers), 1))(*(buffer.pointer for buffer in buffers))


def _built_devices(folder: pathlib.Path) -> List[str]:
    return [device for device in DEVICES if library_path(folder, device).exists()]


def _warn_if_stale(folder: pathlib.Path, library: pathlib.Path) -> None:
    files = json.loads((folder / "manifest.json").read_text())["files"]
    changed = [folder / name for name in files if (folder / name).exists()]
    if any(file.stat().st_mtime > library.stat().st_mtime for file in changed):
        warnings.warn(f"{folder} has changed since {library} was built: call sinter.build", stacklevel=3)


def load(path: Path, device: Optional[str] = None, weights: Optional[Path] = None, name: Optional[str] = None) -> Model:
    """A model that sinter.build, or a build of your own, has built.

    `path` is the emitted folder or a shared library, libNAME.so; `name` is the program's, where the library is called
    otherwise. `device` is needed where a folder is built for both. `weights` are a safetensors file: of a program's
    weights (docs/weights.md), by default the folder's; of a program without them, of inputs: see Model.bind_weights.
    """
    place = pathlib.Path(path)
    if place.is_dir():
        name = program_name(place)
        built = [device] if device else _built_devices(place)
        if len(built) != 1:
            raise Error(f"{place} is built for both devices: load(..., device='cpu') or 'cuda'" if built else
                        f"{place} is not built: call sinter.build({str(place)!r}, device='cpu') or 'cuda'")
        device, library = built[0], library_path(place, built[0])
        if not library.exists():
            raise Error(f"{place} is not built for {device}: call sinter.build({str(place)!r}, device={device!r})")
        _warn_if_stale(place, library)
        if weights is None and (place / "weights.safetensors").exists():
            weights = place / "weights.safetensors"
    else:
        library = place
        name = name or re.sub(r"^lib|\.so.*$", "", place.name)
    return Model(library, name, device or ("cuda" if _holds_device_code(library) else "cpu"), weights)


def _holds_device_code(library: pathlib.Path) -> bool:
    return library.exists() and b".nv_fatbin\0" in library.read_bytes()
