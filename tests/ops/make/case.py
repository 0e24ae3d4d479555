"""A case of the op tests, and how it is written as text (tests/ops/README.md)."""

from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

DTYPES = {
    "pred": np.bool_,
    "s2": ml_dtypes.int2, "s4": ml_dtypes.int4, "s8": np.int8, "s16": np.int16, "s32": np.int32, "s64": np.int64,
    "u2": ml_dtypes.uint2, "u4": ml_dtypes.uint4, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "f8e5m2": ml_dtypes.float8_e5m2, "f8e4m3": ml_dtypes.float8_e4m3, "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz, "f8e3m4": ml_dtypes.float8_e3m4,
    "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz, "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e8m0fnu": ml_dtypes.float8_e8m0fnu, "f4e2m1fn": ml_dtypes.float4_e2m1fn,
    "f6e2m3fn": ml_dtypes.float6_e2m3fn, "f6e3m2fn": ml_dtypes.float6_e3m2fn,
    "c64": np.complex64, "c128": np.complex128,
}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}

SIGNED = ["s2", "s4", "s8", "s16", "s32", "s64"]
UNSIGNED = ["u2", "u4", "u8", "u16", "u32", "u64"]
WIDE_INTS = ["s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"]
INTS = SIGNED + UNSIGNED
FLOATS = ["f16", "bf16", "f32", "f64"]
SMALL_FLOATS = ["f8e5m2", "f8e4m3", "f8e4m3fn", "f8e4m3b11fnuz", "f8e3m4", "f8e5m2fnuz", "f8e4m3fnuz", "f8e8m0fnu",
                "f4e2m1fn", "f6e2m3fn", "f6e3m2fn"]
COMPLEX = ["c64", "c128"]

# Empty, scalar, size 1, odd, ranks 0 to 8.
SHAPES = [(), (0,), (1,), (7,), (257,), (0, 3), (3, 0), (1, 1), (5, 3), (17, 33), (2, 3, 4), (1, 7, 1), (1, 7, 1, 3),
          (2, 1, 3, 1, 2), (1, 2, 1, 2, 1, 2), (2, 1, 1, 2, 1, 1, 3), (1, 2, 1, 2, 1, 2, 1, 2), (2, 0, 3, 1, 1)]


@dataclass
class Case:
    op: str
    name: str
    text: str  # the computations, the entry last
    inputs: list = field(default_factory=list)
    expected: list | None = None  # where XLA:CPU does not run the text or says something else than HLO
    ulp: int | None = None
    relaxed: float | None = None
    refused: bool = False
    expected_text: str | None = None  # where it is known already


def dims_text(shape):
    return "x".join(str(d) for d in shape) if shape else "scalar"


def shape_text(dtype, shape):
    return f"{dtype}[{','.join(str(d) for d in shape)}]"


def of(array):
    """The shape of an array as HLO has it."""
    array = np.asarray(array)
    return shape_text(NAMES[array.dtype], array.shape)


def main(instructions, inputs=(), functions=""):
    """An entry with a parameter x0, x1, ... for each input; the last instruction is its root."""
    lines = [f"x{i} = {of(a)} parameter({i})" for i, a in enumerate(inputs)]
    lines += [line.strip() for line in instructions.strip().splitlines()]
    lines[-1] = "ROOT " + lines[-1]
    body = "".join(f"  {line}\n" for line in lines)
    return f"{functions}ENTRY main {{\n{body}}}\n"


def binary_function(op, dtype, name=None):
    return (f"{name or op} {{\n  a = {dtype}[] parameter(0)\n  b = {dtype}[] parameter(1)\n"
            f"  ROOT r = {dtype}[] {op}(a, b)\n}}\n\n")


def float_text(value):
    """The shortest decimal that gives back the value."""
    plain = float(value)
    if np.isnan(plain):
        return "-nan" if np.signbit(value) else "nan"
    if np.isinf(plain):
        return "inf" if plain > 0 else "-inf"
    dtype = np.asarray(value).dtype
    if dtype in (np.float16, np.float32, np.float64):
        text = str(value)
    else:
        shorter = (f"{plain:.{n}g}" for n in range(1, 18))
        largest = float(ml_dtypes.finfo(dtype).max)  # which some types round to from above
        text = next(t for t in shorter if abs(float(t)) <= largest and float(dtype.type(float(t))) == plain)
    if text.endswith(".0"):
        text = text[:-2]
    return "-0.0" if text == "-0" else text


def element_text(value):
    dtype = np.asarray(value).dtype
    if dtype == np.bool_:
        return "1" if value else "0"
    if dtype in (np.complex64, np.complex128):
        return f"({float_text(value.real)}, {float_text(value.imag)})"
    name = NAMES[dtype]
    return str(int(value)) if name in INTS else float_text(value)


def literal_text(array):
    if array.ndim == 0:
        return str(bool(array)).lower() if array.dtype == np.bool_ else element_text(array[()])
    return "{" + ", ".join(literal_text(row) for row in array) + "}"


def values_text(name, arrays):
    """A computation without parameters: the arrays as constants, together as a tuple."""
    lines = [f"  v{i} = {of(a)} constant({literal_text(np.asarray(a))})\n" for i, a in enumerate(arrays)]
    shapes = ", ".join(of(a) for a in arrays)
    names = ", ".join(f"v{i}" for i in range(len(arrays)))
    return f"{name} {{\n{''.join(lines)}  ROOT values = ({shapes}) tuple({names})\n}}\n\n"


EXPECTED = "expected {\n"


def case_text(case):
    """Without values where they are not known yet."""
    attributes = []
    if case.ulp is not None:
        attributes.append(f'max_ulp="{case.ulp}"')
    if case.relaxed is not None:
        attributes.append(f'relaxed="{case.relaxed:g}"')
    header = f"HloModule {case.op}.{case.name}"
    if attributes:
        header += ", frontend_attributes={" + ",".join(attributes) + "}"
    text = header + "\n\n"
    if not case.refused:
        text += values_text("inputs", case.inputs)
        if case.expected is not None:
            text += values_text("expected", case.expected)
        else:
            text += case.expected_text or EXPECTED
    return text + case.text + "\n"


def counting(dtype, shape, step=7, modulus=13):
    """Small numbers of both signs, all of which every wide type holds exactly."""
    count = int(np.prod(shape, dtype=np.int64))
    numbers = np.arange(count) * step % modulus
    if dtype == "pred":
        return (numbers % 2 == 0).reshape(shape)
    if dtype not in UNSIGNED:
        numbers = numbers - modulus // 2
    if dtype in COMPLEX:
        return (numbers * 0.5 + 1j * (numbers[::-1] * 0.25)).astype(DTYPES[dtype]).reshape(shape)
    if dtype in INTS and dtype not in WIDE_INTS:
        numbers = numbers % 2
    return (numbers * 0.5 if dtype in FLOATS + SMALL_FLOATS else numbers).astype(DTYPES[dtype]).reshape(shape)


def awkward(dtype):
    """Values at which operations have been wrong."""
    kind = DTYPES[dtype]
    if dtype == "pred":
        return np.array([False, True])
    if dtype in COMPLEX:
        part = np.float32 if dtype == "c64" else np.float64
        parts = [0.0, -0.0, 1.0, -2.5, 0.3]
        return np.array([complex(a, b) for a in parts for b in parts] + [complex(100.0, 1.0), complex(-1e-3, 1e3)],
                        dtype=kind)
    if dtype in INTS:
        low, high = int(ml_dtypes.iinfo(kind).min), int(ml_dtypes.iinfo(kind).max)
        wanted = [0, 1, 2, 3, 5, 7, -1, -2, -7, low, low + 1, high, high - 1, high // 3]
        return np.array(sorted({v for v in wanted if low <= v <= high}), dtype=kind)
    info = ml_dtypes.finfo(kind)
    wanted = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, -3.7, 10.0, 100.25, -0.49999997, float(info.tiny),
              float(info.smallest_subnormal), -float(info.smallest_subnormal), float(info.max), -float(info.max),
              float(info.eps), np.inf, -np.inf, np.nan]
    values = np.array(wanted, dtype=np.float64)
    if dtype == "f8e8m0fnu":
        values = np.array([1.0, 2.0, 0.5, 1024.0, 2.0**-126, float(info.max), np.nan])
    with np.errstate(all="ignore"):
        cast = values.astype(kind)
    if dtype in SMALL_FLOATS:  # the distinct ones
        seen = {}
        for value in cast:
            seen.setdefault(value.tobytes(), value)
        cast = np.array(list(seen.values()), dtype=kind)
    return cast


LARGE = {"bf16": 1e30, "f32": 1e30, "f64": 1e300}


def without_subnormals(values):
    """XLA:CPU takes them for zero."""
    dtype = NAMES[values.dtype]
    if dtype not in LARGE and dtype not in COMPLEX:
        return values
    return values[(values == 0) | ~(np.abs(values) < np.finfo(np.float32).tiny if dtype != "f64" else
                                    np.abs(values) < np.finfo(np.float64).tiny)]


def pairs(dtype, most=9):
    """Two arrays that hold each pair of some awkward values."""
    values = awkward(dtype)
    if len(values) > most:
        chosen = {"c64": [0, 1, 7, 12, 24, 26, 3], "c128": [0, 1, 7, 12, 24, 26, 3]}.get(dtype)
        if chosen is None and dtype in FLOATS + SMALL_FLOATS:
            chosen = [i for i in (0, 1, 2, 7, 8, 10, 17, 20, 22) if i < len(values)]
        if chosen is None:
            chosen = np.linspace(0, len(values) - 1, most).astype(int)
        values = values[list(chosen)]
        if dtype in LARGE:  # whose reciprocal XLA:CPU does not flush to zero
            values = np.where(values == ml_dtypes.finfo(DTYPES[dtype]).max, np.float64(LARGE[dtype]), values).astype(values.dtype)
    a, b = np.repeat(values, len(values)), np.tile(values, len(values))
    return a, b
