"""Reductions, windows, maps and scans."""

import ml_dtypes
import numpy as np

from case import (COMPLEX, DTYPES, FLOATS, INTS, SMALL_FLOATS, WIDE_INTS, Case, awkward, binary_function, counting, dims_text,
                  main, of, shape_text)


def identity(op, dtype):
    kind = DTYPES[dtype]
    if op in ("add", "or", "xor"):
        return np.asarray(0, kind)
    if op == "multiply":
        return np.asarray(1, kind)
    if dtype == "pred":
        return np.asarray(op in ("and", "minimum"), kind)
    if op == "and":
        return np.asarray(int(ml_dtypes.iinfo(kind).max) if dtype[0] == "u" else -1, kind)
    if dtype in INTS:
        info = ml_dtypes.iinfo(kind)
        return np.asarray(int(info.max) if op == "minimum" else int(info.min), kind)
    return np.asarray(np.inf if op == "minimum" else -np.inf, kind)


def reduced(shape, dims):
    return [n for d, n in enumerate(shape) if d not in dims]


def reduces():
    shapes = [((7,), (0,)), ((0,), (0,)), ((1,), (0,)), ((5, 3), (0,)), ((5, 3), (1,)), ((5, 3), (0, 1)), ((5, 3), ()),
              ((0, 3), (0,)), ((0, 3), (1,)), ((3, 0), (1,)), ((2, 3, 4), (1,)), ((2, 3, 4), (0, 2)), ((1, 7, 1), (0, 2)),
              ((257,), (0,)), ((3, 300), (1,)), ((300, 3), (0,)), ((2, 65, 3), (1,)), ((1, 2, 1, 2, 1, 2, 1, 2), (1, 4, 7)),
              ((2, 3, 2, 3, 2), (0, 1, 2, 3, 4)), ((2000,), (0,)), ((4, 1, 33), (0, 2))]
    for shape, dims in shapes:
        for op, dtype in (("add", "f32"), ("maximum", "s32")):
            x, init = counting(dtype, shape), identity(op, dtype)
            text = main(f"r = {shape_text(dtype, reduced(shape, dims))} reduce(x0, x1), "
                        f"dimensions={{{','.join(map(str, dims))}}}, to_apply={op}", [x, init], binary_function(op, dtype))
            yield Case("reduce", f"{op}_{dtype}_{dims_text(shape)}_{'_'.join(map(str, dims)) or 'none'}", text, [x, init])
    for op, dtypes in {"add": INTS + FLOATS + COMPLEX, "multiply": WIDE_INTS + FLOATS, "maximum": ["pred"] + INTS + FLOATS
                       + SMALL_FLOATS[:7], "minimum": ["pred"] + INTS + FLOATS, "and": ["pred"] + INTS,
                       "or": ["pred"] + INTS, "xor": ["pred"] + INTS}.items():
        for dtype in dtypes:
            x = counting(dtype, (3, 11))
            if op == "multiply" and dtype in FLOATS:
                x = np.where(x == 0, x.dtype.type(1), x)[:, :5]
            if dtype[:2] == "u8" or dtype in ("u2", "u4"):
                x = (x % 3).astype(DTYPES[dtype])
            init = identity(op, dtype)
            yield Case("reduce", f"{op}_{dtype}", main(
                f"r = {dtype}[3] reduce(x0, x1), dimensions={{1}}, to_apply={op}", [x, init], binary_function(op, dtype)),
                [x, init], ulp=1 if op == "multiply" and dtype in ("f16", "bf16") else None)
    for op in ("maximum", "minimum"):
        x = np.array([[1, np.nan, 3], [-np.inf, np.inf, 0], [-0.0, 0.0, -1]], np.float32)
        init = identity(op, "f32")
        yield Case("reduce", f"{op}_nan", main(f"r = f32[3] reduce(x0, x1), dimensions={{1}}, to_apply={op}", [x, init],
                                               binary_function(op, "f32")), [x, init])


ARGMAX = """pick {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  above = pred[] compare(a, b), direction=GT
  a_nan = pred[] compare(a, a), direction=NE
  b_nan = pred[] compare(b, b), direction=NE
  wins = pred[] or(above, a_nan)
  equal = pred[] compare(a, b), direction=EQ
  both_nan = pred[] and(a_nan, b_nan)
  tie = pred[] or(equal, both_nan)
  first = pred[] compare(i, j), direction=LT
  tie_first = pred[] and(tie, first)
  above_strictly = pred[] and(wins, above)
  nan_only = pred[] xor(both_nan, a_nan)
  better = pred[] or(above_strictly, nan_only)
  keep = pred[] or(better, tie_first)
  v = f32[] select(keep, a, b)
  k = s32[] select(keep, i, j)
  ROOT r = (f32[], s32[]) tuple(v, k)
}

"""


def variadic():
    for name, x in [("ties", np.array([[1, 5, 5, 2], [7, 7, 7, 7]], np.float32)),
                    ("nan", np.array([[1, np.nan, 5, np.nan], [-np.inf, -np.inf, 0, 3]], np.float32)),
                    ("long", counting("f32", (3, 100))), ("one", counting("f32", (2, 1)))]:
        places = np.broadcast_to(np.arange(x.shape[1], dtype=np.int32), x.shape).copy()
        arrays = [x, places, np.float32(-np.inf), np.int32(2**31 - 1)]
        text = main(f"r = (f32[{len(x)}], s32[{len(x)}]) reduce(x0, x1, x2, x3), dimensions={{1}}, to_apply=pick", arrays,
                    ARGMAX)
        # The first NaN, else the first of the largest.
        index = np.argmax(x, axis=1).astype(np.int32)
        expected = [np.take_along_axis(x, index[:, None], 1)[:, 0], index]
        yield Case("reduce", f"argmax_{name}", text, arrays, expected)
    two = ("two {\n  a = f32[] parameter(0)\n  b = s32[] parameter(1)\n  c = f32[] parameter(2)\n  d = s32[] parameter(3)\n"
           "  e = f32[] add(a, c)\n  f = s32[] maximum(b, d)\n  ROOT r = (f32[], s32[]) tuple(e, f)\n}\n\n")
    for shape, dims in [((6, 5), (0,)), ((6, 5), (1,)), ((3, 4, 5), (0, 2)), ((0,), (0,)), ((5, 200), (1,))]:
        arrays = [counting("f32", shape), counting("s32", shape, 5, 11), np.float32(0), np.int32(-2**31)]
        result = reduced(shape, dims)
        yield Case("reduce", f"two_{dims_text(shape)}_{'_'.join(map(str, dims))}", main(
            f"r = ({shape_text('f32', result)}, {shape_text('s32', result)}) reduce(x0, x1, x2, x3), "
            f"dimensions={{{','.join(map(str, dims))}}}, to_apply=two", arrays, two), arrays)


def dilated(n, d):
    return (n - 1) * d + 1 if n > 0 else 0


def window_text(window):
    keys = {"size": 1, "stride": 1, "pad": (0, 0), "lhs_dilate": 1, "rhs_dilate": 1}
    parts = []
    for key, default in keys.items():
        values = window.get(key)
        if values is None:
            continue
        spelled = [f"{v[0]}_{v[1]}" if key == "pad" else str(v) for v in values]
        parts.append(f"{key}={'x'.join(spelled)}")
    return "{" + " ".join(parts) + "}"


def window_result(shape, window):
    rank = len(shape)
    stride = window.get("stride", [1] * rank)
    pad = window.get("pad", [(0, 0)] * rank)
    base = window.get("lhs_dilate", [1] * rank)
    inner = window.get("rhs_dilate", [1] * rank)
    result = []
    for d in range(rank):
        room = dilated(shape[d], base[d]) + sum(pad[d]) - dilated(window["size"][d], inner[d])
        result.append(room // stride[d] + 1 if room >= 0 else 0)
    return result


WINDOWS = [
    ("plain", (9,), dict(size=[3])), ("stride", (9,), dict(size=[3], stride=[2])), ("padded", (9,), dict(size=[3], pad=[(1, 1)])),
    ("negative_pad", (9,), dict(size=[3], pad=[(-1, -2)])), ("base_dilated", (5,), dict(size=[3], lhs_dilate=[2])),
    ("window_dilated", (9,), dict(size=[3], rhs_dilate=[3])), ("cumulative", (9,), dict(size=[9], pad=[(8, 0)])),
    ("cumulative_back", (9,), dict(size=[9], pad=[(0, 8)])), ("long_cumulative", (100,), dict(size=[100], pad=[(99, 0)])),
    ("too_large", (3,), dict(size=[5])), ("empty", (0,), dict(size=[1], pad=[(1, 1)])), ("one", (1,), dict(size=[1])),
    ("two_dims", (6, 7), dict(size=[2, 3], stride=[2, 2])), ("same", (5, 5), dict(size=[3, 3], pad=[(1, 1), (1, 1)])),
    ("all_of_it", (5, 7), dict(size=[3, 2], stride=[2, 3], pad=[(2, -1), (0, 3)], lhs_dilate=[1, 2], rhs_dilate=[2, 1])),
    ("images", (2, 6, 6, 3), dict(size=[1, 2, 2, 1], stride=[1, 2, 2, 1])),
    ("rows_cumulative", (3, 40), dict(size=[1, 40], pad=[(0, 0), (39, 0)])),
    ("columns_cumulative", (40, 3), dict(size=[40, 1], pad=[(39, 0), (0, 0)])),
    ("rank5", (2, 1, 4, 1, 3), dict(size=[1, 1, 2, 1, 3], pad=[(0, 0), (1, 0), (0, 1), (0, 0), (1, 1)])),
]


def windows():
    for name, shape, window in WINDOWS:
        for op, dtype in (("add", "f32"), ("maximum", "f32"), ("multiply", "u32")):
            x, init = counting(dtype, shape, 5, 7), identity(op, dtype)
            text = main(f"r = {shape_text(dtype, window_result(shape, window))} reduce-window(x0, x1), "
                        f"window={window_text(window)}, to_apply={op}", [x, init], binary_function(op, dtype))
            yield Case("reduce-window", f"{op}_{name}", text, [x, init])
    for dtype in WIDE_INTS + FLOATS + COMPLEX:
        x, init = counting(dtype, (4, 6)), identity("add", dtype)
        if dtype == "u8":
            x = x % 5
        yield Case("reduce-window", f"add_{dtype}", main(
            f"r = {dtype}[3,3] reduce-window(x0, x1), window={{size=2x2 stride=1x2}}, to_apply=add", [x, init],
            binary_function("add", dtype)), [x, init])
    two = ("two {\n  a = f32[] parameter(0)\n  b = s32[] parameter(1)\n  c = f32[] parameter(2)\n  d = s32[] parameter(3)\n"
           "  e = f32[] add(a, c)\n  f = s32[] maximum(b, d)\n  ROOT r = (f32[], s32[]) tuple(e, f)\n}\n\n")
    arrays = [counting("f32", (8,)), counting("s32", (8,), 5, 11), np.float32(0), np.int32(-2**31)]
    yield Case("reduce-window", "two", main("r = (f32[6], s32[6]) reduce-window(x0, x1, x2, x3), window={size=3}, to_apply=two",
                                            arrays, two), arrays)


def select_and_scatters():
    functions = {d: (f"choose {{\n  a = {d}[] parameter(0)\n  b = {d}[] parameter(1)\n"
                     f"  ROOT r = pred[] compare(a, b), direction=GE\n}}\n\n" + binary_function("add", d)) for d in
                 ("f32", "s32", "f64", "bf16")}
    for name, shape, window in [("plain", (6,), dict(size=[2], stride=[2])), ("overlapping", (7,), dict(size=[3], stride=[1])),
                                ("padded", (6,), dict(size=[3], stride=[2], pad=[(1, 1)])),
                                ("images", (1, 6, 6, 2), dict(size=[1, 2, 2, 1], stride=[1, 2, 2, 1])),
                                ("overlapping_2d", (5, 5), dict(size=[3, 3], stride=[2, 2])),
                                ("gaps", (9,), dict(size=[2], stride=[4])), ("one", (1,), dict(size=[1], stride=[1]))]:
        for dtype in ("f32", "s32", "f64", "bf16"):
            x, y = counting(dtype, shape), counting(dtype, window_result(shape, window), 3, 5)
            arrays = [x, y, np.asarray(0, DTYPES[dtype])]
            yield Case("select-and-scatter", f"{name}_{dtype}", main(
                f"r = {of(x)} select-and-scatter(x0, x1, x2), window={window_text(window)}, select=choose, scatter=add",
                arrays, functions[dtype]), arrays)
    x = np.array([3, 3, 3, 3, 3, 3], np.float32)
    arrays = [x, np.array([1, 2, 4], np.float32), np.float32(10)]
    yield Case("select-and-scatter", "ties", main(
        "r = f32[6] select-and-scatter(x0, x1, x2), window={size=2 stride=2}, select=choose, scatter=add", arrays,
        functions["f32"]), arrays)


def maps():
    for dtype in ("f32", "s32", "pred", "bf16"):
        op = "xor" if dtype == "pred" else "multiply"
        for shape in ((), (5,), (0,), (2, 3, 2)):
            x, y = counting(dtype, shape), counting(dtype, shape, 5, 11)
            dims = ",".join(map(str, range(len(shape))))
            yield Case("map", f"{dtype}_{dims_text(shape)}", main(
                f"r = {of(x)} map(x0, x1), dimensions={{{dims}}}, to_apply={op}", [x, y], binary_function(op, dtype)), [x, y])


def scans():
    step = ("step {\n  x = f32[] parameter(0)\n  c = f32[] parameter(1)\n  two = f32[] constant(2)\n"
            "  half = f32[] divide(c, two)\n  n = f32[] add(half, x)\n  ROOT r = (f32[], f32[]) tuple(n, n)\n}\n\n")

    def reference(x, carry, reverse):
        x = np.moveaxis(x, 0, 0)
        out = np.zeros_like(x)
        for i in (range(len(x))[::-1] if reverse else range(len(x))):
            carry = carry / np.float32(2) + x[i]
            out[i] = carry
        return [out, np.asarray(carry)]

    for name, n, reverse in [("plain", 9, False), ("reverse", 9, True), ("one", 1, False), ("empty", 0, False), ("long", 70, False)]:
        x, c = counting("f32", (n,)), np.float32(1)
        tail = ", is_reverse=true" if reverse else ""
        yield Case("scan", name, main(f"r = (f32[{n}], f32[]) scan(x0, x1), dimensions={{0}}, num_carries=1{tail}, to_apply=step",
                                      [x, c], step), [x, c], reference(x, c, reverse))
    rows = step.replace("f32[]", "f32[3]").replace("constant(2)", "constant({2, 2, 2})")
    for reverse in (False, True):
        x, c = counting("f32", (5, 3)), counting("f32", (3,))
        tail = ", is_reverse=true" if reverse else ""
        yield Case("scan", f"rows{'_reverse' if reverse else ''}", main(
            f"r = (f32[5,3], f32[3]) scan(x0, x1), dimensions={{0}}, num_carries=1{tail}, to_apply=step", [x, c], rows), [x, c],
            reference(x, c, reverse))


def batch_norms():
    for shape, feature in [((8, 3), 1), ((2, 4, 4, 3), 3), ((2, 3, 4), 1), ((1, 3), 1), ((3, 8), 0)]:
        n = shape[feature]
        x, scale, offset = counting("f32", shape), counting("f32", (n,), 3, 5) + 2, counting("f32", (n,), 5, 7)
        mean, variance, dy = counting("f32", (n,), 2, 3), counting("f32", (n,), 3, 4) ** 2 + 1, counting("f32", shape, 5, 9)
        vector, array = f"f32[{n}]", of(x)
        tail = f", epsilon=0.001, feature_index={feature}"
        name = f"{dims_text(shape)}_{feature}"
        yield Case("batch-norm-training", name, main(
            f"r = ({array}, {vector}, {vector}) batch-norm-training(x0, x1, x2){tail}", [x, scale, offset]), [x, scale, offset],
            relaxed=2e-6)
        arrays = [x, scale, offset, mean, variance]
        yield Case("batch-norm-inference", name, main(f"r = {array} batch-norm-inference(x0, x1, x2, x3, x4){tail}", arrays),
                   arrays, relaxed=2e-6)
        arrays = [x, scale, mean, variance, dy]
        yield Case("batch-norm-grad", name, main(
            f"r = ({array}, {vector}, {vector}) batch-norm-grad(x0, x1, x2, x3, x4){tail}", arrays), arrays, relaxed=4e-6)


def cases():
    for family in (reduces, variadic, windows, select_and_scatters, maps, scans, batch_norms):
        yield from family()
