"""Built models, called on numpy arrays: one program, or several that share weights and memory."""

import collections
import ctypes
import functools
import json
import os
import pathlib
import re
import threading
import warnings
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from sinter import safetensors
from sinter.cuda import CudaMemory
from sinter.host import HostMemory
from sinter.interface import (Interface, JoinedInterface, Path, ProgramInterface, Tensor, joins_programs,
                              open_library)
from sinter.jax import INPUTS
from sinter.program import Error
from sinter.project import DEVICES, library_path, program_name
from sinter.sizes import Number
from sinter.values import readable


class _Instance:
    """An instance of a library, and the weights that it reads."""

    def __init__(self, interface: Interface, weights: Optional[Path]) -> None:
        self._interface = interface
        self.handle = ctypes.c_void_p()
        self.lock = threading.Lock()  # of its runs, which follow each other
        self._weights = ctypes.c_void_p()
        if weights is not None and interface.has_weights:
            self._weights = interface.weights(weights)
        self.handle = interface.create(self._weights or None)

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self._interface.destroy(self.handle)
        if getattr(self, "_weights", None):
            self._interface.destroy_weights(self._weights)


@functools.lru_cache(maxsize=None)
def _outputs_type(names: Tuple[str, ...]) -> Any:
    """Results by their names: a named tuple, of one type for the same names, which comes back from a pickle."""
    kind: Any = collections.namedtuple("Outputs", names, rename=True)  # type: ignore
    kind.__reduce__ = lambda results: (_outputs, (names, *results))
    return kind


def _outputs(names: Tuple[str, ...], *results: Any) -> Any:
    return _outputs_type(names)(*results)


class _OfThisProcess:
    """What a pickle does not hold."""

    name: str

    def __reduce__(self) -> Any:
        raise TypeError(f"{self.name} is loaded in this process and is not pickled or copied: load it in each process")


class Model(_OfThisProcess):
    """An instance of a built model.

    `model(*arrays, **arrays_by_name)` runs it: arrays in the order of `inputs`, less those that are bound, or by name.
    Results are a named tuple of arrays, in the order of `outputs`. Runs of one instance follow each other. Where the
    program has dimensions of up to N elements, shapes of `inputs` and `outputs` have N, arrays of numpy may be shorter
    there, and results are as long.
    """

    def __init__(self, interface: ProgramInterface, device: str, owner: _Instance, instance: ctypes.c_void_p) -> None:
        self._interface, self._owner, self._instance = interface, owner, instance
        self.name, self.device = interface.name, device
        self.inputs: Tuple[Tensor, ...] = tuple(interface.inputs)
        self.outputs: Tuple[Tensor, ...] = tuple(interface.outputs)
        self._memory: Any = CudaMemory() if device == "cuda" else HostMemory()
        self._results = _outputs_type(tuple(t.name for t in self.outputs))
        self._bound: Dict[str, Any] = {}

    def __repr__(self) -> str:
        lines = [f"model {self.name} on {self.device}"]
        lines += [f"  in   {t}{'  (bound)' if t.name in self._bound else ''}" for t in self.inputs]
        lines += [f"  out  {t}" for t in self.outputs]
        return "\n".join(lines)

    def bind(self, arrays: Mapping[str, Any]) -> None:
        """Keeps these inputs for all runs that follow."""
        by_name = {tensor.name: tensor for tensor in self.inputs}
        unknown = [name for name in arrays if name not in by_name]
        if unknown:
            raise TypeError(f"{self.name} has no input {unknown[0]}; it has {', '.join(map(str, self.inputs))}")
        sized = [name for name in arrays if self._interface.sizes and self._interface.sizes.has(by_name[name])]
        if sized:
            raise TypeError(f"{self.name}: {sized[0]} is as long as each run says; it is not bound")
        self._bound.update({name: self._memory.keep(self._memory.input(by_name[name], readable(by_name[name], value)))
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
        given: Dict[str, str] = {}  # tensors by the inputs that they are
        for name in arrays:
            input_name = names.get(name, plain[name])
            first = given.setdefault(input_name, name)
            if first != name:
                raise Error(f"{os.fspath(path)}: {first} and {name} would both be {input_name}: call them as the "
                            f"inputs are called ({self._signature()}), or keep {INPUTS} of the metadata that "
                            "sinter.jax.export wrote")
        try:
            self.bind({input_name: arrays[name] for input_name, name in given.items()})
        except (TypeError, ValueError) as error:
            raise Error(f"{os.fspath(path)}: {error}") from None

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        values = self._arguments(arrays, named)
        sizes = self._interface.sizes
        numbers = sizes.of(values) if sizes else []
        if sizes:
            by_name = {tensor.name: tensor for tensor in self.inputs}
            values = {name: sizes.with_room(by_name[name], value) for name, value in values.items()}
        with self._owner.lock:
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

    def takes(self, *arrays: Any, **named: Any) -> bool:
        """True if these are arrays of the inputs' shapes that a call would name so."""
        by_name = {tensor.name: tensor for tensor in self.inputs}
        sizes = self._interface.sizes
        try:
            values = self._arguments(arrays, named)
            if sizes:
                sizes.of(values)
                values = {name: sizes.with_room(by_name[name], value) for name, value in values.items()}
        except (TypeError, ValueError):
            return False
        return all(np.shape(values[t.name]) == t.shape for t in self.inputs if t.name in values)

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
        return {tensor.name: readable(tensor, values[tensor.name]) for tensor in self.inputs if tensor.name in values}


class Programs(_OfThisProcess, Mapping[str, Model]):
    """The programs of one library, by their names: `programs["decode"](x)`.

    They share weights and device memory: runs of one instance follow each other, whichever program they are of. A call
    of all, `programs(x)`, runs the one whose inputs have these shapes.
    """

    def __init__(self, interface: JoinedInterface, device: str, weights: Optional[Path]) -> None:
        if weights is not None and not interface.has_weights:
            raise Error(f"{interface.name} has no weights; inputs are bound for a program: "
                        f"load(...)[{interface.entries[0]!r}].bind_weights({os.fspath(weights)!r})")
        self.name, self.device = interface.name, device
        self._interface = interface
        owner = _Instance(interface, weights)
        self._programs = {entry: Model(interface.program(entry), device, owner, instance)
                          for entry, instance in interface.instances(owner.handle).items()}

    def fit(self, *sizes: int) -> Optional[Model]:
        """The smallest program with room for these sizes, in the order of the header's NAME_fit; None: none has."""
        entry = self._interface.fit(sizes)
        return None if entry is None else self[entry]

    def __getitem__(self, entry: str) -> Model:
        try:
            return self._programs[entry]
        except KeyError:
            raise KeyError(f"{self.name} has no program {entry}; it has {', '.join(self)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._programs)

    def __len__(self) -> int:
        return len(self._programs)

    def __repr__(self) -> str:
        lines = [f"programs of {self.name} on {self.device}"]
        for entry, model in self.items():
            lines += [f"  {entry}"] + [f"  {line}" for line in repr(model).splitlines()[1:]]
        return "\n".join(lines)

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        fitting = [entry for entry, model in self.items() if model.takes(*arrays, **named)]
        if len(fitting) == 1:
            return self[fitting[0]](*arrays, **named)
        if fitting:
            raise TypeError(f"{self.name}: {' and '.join(fitting)} take these; name one: "
                            f"{self.name}[{fitting[0]!r}](...)")
        raise TypeError("\n  ".join([f"{self.name}: no program takes these:"] +
                                   [f"{entry} takes {model._signature()}" for entry, model in self.items()]))


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


def load(path: Path, device: Optional[str] = None, weights: Optional[Path] = None, name: Optional[str] = None,
         entry: Optional[str] = None) -> Union[Model, Programs]:
    """A Model that sinter.build, or a build of your own, has built; of a library of several programs, Programs.

    `path` is the emitted folder or a shared library, libNAME.so; `name` is the program's, where the library is called
    otherwise. `device` is needed where a folder is built for both. `weights` are a safetensors file: of a program's
    weights (docs/weights.md), by default the folder's; of a program without them, of inputs: see Model.bind_weights.
    `entry` is the one program that is wanted, of several.
    """
    place = pathlib.Path(path)
    if place.is_dir():
        name = program_name(place)
        built = [device] if device else _built_devices(place)
        if len(built) != 1:
            raise Error(f"{place} is built for both devices: load(..., device='cpu') or 'cuda'" if built else
                        f"{place} is not built: call sinter.build({str(place)!r}, device='cpu') or 'cuda'")
        device, file = built[0], library_path(place, built[0])
        if not file.exists():
            raise Error(f"{place} is not built for {device}: call sinter.build({str(place)!r}, device={device!r})")
        _warn_if_stale(place, file)
        if weights is None and (place / "weights.safetensors").exists():
            weights = place / "weights.safetensors"
    else:
        file = place
        name = name or re.sub(r"^lib|\.so.*$", "", place.name)
    library = open_library(file)
    device = device or ("cuda" if _holds_device_code(file) else "cpu")
    if joins_programs(library, name):
        programs = Programs(JoinedInterface(library, name), device, weights)
        if entry is None:
            return programs
        if entry not in programs:
            raise Error(f"{name} has no program {entry}; it has {', '.join(programs)}")
        return programs[entry]
    if entry is not None:
        raise Error(f"{name} is one program, without an entry {entry}")
    interface = ProgramInterface(library, name)
    owner = _Instance(interface, weights)
    model = Model(interface, device, owner, owner.handle)
    if weights is not None and not interface.has_weights:
        model.bind_weights(weights)
    return model


def _holds_device_code(library: pathlib.Path) -> bool:
    return library.exists() and b".nv_fatbin\0" in library.read_bytes()
