"""Emitted folders: HLO text compiled to one, and one built to a library."""

import json
import os
import pathlib
import re
import shutil
import subprocess
from typing import Any, List, Sequence, Union

from sinter.program import Error, flags, run

Path = Union[str, "os.PathLike[str]"]

DEVICES = ("cpu", "cuda")


def compile(path: Union[Path, Sequence[Path]], folder: Path, **options: Any) -> pathlib.Path:
    """Compiles HLO text (or Grain) at `path` to a folder of CUDA C++, and returns the folder. Several paths are programs
    of one library.

    `options` are those of `sinter compile`: name="policy", arch="80,90a", no_fma=True. Raises Error with the
    compiler's diagnostics.
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else path
    run(["compile", *map(os.fspath, paths), "-o", os.fspath(folder), *flags(options)])
    return pathlib.Path(folder)


def program_name(folder: pathlib.Path) -> str:
    """What the functions of an emitted folder are called."""
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text())
        return manifest["program"]
    except FileNotFoundError:
        raise Error(f"{folder} is no folder that sinter.compile wrote: it has no manifest.json") from None
    except (ValueError, KeyError):
        raise Error(f"{path} is not as sinter wrote it") from None


def build_folder(folder: pathlib.Path, device: str) -> pathlib.Path:
    """Where the library for a device is built."""
    if device not in DEVICES:
        raise ValueError(f"device is 'cpu' or 'cuda', not {device!r}")
    return folder / "build" / device


def library_path(folder: pathlib.Path, device: str) -> pathlib.Path:
    return build_folder(folder, device) / f"lib{program_name(folder)}.so"


def _call(command: List[str], what: str) -> None:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
    except FileNotFoundError:
        raise Error(f"{what}: {command[0]} was not found; pip install cmake ninja brings it") from None
    if done.returncode != 0:
        raise Error(f"{what}:\n{done.stdout.strip()}")


def _drop_cache_of_another_place(place: pathlib.Path) -> None:
    """CMake refuses what it has configured in a folder that was moved or copied since."""
    cache = place / "CMakeCache.txt"
    if not cache.exists():
        return
    configured = re.search(r"^CMAKE_CACHEFILE_DIR:INTERNAL=(.*)$", cache.read_text(errors="replace"), re.MULTILINE)
    if configured and os.path.realpath(configured[1]) != os.path.realpath(place):
        cache.unlink()
        shutil.rmtree(place / "CMakeFiles", ignore_errors=True)


def build(folder: Path, device: str = "cpu", cmake: Sequence[str] = ()) -> pathlib.Path:
    """Builds an emitted folder to a shared library, whose path is returned; what has not changed is not built again.

    "cpu" takes a C++ compiler, "cuda" nvcc. `cmake` are further arguments of CMake's configuration:
    "-DCMAKE_CUDA_ARCHITECTURES=90a-real".
    """
    source = pathlib.Path(folder)
    name = program_name(source)
    place = build_folder(source, device)
    prefix = name.upper()
    configure = ["cmake", "-S", str(source), "-B", str(place), f"-D{prefix}_LIBRARY_TYPE=SHARED", f"-D{prefix}_CLI=OFF",
                 f"-D{prefix}_INSTALL=OFF", f"-D{prefix}_CPU={'ON' if device == 'cpu' else 'OFF'}", *cmake]
    _drop_cache_of_another_place(place)
    if shutil.which("ninja") and not (place / "CMakeCache.txt").exists():
        configure += ["-G", "Ninja"]
    _call(configure, f"configuring {source} for {device}")
    _call(["cmake", "--build", str(place), "--parallel", str(os.cpu_count() or 1)], f"building {source} for {device}")
    return library_path(source, device)
