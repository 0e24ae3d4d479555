"""Element types of HLO in numpy. Those that numpy lacks are ml_dtypes' where that is installed, else their bits."""

from typing import Dict, Optional, Tuple

import numpy as np

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

_NUMPY: Dict[str, str] = {
    "pred": "bool", "s8": "int8", "s16": "int16", "s32": "int32", "s64": "int64", "u8": "uint8", "u16": "uint16",
    "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
    "c128": "complex128",
    # An element a byte, as emitted code keeps them.
    "s1": "int8", "s2": "int8", "s4": "int8", "u1": "uint8", "u2": "uint8", "u4": "uint8",
}

# Floats of ml_dtypes.
_FLOATS: Dict[str, str] = {
    "bf16": "bfloat16", "f8e3m4": "float8_e3m4", "f8e4m3": "float8_e4m3", "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3fnuz": "float8_e4m3fnuz", "f8e4m3b11fnuz": "float8_e4m3b11fnuz", "f8e5m2": "float8_e5m2",
    "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0fnu": "float8_e8m0fnu", "f4e2m1fn": "float4_e2m1fn",
    "f6e2m3fn": "float6_e2m3fn", "f6e3m2fn": "float6_e3m2fn",
}

# Integers of ml_dtypes, whose arrays are taken for those of a byte.
_INTEGERS: Dict[str, str] = {"s1": "int1", "s2": "int2", "s4": "int4", "u1": "uint1", "u2": "uint2", "u4": "uint4"}


def _bits_dtype(hlo: str) -> np.dtype:
    return np.dtype(np.uint16 if hlo == "bf16" else np.uint8)


def numpy_dtype(hlo: str) -> np.dtype:
    """The type of arrays that hold elements of an HLO type: "f32"."""
    if hlo in _NUMPY:
        return np.dtype(_NUMPY[hlo])
    scalar = getattr(ml_dtypes, _FLOATS[hlo], None)
    return _bits_dtype(hlo) if scalar is None else np.dtype(scalar)


def holds_bits(hlo: str) -> bool:
    """True of floats whose arrays are their bits, without ml_dtypes."""
    return hlo in _FLOATS and numpy_dtype(hlo) == _bits_dtype(hlo)


INTEGERS = 1  # their rank


def rank(hlo: str) -> int:
    """Booleans, integers, floats, complex numbers: 0 to 3. Numbers of Python become elements of their rank or more."""
    if hlo == "pred":
        return 0
    return {"s": INTEGERS, "u": INTEGERS, "c": 3}.get(hlo[0], 2)


def limits(hlo: str) -> Tuple[int, int]:
    """The least and the largest of an integer type, of less than a byte too."""
    bits = int(hlo[1:])
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if hlo[0] == "s" else (0, (1 << bits) - 1)


def hlo_of(dtype: np.dtype) -> Optional[str]:
    """The HLO type of an array's elements; None if there is none."""
    for table in (_NUMPY, _FLOATS, _INTEGERS):
        for hlo, name in table.items():
            if dtype.name == name:
                return hlo
    return None


def is_stored_as(hlo: str, dtype: Optional[np.dtype]) -> bool:
    """True of arrays whose memory is what emitted code reads: of the type itself, or of its bits."""
    return dtype == numpy_dtype(hlo) or (hlo in _FLOATS and dtype == _bits_dtype(hlo))


def as_elements(array: np.ndarray, hlo: str) -> Optional[np.ndarray]:
    """The array with elements as emitted code reads those of `hlo`; None if it has other ones."""
    if is_stored_as(hlo, array.dtype):
        return array
    if hlo in _INTEGERS and array.dtype.name == _INTEGERS[hlo]:
        return array.astype(numpy_dtype(hlo))
    return None
