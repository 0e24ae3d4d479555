"""Elementwise operations: every element type at its awkward values, and awkward shapes."""

import ml_dtypes
import numpy as np

from case import (COMPLEX, DTYPES, FLOATS, INTS, SHAPES, SIGNED, SMALL_FLOATS, UNSIGNED, WIDE_INTS, Case, awkward,
                  counting, dims_text, main, of, pairs, shape_text, without_subnormals)

EXACT_UNARY = {
    "abs": SIGNED + FLOATS + SMALL_FLOATS + COMPLEX, "negate": INTS + FLOATS + SMALL_FLOATS + COMPLEX,
    "sign": SIGNED + FLOATS + SMALL_FLOATS, "not": ["pred"] + INTS, "popcnt": INTS, "count-leading-zeros": INTS,
    "ceil": FLOATS + SMALL_FLOATS, "floor": FLOATS + SMALL_FLOATS, "round-nearest-afz": FLOATS + SMALL_FLOATS,
    "round-nearest-even": FLOATS + SMALL_FLOATS, "is-finite": FLOATS + SMALL_FLOATS, "copy": ["pred"] + INTS + FLOATS
    + SMALL_FLOATS + COMPLEX, "real": FLOATS + COMPLEX, "imag": FLOATS + COMPLEX,
}
MATH = ["sqrt", "rsqrt", "cbrt", "exponential", "exponential-minus-one", "log", "log-plus-one", "sine", "cosine", "tan",
        "tanh", "logistic", "erf"]
MATH_DECOMPOSED = ["sinh", "cosh", "asin", "acos", "asinh", "acosh", "atanh"]  # XLA:CPU has none of these
MATH_SMALL = ["exponential", "sqrt", "tanh", "log", "sine"]
NUMPY = {"sinh": np.sinh, "cosh": np.cosh, "asin": np.arcsin, "acos": np.arccos, "asinh": np.arcsinh,
         "acosh": np.arccosh, "atanh": np.arctanh}

EXACT_BINARY = {
    "add": ["pred"] + INTS + FLOATS + SMALL_FLOATS + COMPLEX, "subtract": INTS + FLOATS + SMALL_FLOATS + COMPLEX,
    "multiply": ["pred"] + INTS + FLOATS + SMALL_FLOATS, "divide": INTS + FLOATS + SMALL_FLOATS,
    "remainder": INTS + FLOATS, "maximum": ["pred"] + INTS + FLOATS + SMALL_FLOATS,
    "minimum": ["pred"] + INTS + FLOATS + SMALL_FLOATS, "and": ["pred"] + INTS, "or": ["pred"] + INTS,
    "xor": ["pred"] + INTS, "shift-left": INTS, "shift-right-arithmetic": INTS, "shift-right-logical": INTS,
}
NARROW = ["s2", "s4", "u2", "u4"]
DIRECTIONS = ["EQ", "NE", "GE", "GT", "LE", "LT"]


def part(dtype):
    return {"c64": "f32", "c128": "f64"}.get(dtype, dtype)


def ulp(op, dtype):
    """How far from XLA:CPU's result: its own functions are approximations."""
    if dtype in COMPLEX or dtype not in FLOATS + SMALL_FLOATS:
        return None
    return {"f16": 1, "bf16": 1, "f32": 8, "f64": 4}.get(dtype, 1)


def shifted(op, dtype, value, amount):
    """Amounts of the width or more leave 0, or the sign."""
    bits = ml_dtypes.iinfo(DTYPES[dtype]).bits
    if op == "shift-right-arithmetic":
        signed = value % 2 ** bits
        signed -= 2 ** bits if signed >= 2 ** (bits - 1) else 0
        result = signed >> min(amount, bits)
    elif op == "shift-left":
        result = value << amount if amount < bits else 0
    else:
        result = (value % 2 ** bits) >> amount if amount < bits else 0
    result %= 2 ** bits
    return result - 2 ** bits if dtype[0] == "s" and result >= 2 ** (bits - 1) else result


def unary():
    for op, dtypes in EXACT_UNARY.items():
        for dtype in dtypes:
            x = awkward(dtype) if op in ("copy", "abs", "negate", "is-finite") else without_subnormals(awkward(dtype))
            result = {"is-finite": "pred", "real": part(dtype), "imag": part(dtype)}.get(op, dtype)
            if op == "abs":
                result = part(dtype)
            inexact = op == "abs" and dtype in COMPLEX
            expected = None
            if dtype in NARROW and op in ("popcnt", "count-leading-zeros"):
                bits = ml_dtypes.iinfo(DTYPES[dtype]).bits
                patterns = [int(v) % 2 ** bits for v in x]
                counts = [bin(p).count("1") if op == "popcnt" else bits - p.bit_length() for p in patterns]
                expected = [np.array([c - 2 ** bits if c >= 2 ** (bits - 1) and dtype[0] == "s" else c for c in counts],
                                     DTYPES[dtype])]
            yield Case(op, dtype, main(f"r = {shape_text(result, x.shape)} {op}(x0)", [x]), [x], expected,
                       ulp=1 if inexact else None)
    for op in MATH:
        for dtype in FLOATS + (COMPLEX if op != "erf" else []):
            x = without_subnormals(awkward(dtype))
            expected = None
            if op == "sqrt" and dtype in COMPLEX:  # XLA:CPU has another value on the branch cut
                expected = [np.sqrt(x)]
            if op == "cbrt" and dtype in COMPLEX:
                continue
            if dtype not in COMPLEX and op in ("sine", "cosine", "tan"):
                x = x[np.abs(x.astype(np.float64)) < 1e4]
            complex_bound = None if dtype not in COMPLEX else 2e-6 if dtype == "c64" else 1e-14
            yield Case(op, dtype, main(f"r = {of(x)} {op}(x0)", [x]), [x], expected, ulp=ulp(op, dtype),
                       relaxed=complex_bound)
    for op in MATH_SMALL:
        for dtype in SMALL_FLOATS:
            x = awkward(dtype)
            yield Case(op, dtype, main(f"r = {of(x)} {op}(x0)", [x]), [x], ulp=1)
    for op in MATH_DECOMPOSED:
        for dtype in FLOATS:
            x = awkward(dtype)
            x = x[np.abs(x.astype(np.float64)) < 11] if op in ("sinh", "cosh") else x
            with np.errstate(all="ignore"):
                expected = NUMPY[op](x.astype(np.float64)).astype(DTYPES[dtype])
            yield Case(op, dtype, main(f"r = {of(x)} {op}(x0)", [x]), [x], [expected], ulp=ulp(op, dtype))
    for op, dtype in (("negate", "f32"), ("abs", "c64")):
        for shape in SHAPES:
            x = counting(dtype, shape)
            result = shape_text("f32" if op == "abs" else dtype, shape)
            yield Case(op, f"{dtype}_{dims_text(shape)}", main(f"r = {result} {op}(x0)", [x]), [x],
                       ulp=1 if op == "abs" else None)
    for dtype in COMPLEX:
        x = awkward(dtype)
        yield Case("sign", dtype, main(f"r = {of(x)} sign(x0)", [x]), [x], relaxed=1e-6 if dtype == "c64" else 1e-15)


def binary():
    for op, dtypes in EXACT_BINARY.items():
        for dtype in dtypes:
            a, b = pairs(dtype)
            expected = None
            if op.startswith("shift"):
                amounts = np.array([0, 1, 2, 7, 8, 15, 16, 31, 32, 63, 64], dtype=np.int64)
                amounts = amounts[amounts <= ml_dtypes.iinfo(DTYPES[dtype]).max].astype(DTYPES[dtype])
                values = awkward(dtype)[::2]
                a, b = np.repeat(values, len(amounts)), np.tile(amounts, len(values))
                if dtype in NARROW:
                    expected = [np.array([shifted(op, dtype, int(x), int(y)) for x, y in zip(a, b)], DTYPES[dtype])]
            if dtype == "f8e8m0fnu" and op in ("multiply", "divide"):  # which may be below the smallest normal f32
                x, y = a.astype(np.float32), b.astype(np.float32)
                with np.errstate(all="ignore"):
                    expected = [(x * y if op == "multiply" else x / y).astype(DTYPES[dtype])]
            yield Case(op, dtype, main(f"r = {of(a)} {op}(x0, x1)", [a, b]), [a, b], expected)
    for dtype in COMPLEX:
        a, b = pairs(dtype)
        finite = np.isfinite(a * b) & (b != 0)
        a, b = a[finite], b[finite]
        for op in ("multiply", "divide"):
            yield Case(op, dtype, main(f"r = {of(a)} {op}(x0, x1)", [a, b]), [a, b],
                       relaxed=1e-6 if dtype == "c64" else 1e-14)
        a, b = np.array([1 + 2j, -0.5j, 3, 2.5 - 1j], DTYPES[dtype]), np.array([2, 1.5 + 0.5j, -1j, 0.25], DTYPES[dtype])
        yield Case("power", dtype, main(f"r = {of(a)} power(x0, x1)", [a, b]), [a, b],
                   relaxed=1e-5 if dtype == "c64" else 1e-13)
    for dtype in FLOATS:
        a, b = pairs(dtype)
        for op in ("power", "atan2"):
            yield Case(op, dtype, main(f"r = {of(a)} {op}(x0, x1)", [a, b]), [a, b], ulp=ulp(op, dtype))
    for dtype in WIDE_INTS:  # a negative exponent of -1 is not defined alike everywhere
        bases = np.array([v for v in (0, 1, 2, 3, -2, -3, 7) if v >= 0 or dtype[0] == "s"], DTYPES[dtype])
        exponents = np.array([v for v in (0, 1, 2, 3, 5, 62, -1) if v >= 0 or dtype[0] == "s"], DTYPES[dtype])
        a, b = np.repeat(bases, len(exponents)), np.tile(exponents, len(bases))
        yield Case("power", dtype, main(f"r = {of(a)} power(x0, x1)", [a, b]), [a, b])
    for dtype in WIDE_INTS:
        a, b = pairs(dtype)
        bits = np.iinfo(DTYPES[dtype]).bits
        high = [(int(x) * int(y)) >> bits for x, y in zip(a, b)]
        yield Case("mulhi", dtype, main(f"r = {of(a)} mulhi(x0, x1)", [a, b]), [a, b], [np.array(high, DTYPES[dtype])])
    for dtype in ("f32", "f64"):
        a, b = pairs(dtype)
        result = shape_text({"f32": "c64", "f64": "c128"}[dtype], a.shape)
        yield Case("complex", dtype, main(f"r = {result} complex(x0, x1)", [a, b]), [a, b])
    for op, dtype in (("add", "f32"), ("subtract", "u16"), ("and", "pred")):
        for shape in SHAPES:
            a, b = counting(dtype, shape), counting(dtype, shape, 5, 11)
            yield Case(op, f"{dtype}_{dims_text(shape)}", main(f"r = {of(a)} {op}(x0, x1)", [a, b]), [a, b])


def compare():
    for dtype in ["pred"] + INTS + FLOATS + SMALL_FLOATS + COMPLEX:
        a, b = pairs(dtype)
        directions = DIRECTIONS[:2] if dtype in COMPLEX else DIRECTIONS
        result = shape_text("pred", a.shape)
        lines = [f"r{i} = {result} compare(x0, x1), direction={d}" for i, d in enumerate(directions)]
        names = ", ".join(f"r{i}" for i in range(len(directions)))
        lines.append(f"r = ({', '.join([result] * len(directions))}) tuple({names})")
        yield Case("compare", dtype, main("\n".join(lines), [a, b]), [a, b])
        for direction in directions if dtype in ("f32", "s32", "u64") else ():
            yield Case("compare", f"{dtype}_{direction}",
                       main(f"r = {result} compare(x0, x1), direction={direction}", [a, b]), [a, b])
    for dtype in FLOATS:
        special = np.array([-np.nan, -np.inf, -1.5, -0.0, 0.0, 1.5, np.inf, np.nan])
        special = np.where(np.arange(8) == 0, np.copysign(np.nan, -1.0), special).astype(DTYPES[dtype])
        a, b = np.repeat(special, 8), np.tile(special, 8)
        for i, direction in enumerate(DIRECTIONS):
            order = np.arange(8)
            left, right = np.repeat(order, 8), np.tile(order, 8)
            numpy = [np.equal, np.not_equal, np.greater_equal, np.greater, np.less_equal, np.less][i]
            yield Case("compare", f"{dtype}_{direction}_total",
                       main(f"r = pred[64] compare(x0, x1), direction={direction}, type=TOTALORDER", [a, b]), [a, b],
                       [numpy(left, right)])


def select_and_clamp():
    for dtype in ["pred"] + INTS + FLOATS + SMALL_FLOATS + COMPLEX:
        a, b = pairs(dtype)
        p = counting("pred", a.shape)
        yield Case("select", dtype, main(f"r = {of(a)} select(x0, x1, x2)", [p, a, b]), [p, a, b])
        if dtype in COMPLEX + ["pred"]:
            continue
        low, high = counting(dtype, (), 3, 5), (awkward(dtype)[len(awkward(dtype)) // 2])
        low, high = np.asarray(low), np.asarray(high)
        yield Case("clamp", dtype, main(f"r = {of(a)} clamp(x0, x1, x2)", [low, a, high]), [low, a, high])
    for dtype in ("f32",):
        for shape in SHAPES:
            p, a, b = counting("pred", shape), counting(dtype, shape), counting(dtype, shape, 5, 11)
            yield Case("select", f"{dtype}_{dims_text(shape)}", main(f"r = {of(a)} select(x0, x1, x2)", [p, a, b]),
                       [p, a, b])
            yield Case("clamp", f"{dtype}_{dims_text(shape)}", main(f"r = {of(a)} clamp(x0, x1, x2)", [a, b, a]),
                       [a, b, a])


def convert():
    wide = ["pred"] + WIDE_INTS + FLOATS + COMPLEX
    narrow = SMALL_FLOATS + ["s2", "s4", "u2", "u4"]
    of_narrow = ["pred", "s8", "u32", "f16", "f32"]
    types = [(a, b) for a in wide for b in wide] + [(a, b) for a in narrow for b in of_narrow]
    types += [(b, a) for a in narrow for b in of_narrow] + [("s4", "u4"), ("u4", "s4"), ("s2", "s4"), ("u4", "u2")]
    types += [("f8e5m2", "f8e4m3fn"), ("f8e4m3fn", "f8e5m2"), ("f6e2m3fn", "f4e2m1fn"), ("f8e8m0fnu", "f8e4m3")]
    for source, target in types:
        x = awkward(source) if target == source else without_subnormals(awkward(source))
        if source in FLOATS and target in narrow + ["f16", "bf16", "f32"]:
            x = np.concatenate([x, np.array([0.2, 0.3, 5.5, 17, 25, 447, 449, 464, 465, 60000, 1e-3, 2e-5, 4e38],
                                            np.float64).astype(DTYPES[source])])
        yield Case("convert", f"{source}_to_{target}", main(f"r = {shape_text(target, x.shape)} convert(x0)", [x]), [x],
                   convert_narrow(x, source, target))


def convert_narrow(x, source, target):
    """To or from types that XLA:CPU does not run: None where it does."""
    special = NARROW + ["f6e2m3fn", "f6e3m2fn", "f4e2m1fn"]
    if source not in special and target not in special:
        return None
    if target not in INTS:
        with np.errstate(all="ignore"):
            return [(x != 0) if target == "pred" else x.astype(np.float64).astype(DTYPES[target])]
    info = ml_dtypes.iinfo(DTYPES[target])
    low, high, bits = int(info.min), int(info.max), info.bits
    results = []
    for value in x:
        if source in INTS + ["pred"]:
            number = (int(value) - low) % 2 ** bits + low  # wraps
        else:
            number = float(value)
            number = 0 if np.isnan(number) else int(min(max(number, low), high))
        results.append(number)
    return [np.array(results, dtype=DTYPES[target])]


def reduce_precision():
    for dtype in FLOATS:
        x = awkward(dtype)
        for exponent, mantissa in ((5, 10), (8, 7), (4, 3), (5, 2), (8, 23), (2, 0), (11, 52)):
            info = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}[dtype]
            if exponent > info[0] or mantissa > info[1]:
                continue
            yield Case("reduce-precision", f"{dtype}_e{exponent}m{mantissa}",
                       main(f"r = {of(x)} reduce-precision(x0), exponent_bits={exponent}, mantissa_bits={mantissa}", [x]),
                       [x])


def bitcast_convert():
    width = {"u8": ["s8", "f8e5m2", "f8e4m3fn", "f8e4m3b11fnuz"], "u16": ["s16", "f16", "bf16"], "u32": ["s32", "f32"],
             "u64": ["s64", "f64"]}
    for unsigned, others in width.items():
        bits = np.dtype(DTYPES[unsigned]).itemsize * 8
        patterns = [0, 1, 2 ** (bits - 1), 2 ** bits - 1, 0x3C, 2 ** (bits - 2) + 5, 0x5A5A5A5A5A5A5A5A % 2 ** bits]
        x = np.array(patterns, dtype=np.uint64).astype(DTYPES[unsigned])
        for other in others:
            y = x.view(DTYPES[other])
            yield Case("bitcast-convert", f"{unsigned}_to_{other}",
                       main(f"r = {shape_text(other, x.shape)} bitcast-convert(x0)", [x]), [x])
            if other[0] == "s":
                yield Case("bitcast-convert", f"{other}_to_{unsigned}",
                           main(f"r = {of(x)} bitcast-convert(x0)", [y]), [y])
    for wide in ("u16", "u32", "u64", "f32", "f64", "s16", "bf16"):
        for narrow in ("u8", "u16", "s32", "f16"):
            ratio = np.dtype(DTYPES[wide]).itemsize // np.dtype(DTYPES[narrow]).itemsize
            if ratio < 2:
                continue
            x = counting(wide, (2, 3)) if wide[0] in "fb" else np.array([[1, 258, 70000], [5, 2 ** 15, 7]],
                                                                       np.uint64).astype(DTYPES[wide])
            y = x.view(DTYPES[narrow]).reshape(2, 3, ratio)
            yield Case("bitcast-convert", f"{wide}_to_{narrow}",
                       main(f"r = {of(y)} bitcast-convert(x0)", [x]), [x], [y])
            yield Case("bitcast-convert", f"{narrow}_to_{wide}", main(f"r = {of(x)} bitcast-convert(x0)", [y]), [y], [x])


def stochastic_convert():
    """Rounds away from zero where the random number is below the fraction that is dropped."""
    x = np.array([1.25, -1.25, 2.5, -2.75, 0.0, 7.0, -0.5, 100.9], np.float32)
    for dtype, bits in (("f32", "u32"), ("f64", "u64"), ("f16", "u16"), ("bf16", "u16")):
        top = 2 ** np.iinfo(DTYPES[bits]).bits
        for name, share in (("low", 0.0), ("quarter", 0.2), ("half", 0.5), ("high", 0.999)):
            random = np.full(x.shape, int(share * top), DTYPES[bits])
            values = x.astype(DTYPES[dtype])
            exact = values.astype(np.float64)
            fraction = np.abs(exact) - np.floor(np.abs(exact))
            away = random.astype(np.float64) / top < fraction
            expected = (np.sign(exact) * (np.floor(np.abs(exact)) + away)).astype(np.int32)
            yield Case("stochastic-convert", f"{dtype}_to_s32_{name}",
                       main("r = s32[8] stochastic-convert(x0, x1)", [values, random]), [values, random], [expected])


def subnormals():
    """Numbers below the smallest normal one are numbers, which XLA:CPU takes for zero."""
    for dtype in ("f32", "f64"):
        info = np.finfo(DTYPES[dtype])
        x = np.array([info.smallest_subnormal, -info.smallest_subnormal, info.tiny / 2, -info.tiny / 4], DTYPES[dtype])
        with np.errstate(all="ignore"):
            results = {"sign": np.sign(x), "ceil": np.ceil(x), "floor": np.floor(x), "sqrt": np.sqrt(x)}
            for op, expected in results.items():
                yield Case(op, f"{dtype}_subnormal", main(f"r = {of(x)} {op}(x0)", [x]), [x], [expected])
            results = {"add": x + x, "subtract": x - x[::-1], "multiply": x * 2, "divide": x / 2}
            for op, expected in results.items():
                y = {"add": x, "subtract": x[::-1].copy()}.get(op, np.full(4, 2, DTYPES[dtype]))
                yield Case(op, f"{dtype}_subnormal", main(f"r = {of(x)} {op}(x0, x1)", [x, y]), [x, y], [expected])
    x = np.array([1e-45, 1e-40], np.float32)
    yield Case("convert", "f32_to_f64_subnormal", main("r = f64[2] convert(x0)", [x]), [x], [x.astype(np.float64)])
    yield Case("convert", "f32_to_pred_subnormal", main("r = pred[2] convert(x0)", [x]), [x], [np.array([True, True])])
    yield Case("convert", "f64_to_f32_subnormal", main("r = f32[2] convert(x0)", [x.astype(np.float64)]),
               [x.astype(np.float64)], [x])
    scale = np.array([2.0**-127, 2.0**-127]).astype(DTYPES["f8e8m0fnu"])
    yield Case("convert", "f32_to_f8e8m0fnu_subnormal", main("r = f8e8m0fnu[2] convert(x0)", [x]), [x], [scale])


def cases():
    for family in (subnormals, unary, binary, compare, select_and_clamp, convert, reduce_precision, bitcast_convert,
                   stochastic_convert):
        yield from family()
