"""The C interface of a built library (include/NAME/NAME.h of the emitted folder), by ctypes."""

import ctypes
import dataclasses
import os
import pathlib
import shutil
import tempfile
from typing import Any, Dict, List, Optional, Tuple, Union

from sinter.program import Error
from sinter.sizes import SIZE, Row, Sizes

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


class _JoinedInfo(_Info):
    """What follows in that of a library of several programs."""

    _fields_ = [("generator", ctypes.c_char_p), ("input_sha256", ctypes.c_char_p), ("architectures", ctypes.c_char_p),
                ("workspace_bytes", ctypes.c_int64), ("weights_bytes", ctypes.c_int64),
                ("programs", ctypes.POINTER(ctypes.c_char_p))]


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


def _table_name(program: str, direction: str) -> str:
    return f"k{_upper_camel(program)}{direction}Table"


_opened: Dict[str, os.stat_result] = {}


def open_library(path: pathlib.Path) -> ctypes.CDLL:
    """The library that the file holds now: the system takes a path that it has loaded for what it held then."""
    if not path.exists():
        raise Error(f"{path} does not exist")
    real = str(path.resolve())
    now = os.stat(real)
    before = _opened.setdefault(real, now)
    try:
        with open(real, "rb") as file:
            if file.read(9) == b"HloModule":
                raise Error(f"{path} is HLO text: load what sinter.compile and sinter.build make of it")
        if (before.st_ino, before.st_mtime_ns) == (now.st_ino, now.st_mtime_ns):
            return ctypes.CDLL(real)
        with tempfile.TemporaryDirectory() as folder:
            return ctypes.CDLL(shutil.copy(real, folder))
    except OSError as error:
        raise Error(f"{path} cannot be loaded: {error}") from None


class Interface:
    """The functions of a library that programs and libraries of several have alike."""

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self.name = name
        self._library = library
        pointer = ctypes.c_void_p
        self._create_with = self._function("create_with", ctypes.c_int, ctypes.POINTER(pointer), pointer)
        self._destroy = self._function("destroy", None, pointer)
        self._last_error = self._function("last_error", ctypes.c_char_p)
        self._status_text = None
        if hasattr(library, f"{name}_status_text"):
            self._status_text = self._function("status_text", ctypes.c_char_p, ctypes.c_int)
        self.has_weights = hasattr(library, f"{name}_weights_load")
        if self.has_weights:
            # Here, as _destroy: when Python ends, ctypes makes no functions any more.
            self._destroy_weights = self._function("weights_destroy", None, pointer)

    def weights(self, path: Path) -> ctypes.c_void_p:
        """An object of weights, of a safetensors file; destroy_weights ends it."""
        load = self._function("weights_load", ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p)
        weights = ctypes.c_void_p()
        self.check(load(ctypes.byref(weights), os.fsencode(path)))
        return weights

    def destroy_weights(self, weights: ctypes.c_void_p) -> None:
        self._destroy_weights(weights)

    def create(self, weights: Optional[ctypes.c_void_p]) -> ctypes.c_void_p:
        """An instance, which reads these weights; destroy ends it."""
        options = None
        if weights is not None:
            info = self.info(_Info)
            options = ctypes.byref(_Options(ctypes.sizeof(_Options), -1, info.interface_hash, None, 0, weights))
        instance = ctypes.c_void_p()
        self.check(self._create_with(ctypes.byref(instance), options))
        return instance

    def destroy(self, instance: ctypes.c_void_p) -> None:
        self._destroy(instance)

    def info(self, kind: Any) -> Any:
        return self._function("info", ctypes.POINTER(kind))().contents

    def check(self, status: int) -> None:
        if status == 0:
            return
        error = Error(self._last_error().decode(errors="replace"))
        if self._status_text is not None:
            error.status = self._status_text(status).decode()
        raise error

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        try:
            function = getattr(self._library, f"{self.name}_{name}")
        except AttributeError:
            raise Error(f"{self._library._name} is no library of {self.name}: it has no {self.name}_{name}") from None
        function.restype, function.argtypes = result, arguments
        return function


class ProgramInterface(Interface):
    """That of one program."""

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        super().__init__(library, name)
        pointer = ctypes.c_void_p
        self.run = self._function("run", ctypes.c_int, pointer, pointer, pointer, pointer)
        self.inputs = self._table("Input")
        self.outputs = self._table("Output")
        # Sizes of a run stand behind the arrays.
        numbers = [tensor.name for tensor in self.inputs if tensor.dtype == SIZE]
        self.inputs = self.inputs[:len(self.inputs) - len(numbers)]
        self.sizes = Sizes(self._size_rows(), self.inputs, numbers) if numbers else None

    def _size_rows(self) -> List[Row]:
        # Its last row has times 0.
        symbol = f"k{_upper_camel(self.name)}SizeTable"
        table = ctypes.cast(ctypes.addressof(Row.in_dll(self._library, symbol)), ctypes.POINTER(Row))
        rows: List[Row] = []
        while table[len(rows)].times != 0:
            rows.append(table[len(rows)])
        return rows

    def _table(self, direction: str) -> List[Tensor]:
        # Its last row has no name.
        symbol = _table_name(self.name, direction)
        try:
            rows = ctypes.cast(ctypes.addressof(_Row.in_dll(self._library, symbol)), ctypes.POINTER(_Row))
        except ValueError:
            raise Error(f"{self._library._name} is no shared library of {self.name}: it has no {symbol}") from None
        tensors: List[Tensor] = []
        while rows[len(tensors)].name is not None:
            row = rows[len(tensors)]
            tensors.append(Tensor(row.name.decode(), row.dtype.decode(), tuple(row.dims[:row.rank])))
        return tensors


_MOST_SIZES = 32  # that programs of one library are picked by


class JoinedInterface(Interface):
    """That of a library of several programs: its instances begin with a pointer to one of each program."""

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        super().__init__(library, name)
        names = self.info(_JoinedInfo).programs
        self.entries: List[str] = []
        while names[len(self.entries)] is not None:
            self.entries.append(names[len(self.entries)].decode())

    def fit(self, sizes: Tuple[int, ...]) -> Optional[str]:
        """The smallest entry of at least these sizes; None: there is none. Of programs that sizes tell apart."""
        if not hasattr(self._library, f"{self.name}_fit"):
            raise TypeError(f"{self.name}: its programs differ in more than sizes; name one: {', '.join(self.entries)}")
        if any(size < 0 for size in sizes):
            raise ValueError(f"{self.name}: sizes are 0 or more, not {', '.join(map(str, sizes))}")
        count = self._size_count()
        if len(sizes) != count:
            raise TypeError(f"{self.name} is picked by {count} size{'' if count == 1 else 's'}, not {len(sizes)}")
        entry = self._fit(sizes)
        return entry[0].decode() if entry else None

    def _fit(self, sizes: Tuple[int, ...]) -> Any:
        # An entry begins with its name. The function reads as many numbers as it has parameters.
        numbers = sizes + (0,) * (_MOST_SIZES - len(sizes))
        return self._function("fit", ctypes.POINTER(ctypes.c_char_p), *[ctypes.c_int64] * _MOST_SIZES)(*numbers)

    def _size_count(self) -> int:
        # No entry has so much of a size that is read.
        most = 2**63 - 1
        return next((i for i in range(_MOST_SIZES) if self._fit((0,) * i + (most,))), _MOST_SIZES)

    def program(self, entry: str) -> ProgramInterface:
        return ProgramInterface(self._library, f"{self.name}_{entry}")

    def instances(self, instance: ctypes.c_void_p) -> Dict[str, ctypes.c_void_p]:
        pointers = ctypes.cast(instance, ctypes.POINTER(ctypes.c_void_p))
        return {entry: ctypes.c_void_p(pointers[i]) for i, entry in enumerate(self.entries)}


def joins_programs(library: ctypes.CDLL, name: str) -> bool:
    """True of a library of several programs, which has an instance of all and no inputs of its own."""
    return hasattr(library, f"{name}_create_with") and not hasattr(library, _table_name(name, "Input"))
