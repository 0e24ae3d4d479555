"""Data movement: index maps."""

import itertools

import numpy as np

from case import COMPLEX, FLOATS, INTS, SHAPES, SMALL_FLOATS, Case, awkward, counting, dims_text, main, of, shape_text

EVERY = ["pred"] + INTS + FLOATS + SMALL_FLOATS + COMPLEX


def one(op, name, shape, attributes, arrays, dtype="f32", **options):
    names = ", ".join(f"x{i}" for i in range(len(arrays)))
    text = main(f"r = {shape_text(dtype, shape)} {op}({names}){attributes}", arrays)
    return Case(op, name, text, arrays, **options)


def listed(values):
    return "{" + ",".join(str(v) for v in values) + "}"


def broadcast():
    for operand, dims, result in [((), (), ()), ((), (), (3, 2)), ((), (), (0, 2)), ((3,), (0,), (3, 4)), ((3,), (1,), (4, 3)),
                                  ((2, 3), (0, 2), (2, 4, 3)), ((2, 3), (1, 0), (3, 2)), ((2, 3), (2, 0), (3, 4, 2)),
                                  ((1,), (1,), (5, 1)), ((0,), (1,), (3, 0)), ((2, 3, 4), (0, 1, 2), (2, 3, 4)),
                                  ((5,), (3,), (2, 1, 3, 5, 2)), ((2, 2), (1, 6), (1, 2, 1, 2, 1, 2, 2, 1))]:
        for dtype in ("f32",):
            x = counting(dtype, operand)
            yield one("broadcast", f"{dtype}_{dims_text(operand)}_to_{dims_text(result)}_{'_'.join(map(str, dims))}",
                      result, f", dimensions={listed(dims)}", [x], dtype)
    for dtype in EVERY:
        yield one("broadcast", dtype, (3, 2), ", dimensions={0}", [counting(dtype, (3,))], dtype)
    yield one("broadcast", "scalar_without_dimensions", (4,), "", [counting("f32", ())])


def reshape():
    pairs = [((), (1,)), ((), (1, 1, 1)), ((1, 1), ()), ((6,), (2, 3)), ((2, 3), (6,)), ((2, 3), (3, 2)), ((4, 6), (2, 2, 3, 2)),
             ((0, 3), (3, 0)), ((0,), (5, 0, 2)), ((1, 7, 1), (7,)), ((2, 1, 3, 1, 2), (12,)), ((35,), (5, 7)),
             ((2, 3, 5), (5, 6)), ((1, 2, 1, 2, 1, 2, 1, 2), (4, 4)), ((16,), (1, 2, 1, 2, 1, 2, 1, 2))]
    for source, target in pairs:
        yield one("reshape", f"{dims_text(source)}_to_{dims_text(target)}", target, "", [counting("f32", source)])
    for dtype in EVERY:
        yield one("reshape", dtype, (3, 2), "", [counting(dtype, (2, 3))], dtype)


def transpose():
    for shape in [(), (5,), (5, 3), (1, 4), (0, 3), (33, 17)]:
        dims = tuple(reversed(range(len(shape))))
        yield one("transpose", dims_text(shape), shape[::-1], f", dimensions={listed(dims)}", [counting("f32", shape)])
    for dims in itertools.permutations(range(3)):
        shape = (2, 3, 5)
        yield one("transpose", f"2x3x5_{'_'.join(map(str, dims))}", [shape[d] for d in dims],
                  f", dimensions={listed(dims)}", [counting("s32", shape)], "s32")
    for dims in [(3, 1, 2, 0), (0, 2, 1, 3), (2, 3, 0, 1), (1, 0, 3, 2)]:
        shape = (2, 3, 4, 5)
        yield one("transpose", f"2x3x4x5_{'_'.join(map(str, dims))}", [shape[d] for d in dims],
                  f", dimensions={listed(dims)}", [counting("f32", shape)])
    shape, dims = (1, 2, 1, 2, 3, 2, 1, 2), (7, 0, 5, 2, 4, 6, 1, 3)
    yield one("transpose", "rank8", [shape[d] for d in dims], f", dimensions={listed(dims)}", [counting("f32", shape)])
    for dtype in EVERY:
        yield one("transpose", dtype, (3, 2), ", dimensions={1,0}", [counting(dtype, (2, 3))], dtype)


def reverse():
    for shape, dims in [((), ()), ((1,), (0,)), ((7,), (0,)), ((0,), (0,)), ((3, 4), (0,)), ((3, 4), (1,)), ((3, 4), (0, 1)),
                        ((2, 3, 4), (0, 2)), ((2, 3, 4), ()), ((1, 2, 1, 2, 1, 2, 1, 2), (1, 5, 7))]:
        yield one("reverse", f"{dims_text(shape)}_{'_'.join(map(str, dims)) or 'none'}", shape,
                  f", dimensions={listed(dims)}", [counting("f32", shape)])
    for dtype in EVERY:
        yield one("reverse", dtype, (5,), ", dimensions={0}", [counting(dtype, (5,))], dtype)


def slices():
    for shape, limits in [((7,), [(0, 7, 1)]), ((7,), [(2, 5, 1)]), ((7,), [(1, 7, 2)]), ((7,), [(0, 7, 3)]), ((7,), [(3, 3, 1)]),
                          ((7,), [(6, 7, 9)]), ((0,), [(0, 0, 1)]), ((3, 5), [(1, 3, 1), (0, 5, 2)]), ((3, 5), [(0, 0, 1), (1, 4, 1)]),
                          ((2, 3, 4), [(1, 2, 1), (0, 3, 2), (1, 4, 2)]), ((1,), [(0, 1, 1)]),
                          ((1, 2, 1, 2, 1, 2, 1, 2), [(0, 1, 1), (1, 2, 1)] * 4)]:
        text = ", ".join(f"[{a}:{b}:{s}]" for a, b, s in limits)
        result = [len(range(a, b, s)) for a, b, s in limits]
        name = f"{dims_text(shape)}_" + "_".join(f"{a}.{b}.{s}" for a, b, s in limits)
        yield one("slice", name[:60], result, f", slice={{{text}}}", [counting("f32", shape)])
    yield one("slice", "scalar", (), ", slice={}", [counting("f32", ())])
    for dtype in EVERY:
        yield one("slice", dtype, (3,), ", slice={[1:6:2]}", [counting(dtype, (7,))], dtype)


def concatenate():
    for dim, shapes in [(0, [(3,)]), (0, [(3,), (4,)]), (0, [(0,), (4,), (0,)]), (1, [(2, 3), (2, 1), (2, 5)]), (0, [(2, 3), (1, 3)]),
                        (1, [(0, 3), (0, 2)]), (2, [(2, 2, 1), (2, 2, 3)]), (0, [(1,)] * 9), (0, [(0,), (0,)]),
                        (3, [(1, 2, 1, 2, 1), (1, 2, 1, 3, 1)])]:
        arrays = [counting("f32", s, 5 + i, 17) for i, s in enumerate(shapes)]
        result = list(shapes[0])
        result[dim] = sum(s[dim] for s in shapes)
        yield one("concatenate", f"{dim}_" + "_".join(dims_text(s) for s in shapes), result, f", dimensions={{{dim}}}", arrays)
    for dtype in EVERY:
        yield one("concatenate", dtype, (5,), ", dimensions={0}", [counting(dtype, (2,)), counting(dtype, (3,), 5, 11)], dtype)


def pad():
    for shape, config in [((5,), [(1, 2, 0)]), ((5,), [(0, 0, 0)]), ((5,), [(-1, -2, 0)]), ((5,), [(0, 0, 2)]), ((5,), [(-2, 1, 1)]),
                          ((5,), [(-3, -2, 0)]), ((5,), [(3, -4, 3)]), ((0,), [(1, 2, 0)]), ((0,), [(1, 1, 2)]), ((1,), [(0, 0, 3)]),
                          ((1,), [(2, 0, 1)]), ((3, 4), [(1, 0, 0), (0, 2, 1)]), ((3, 4), [(-1, 1, 1), (2, -3, 0)]),
                          ((0, 3), [(0, 0, 1), (1, 1, 0)]), ((2, 3, 2), [(0, 1, 2), (0, 0, 0), (-1, 3, 1)]),
                          ((1, 2, 1, 2, 1, 2), [(0, 1, 0), (1, 0, 0), (0, 0, 0), (-1, 0, 0), (0, 0, 0), (0, 0, 1)])]:
        result = [lo + hi + n + max(n - 1, 0) * i for n, (lo, hi, i) in zip(shape, config)]
        text = "x".join(f"{lo}_{hi}_{i}" for lo, hi, i in config)
        name = f"{dims_text(shape)}_" + "_".join(f"{lo}.{hi}.{i}" for lo, hi, i in config).replace("-", "m")
        yield one("pad", name, result, f", padding={text}", [counting("f32", shape), np.float32(9.5)])
    for dtype in EVERY:
        x, value = counting(dtype, (4,)), np.asarray(awkward(dtype)[1])
        yield one("pad", dtype, (9,), ", padding=1_1_1", [x, value], dtype)


def iota():
    for dtype in [d for d in EVERY if d not in ("f8e8m0fnu",)]:
        length = {"pred": 2, "s2": 2, "u2": 4, "s4": 8}.get(dtype, 7)
        expected = [np.array([False, True])] if dtype == "pred" else None
        yield Case("iota", dtype, main(f"r = {dtype}[{length}] iota(), iota_dimension=0"), expected=expected)
    for shape, dim in [((1,), 0), ((0,), 0), ((3, 4), 0), ((3, 4), 1), ((2, 3, 4), 1), ((3, 0), 1), ((300,), 0),
                       ((1, 2, 1, 3, 1, 2, 1, 2), 3)]:
        for dtype in ("s32", "bf16"):
            yield Case("iota", f"{dtype}_{dims_text(shape)}_{dim}",
                       main(f"r = {shape_text(dtype, shape)} iota(), iota_dimension={dim}"))


def bitcast():
    """Only where layouts say so does it more than a reshape: the text is read in row-major order."""
    x = counting("f32", (2, 3))
    yield Case("bitcast", "reshape", main("r = f32[3,2]{1,0} bitcast(x0)", [x]), [x], [x.reshape(3, 2)])
    yield Case("bitcast", "rank", main("r = f32[1,6,1]{2,1,0} bitcast(x0)", [x]), [x], [x.reshape(1, 6, 1)])
    yield Case("bitcast", "type", main("r = s32[2,3]{1,0} bitcast(x0)", [x]), [x], [x.view(np.int32)])
    yield Case("bitcast", "layout", main("t = f32[2,3]{0,1} copy(x0)\nr = f32[3,2]{1,0} bitcast(t)", [x]), [x], [x.T])
    empty = counting("f32", (0, 3))
    yield Case("bitcast", "empty", main("r = f32[3,0]{1,0} bitcast(x0)", [empty]), [empty], [empty.reshape(3, 0)])


def sizes():
    x, n = counting("f32", (3, 5)), np.int32(3)
    yield Case("get-dimension-size", "first", main("r = s32[] get-dimension-size(x0), dimensions={0}", [x]), [x], [np.int32(3)])
    yield Case("get-dimension-size", "last", main("r = s32[] get-dimension-size(x0), dimensions={1}", [x]), [x], [np.int32(5)])
    e = counting("f32", (0,))
    yield Case("get-dimension-size", "empty", main("r = s32[] get-dimension-size(x0), dimensions={0}", [e]), [e], [np.int32(0)])
    yield Case("set-dimension-size", "whole", main("r = f32[3,5] set-dimension-size(x0, x1), dimensions={0}", [x, n]), [x, n], [x])
    yield Case("set-dimension-size", "constant", main("n = s32[] constant(5)\nr = f32[3,5] set-dimension-size(x0, n), "
                                                      "dimensions={1}", [x]), [x], [x])
    yield Case("set-dimension-size", "then_get",
               main("y = f32[3,5] set-dimension-size(x0, x1), dimensions={0}\n"
                    "r = s32[] get-dimension-size(y), dimensions={0}", [x, n]), [x, n], [n])
    yield Case("set-dimension-size", "bounded", main("r = f32[<=3,5] set-dimension-size(x0, x1), dimensions={0}", [x, n]),
               [x, n], refused=True)
    sizes = [np.int32(5), np.int32(3)]
    yield Case("dynamic-reshape", "3x5_to_5x3", main("r = f32[5,3] dynamic-reshape(x0, x1, x2)", [x, *sizes]), [x, *sizes],
               [x.reshape(5, 3)])
    yield Case("dynamic-reshape", "to_vector", main("n = s32[] constant(15)\nr = f32[15] dynamic-reshape(x0, n)", [x]), [x],
               [x.reshape(15)])
    yield Case("dynamic-reshape", "bounded", main("r = f32[<=5,3] dynamic-reshape(x0, x1, x2)", [x, *sizes]), [x, *sizes],
               refused=True)


def cases():
    for family in (broadcast, reshape, transpose, reverse, slices, concatenate, pad, iota, bitcast, sizes):
        yield from family()
