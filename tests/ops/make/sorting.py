"""Sort, top-k and random bits: what a kernel of its own computes."""

import numpy as np

from case import DTYPES, FLOATS, INTS, WIDE_INTS, Case, counting, dims_text, main, of, shape_text


def comparator(dtype, direction="LT", others=(), total=False):
    lines = ["a", "b"]
    text = "before {\n"
    for k, one in enumerate([dtype, *others]):
        text += f"  a{k} = {one}[] parameter({2 * k})\n  b{k} = {one}[] parameter({2 * k + 1})\n"
    kind = ", type=TOTALORDER" if total else ""
    return text + f"  ROOT r = pred[] compare(a0, b0), direction={direction}{kind}\n}}\n\n"


def sorts():
    for shape, dim in [((7,), 0), ((1,), 0), ((0,), 0), ((3, 5), 1), ((3, 5), 0), ((2, 3, 4), 1), ((17,), 0), ((100,), 0),
                       ((3, 0), 1), ((0, 3), 1), ((2, 33), 1), ((1, 2, 1, 5, 1), 3), ((3000,), 0)]:
        x = counting("f32", shape, 7, 1009)
        yield Case("sort", f"{dims_text(shape)}_{dim}", main(f"r = {of(x)} sort(x0), dimensions={{{dim}}}, to_apply=before", [x],
                                                             comparator("f32")), [x])
        yield Case("sort", f"descending_{dims_text(shape)}_{dim}", main(
            f"r = {of(x)} sort(x0), dimensions={{{dim}}}, to_apply=before", [x], comparator("f32", "GT")), [x])
    for dtype in ["pred"] + INTS + FLOATS:
        x = counting(dtype, (2, 11))
        yield Case("sort", dtype, main(f"r = {of(x)} sort(x0), dimensions={{1}}, to_apply=before", [x], comparator(dtype)), [x])
    for dtype in FLOATS:
        special = np.array([np.nan, 1, -0.0, 0.0, -np.inf, np.inf, -1, np.copysign(np.nan, -1), 0.0, -0.0], DTYPES[dtype])
        places = np.arange(10, dtype=np.int32)
        arrays = [special, places]
        yield Case("sort", f"total_{dtype}", main(
            f"r = ({of(special)}, s32[10]) sort(x0, x1), dimensions={{0}}, is_stable=true, to_apply=before", arrays,
            comparator(dtype, others=["s32"], total=True)), arrays)
    for length in (1, 2, 16, 17, 100, 1000):
        keys, places = counting("s32", (2, length), 7, 5), np.tile(np.arange(length, dtype=np.int32), (2, 1))
        arrays = [keys, places]
        yield Case("sort", f"stable_{length}", main(
            f"r = (s32[2,{length}], s32[2,{length}]) sort(x0, x1), dimensions={{1}}, is_stable=true, to_apply=before", arrays,
            comparator("s32", others=["s32"])), arrays)
    arrays = [counting("s32", (50,), 7, 5), counting("f32", (50,)), counting("u8", (50,), 3, 11), np.arange(50, dtype=np.int64)]
    yield Case("sort", "four", main("r = (s32[50], f32[50], u8[50], s64[50]) sort(x0, x1, x2, x3), dimensions={0}, "
                                    "is_stable=true, to_apply=before", arrays, comparator("s32", "GT", ["f32", "u8", "s64"])),
               arrays)


def topks():
    for shape, k in [((7,), 3), ((7,), 7), ((1,), 1), ((3, 9), 1), ((3, 9), 4), ((2, 2, 5), 2), ((5,), 0), ((2, 100), 10),
                     ((3000,), 5)]:
        for largest in (True, False):
            x = counting("f32", shape, 7, 31)
            result = list(shape[:-1]) + [k]
            order = np.argsort(-x if largest else x, axis=-1, kind="stable")[..., :k].astype(np.int32)
            yield Case("topk", f"{dims_text(shape)}_{k}_{'largest' if largest else 'smallest'}", main(
                f"r = ({shape_text('f32', result)}, {shape_text('s32', result)}) topk(x0), k={k}, "
                f"largest={str(largest).lower()}", [x]), [x], [np.take_along_axis(x, order, -1), order])
    for dtype in WIDE_INTS + FLOATS:
        x = counting(dtype, (2, 11))
        order = np.argsort(-x.astype(np.float64), axis=-1, kind="stable")[..., :3].astype(np.int32)
        yield Case("topk", dtype, main(f"r = ({dtype}[2,3], s32[2,3]) topk(x0), k=3, largest=true", [x]), [x],
                   [np.take_along_axis(x, order, -1), order])
    x = np.array([1, np.nan, 3, -np.inf, np.inf, np.copysign(np.nan, -1), -0.0, 0.0], np.float32)
    order = np.array([1, 4, 2, 0, 7, 6, 3, 5], np.int32)  # total order
    yield Case("topk", "nan", main("r = (f32[8], s32[8]) topk(x0), k=8, largest=true", [x]), [x], [x[order], order])


def custom_topks():
    """What JAX and XLA call top-k by: whole rows, the largest first, an index for each."""
    x = counting("f32", (2, 11), 7, 31)
    order = np.argsort(-x, axis=-1, kind="stable")[..., :3].astype(np.int32)
    expected = [np.take_along_axis(x, order, -1), order]
    greater = comparator("f32", "GT", ["s32"])
    yield Case("custom-call", "topk", main(
        'r = (f32[2,3], s32[2,3]) custom-call(x0), custom_call_target="TopK", called_computations={before}', [x],
        comparator("f32", "GT")), [x], expected)
    places = np.tile(np.arange(11, dtype=np.int32), (2, 1))
    arrays = [x, places, np.float32(-np.inf), np.int32(-1)]
    config = ('backend_config={top_k = 3 : i64, reduction_dim = 1 : i64, recall_target = 9.5e-01 : f32, '
              'aggregate_to_topk = true, reduction_input_size_override = -1 : i64, is_fallback = false}')
    yield Case("custom-call", "approx_topk", main(
        'r = (f32[2,3], s32[2,3]) custom-call(x0, x1, x2, x3), custom_call_target="ApproxTopK", '
        f"called_computations={{before}}, {config}", arrays, greater), arrays, expected)
    json = ('backend_config={"top_k":3,"reduction_dim":1,"recall_target":0.95,"aggregate_to_topk":true,'
            '"reduction_input_size_override":-1}')
    yield Case("custom-call", "partial_reduce", main(
        'r = (f32[2,3], s32[2,3]) custom-call(x0, x1, x2, x3), custom_call_target="PartialReduce", '
        f"called_computations={{before}}, {json}", arrays, greater), arrays, expected)
    small = comparator("f32", "LT", ["s32"])
    order = np.argsort(x.T, axis=0, kind="stable")[:3].astype(np.int32)
    arrays = [x.T.copy(), places.T.copy(), np.float32(np.inf), np.int32(-1)]
    yield Case("custom-call", "approx_topk_columns", main(
        'r = (f32[3,2], s32[3,2]) custom-call(x0, x1, x2, x3), custom_call_target="ApproxTopK", '
        f"called_computations={{before}}, {config.replace('reduction_dim = 1', 'reduction_dim = 0')}", arrays, small), arrays,
        [np.take_along_axis(x.T, order, 0), order])


def random_bits():
    for algorithm in ("rng_default", "rng_philox", "rng_three_fry"):
        for words in (2, 3):
            for dtype in ("u8", "u16", "u32", "u64"):
                for shape in ((), (1,), (5,), (4, 3), (3, 5), (0,), (2, 2, 3)):
                    if dtype not in ("u32", "u64") and shape != (4, 3):
                        continue
                    if algorithm == "rng_three_fry" and words == 3 or algorithm == "rng_default" and shape != (5,):
                        continue
                    state = np.array([0x123456789ABCDEF, 2 ** 64 - 1, 5][:words], np.uint64)
                    yield Case("rng-bit-generator", f"{algorithm}_{words}_{dtype}_{dims_text(shape)}", main(
                        f"r = (u64[{words}], {shape_text(dtype, shape)}) rng-bit-generator(x0), algorithm={algorithm}",
                        [state]), [state])


def cases():
    for family in (sorts, topks, custom_topks, random_bits):
        yield from family()
