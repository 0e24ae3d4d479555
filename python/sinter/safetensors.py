"""Safetensors files: a header of JSON behind its length, then the arrays' bytes."""

import json
import os
import pathlib
from typing import Dict, Mapping, Tuple, Union

import numpy as np

from sinter import dtypes
from sinter.program import Error

# Names of element types in the files, by those of HLO.
_FILE_TYPES = {
    "pred": "BOOL", "s8": "I8", "s16": "I16", "s32": "I32", "s64": "I64", "u8": "U8", "u16": "U16", "u32": "U32",
    "u64": "U64", "f16": "F16", "bf16": "BF16", "f32": "F32", "f64": "F64", "c64": "C64", "c128": "C128",
    "f8e4m3fn": "F8_E4M3", "f8e5m2": "F8_E5M2", "f8e8m0fnu": "F8_E8M0",
}
_ALIGNMENT = 8


def write(path: Union[str, "os.PathLike[str]"], arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    header: Dict[str, object] = {"__metadata__": dict(metadata)} if metadata else {}
    end = 0
    for name, array in arrays.items():
        hlo = dtypes.hlo_of(array.dtype)
        if hlo not in _FILE_TYPES:
            raise TypeError(f"{name}: a safetensors file holds no {array.dtype}")
        header[name] = {"dtype": _FILE_TYPES[hlo], "shape": list(array.shape),
                        "data_offsets": [end, end + array.nbytes]}
        end += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            file.write(np.ascontiguousarray(array).tobytes())


def read(path: Union[str, "os.PathLike[str]"]) -> Tuple[Dict[str, np.ndarray], Dict[str, str]]:
    """The arrays by name, and the file's metadata."""
    data = pathlib.Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    hlo_types = {file_type: hlo for hlo, file_type in _FILE_TYPES.items()}
    arrays = {}
    try:
        header = json.loads(data[8:8 + length])
        metadata = header.pop("__metadata__", {})
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            if entry["dtype"] not in hlo_types:
                raise Error(f"{os.fspath(path)}: {name} has elements of type {entry['dtype']}, which are not read")
            dtype = dtypes.numpy_dtype(hlo_types[entry["dtype"]])
            arrays[name] = np.frombuffer(data[8 + length:][begin:end], dtype).reshape(entry["shape"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Error(f"{os.fspath(path)} is no safetensors file, or is cut short") from None
    return arrays, metadata
