"""Indexed access: dynamic slices, gathers, scatters, with indices inside, outside and repeated."""

import numpy as np

from case import COMPLEX, DTYPES, FLOATS, INTS, SMALL_FLOATS, Case, binary_function, counting, dims_text, main, of, shape_text

INDEX_TYPES = ["s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"]
EVERY = ["pred"] + INTS + FLOATS + SMALL_FLOATS + COMPLEX


def dynamic_slices():
    for dtype in INDEX_TYPES:
        starts = [0, 2, 5, 6, 100] + ([-1, -100] if dtype[0] == "s" else [200])
        for start in starts:
            x, i = counting("f32", (7,)), np.asarray(start, DTYPES[dtype])
            name = f"{dtype}_{start}".replace("-", "m")
            yield Case("dynamic-slice", name, main("r = f32[2] dynamic-slice(x0, x1), dynamic_slice_sizes={2}", [x, i]), [x, i])
            u = np.array([50, 60], np.float32)
            yield Case("dynamic-update-slice", name, main("r = f32[7] dynamic-update-slice(x0, x1, x2)", [x, u, i]), [x, u, i])
    for dtype in EVERY:
        x, i, j = counting(dtype, (3, 5)), np.int32(1), np.int32(9)
        yield Case("dynamic-slice", dtype, main(f"r = {dtype}[2,3] dynamic-slice(x0, x1, x2), dynamic_slice_sizes={{2,3}}",
                                                [x, i, j]), [x, i, j])
        u = counting(dtype, (2, 3), 5, 11)
        yield Case("dynamic-update-slice", dtype, main(f"r = {of(x)} dynamic-update-slice(x0, x1, x2, x3)", [x, u, i, j]),
                   [x, u, i, j])
    for shape, sizes in [((1,), (1,)), ((5,), (5,)), ((5,), (0,)), ((0, 3), (0, 2)), ((2, 3, 4), (1, 3, 2)),
                         ((1, 2, 1, 2, 1, 2, 1, 2), (1, 1, 1, 2, 1, 1, 1, 2))]:
        x = counting("f32", shape)
        indices = [np.int32(k - 1) for k in range(len(shape))]
        names = "".join(f", x{k + 1}" for k in range(len(shape)))
        yield Case("dynamic-slice", f"{dims_text(shape)}_{dims_text(sizes)}",
                   main(f"r = {shape_text('f32', sizes)} dynamic-slice(x0{names}), dynamic_slice_sizes={{"
                        f"{','.join(map(str, sizes))}}}", [x, *indices]), [x, *indices])
        u = counting("f32", sizes, 3, 7)
        names = "".join(f", x{k + 2}" for k in range(len(shape)))
        yield Case("dynamic-update-slice", f"{dims_text(shape)}_{dims_text(sizes)}",
                   main(f"r = {of(x)} dynamic-update-slice(x0, x1{names})", [x, u, *indices]), [x, u, *indices])
    x = counting("f32", ())
    yield Case("dynamic-slice", "scalar", main("r = f32[] dynamic-slice(x0), dynamic_slice_sizes={}", [x]), [x])
    x, i = counting("s32", (4, 4)), np.array([1, 3], np.int32)
    yield Case("dynamic-slice", "index_vector", main("r = s32[2,2] dynamic-slice(x0, x1), dynamic_slice_sizes={2,2}", [x, i]),
               [x, i], [x[1:3, 2:4]])
    u = counting("s32", (2, 2), 3, 7)
    expected = x.copy()
    expected[1:3, 2:4] = u
    yield Case("dynamic-update-slice", "index_vector", main("r = s32[4,4] dynamic-update-slice(x0, x1, x2)", [x, u, i]),
               [x, u, i], [expected])
    x, i = counting("f32", (7,)), np.array([9], np.int32)
    yield Case("dynamic-slice", "index_vector_of_one", main("r = f32[2] dynamic-slice(x0, x1), dynamic_slice_sizes={2}", [x, i]),
               [x, i], [x[5:]])


GATHERS = [
    # name, operand, indices, result, attributes
    ("rows", (5, 3), [[0], [4], [2], [4]], (4, 3), "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
     "index_vector_dim=1, slice_sizes={1,3}"),
    ("rows_outside", (5, 3), [[-1], [5], [100], [-100]], (4, 3), "offset_dims={1}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}"),
    ("implied_vector", (5, 3), [0, 4, 2], (3, 3), "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
     "index_vector_dim=1, slice_sizes={1,3}"),
    ("columns", (5, 3), [[2], [0]], (5, 2), "offset_dims={0}, collapsed_slice_dims={1}, start_index_map={1}, "
     "index_vector_dim=1, slice_sizes={5,1}"),
    ("windows", (6, 7), [[0, 0], [3, 4], [5, 6], [-2, 9]], (4, 2, 3), "offset_dims={1,2}, collapsed_slice_dims={}, "
     "start_index_map={0,1}, index_vector_dim=1, slice_sizes={2,3}"),
    ("windows_swapped", (6, 7), [[0, 0], [3, 4], [6, 5]], (2, 3, 3), "offset_dims={0,2}, collapsed_slice_dims={}, "
     "start_index_map={1,0}, index_vector_dim=1, slice_sizes={2,3}"),
    ("vector_first", (6, 7), [[0, 3, 5], [1, 2, 6]], (3,), "offset_dims={}, collapsed_slice_dims={0,1}, "
     "start_index_map={0,1}, index_vector_dim=0, slice_sizes={1,1}"),
    ("one_scalar", (5,), 3, (), "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, "
     "slice_sizes={1}"),
    ("rank3", (4, 3, 2), [[[0], [3]], [[1], [2]]], (2, 2, 3, 2), "offset_dims={2,3}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=2, slice_sizes={1,3,2}"),
    ("batched", (3, 4), [[0, 1], [3, 3], [2, 7]], (3, 2), "offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, "
     "operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}"),
    ("batched_window", (3, 5, 2), [[[0], [4]], [[1], [3]], [[2], [9]]], (3, 2, 2, 2), "offset_dims={2,3}, "
     "collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, "
     "index_vector_dim=2, slice_sizes={1,2,2}"),
    ("no_indices", (5, 3), np.zeros((0, 1), np.int32), (0, 3), "offset_dims={1}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}"),
    ("empty_window", (5, 3), [[0], [2]], (2, 0), "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
     "index_vector_dim=1, slice_sizes={1,0}"),
    ("one_row", (1, 3), [[0], [7], [-7]], (3, 3), "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
     "index_vector_dim=1, slice_sizes={1,3}"),
]


def gathers():
    for name, operand, indices, result, attributes in GATHERS:
        x, i = counting("f32", operand), np.array(indices, np.int32)
        yield Case("gather", name, main(f"r = {shape_text('f32', result)} gather(x0, x1), {attributes}", [x, i]), [x, i])
    attributes = GATHERS[0][4]
    for dtype in INDEX_TYPES:
        x = counting("f32", (5, 3))
        i = np.array([[0], [4], [2], [127], [200 if dtype[0] == "u" else -3]]).astype(DTYPES[dtype])
        yield Case("gather", f"index_{dtype}", main(f"r = f32[5,3] gather(x0, x1), {attributes}", [x, i]), [x, i])
    for dtype in EVERY:
        x, i = counting(dtype, (5, 3)), np.array([[3], [0]], np.int32)
        yield Case("gather", dtype, main(f"r = {dtype}[2,3] gather(x0, x1), {attributes}", [x, i]), [x, i])


SCATTERS = [
    # name, operand, indices, updates, attributes
    ("rows", (5, 3), [[0], [4], [2]], (3, 3), "update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
    ("repeated", (5, 3), [[1], [4], [1], [1]], (4, 3), "update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
    ("outside", (5, 3), [[-1], [5], [2], [100]], (4, 3), "update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
    ("elements", (7,), [0, 6, 3, 3, 9], (5,), "update_window_dims={}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
    ("windows", (6, 7), [[0, 0], [3, 4], [4, 5], [-1, 2]], (4, 2, 3), "update_window_dims={1,2}, inserted_window_dims={}, "
     "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1"),
    ("windows_swapped", (6, 7), [[0, 0], [4, 3], [3, 5]], (2, 3, 3), "update_window_dims={0,2}, inserted_window_dims={}, "
     "scatter_dims_to_operand_dims={1,0}, index_vector_dim=1"),
    ("vector_first", (6, 7), [[0, 3, 5], [1, 2, 6]], (3,), "update_window_dims={}, inserted_window_dims={0,1}, "
     "scatter_dims_to_operand_dims={0,1}, index_vector_dim=0"),
    ("one_scalar", (5,), 3, (), "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
     "index_vector_dim=0"),
    ("batched", (3, 4), [[0, 1], [3, 3], [2, 7]], (3, 2), "update_window_dims={}, inserted_window_dims={1}, "
     "scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=2"),
    ("no_updates", (5, 3), np.zeros((0, 1), np.int32), (0, 3), "update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
    ("empty_operand", (0,), [0, 1], (2,), "update_window_dims={}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
    ("many", (3,), [i * i % 5 for i in range(40)], (40,), "update_window_dims={}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
]


def scatters():
    for name, operand, indices, updates, attributes in SCATTERS:
        x, i, u = counting("f32", operand), np.array(indices, np.int32), counting("f32", updates, 5, 11)
        for op in ("add", "maximum", "multiply"):
            yield Case("scatter", f"{op}_{name}",
                       main(f"r = {of(x)} scatter(x0, x1, x2), {attributes}, to_apply={op}", [x, i, u],
                            binary_function(op, "f32")), [x, i, u])
        if name in ("repeated", "elements", "batched", "many"):  # which of two comes last is open
            continue
        overwrite = "put {\n  a = f32[] parameter(0)\n  ROOT b = f32[] parameter(1)\n}\n\n"
        yield Case("scatter", f"put_{name}", main(f"r = {of(x)} scatter(x0, x1, x2), {attributes}, to_apply=put", [x, i, u],
                                                  overwrite), [x, i, u])
        yield Case("scatter", f"subtract_{name}",
                   main(f"r = {of(x)} scatter(x0, x1, x2), {attributes}, to_apply=subtract", [x, i, u],
                        binary_function("subtract", "f32")), [x, i, u])
    rows = SCATTERS[1][4]
    for dtype in INDEX_TYPES:
        x, u = counting("f32", (5, 3)), counting("f32", (4, 3), 5, 11)
        i = np.array([[0], [4], [127], [200 if dtype[0] == "u" else -3]]).astype(DTYPES[dtype])
        yield Case("scatter", f"index_{dtype}", main(f"r = f32[5,3] scatter(x0, x1, x2), {rows}, to_apply=add", [x, i, u],
                                                     binary_function("add", "f32")), [x, i, u])
    for dtype in INTS + FLOATS + SMALL_FLOATS + COMPLEX:
        x, u, i = counting(dtype, (5, 3)), counting(dtype, (4, 3), 5, 11), np.array([[1], [4], [1], [9]], np.int32)
        yield Case("scatter", dtype, main(f"r = {dtype}[5,3] scatter(x0, x1, x2), {rows}, to_apply=add", [x, i, u],
                                          binary_function("add", dtype)), [x, i, u])
    two = ("two {\n  a = f32[] parameter(0)\n  b = s32[] parameter(1)\n  c = f32[] parameter(2)\n  d = s32[] parameter(3)\n"
           "  e = f32[] add(a, c)\n  f = s32[] maximum(b, d)\n  ROOT r = (f32[], s32[]) tuple(e, f)\n}\n\n")
    x, y, i = counting("f32", (5,)), counting("s32", (5,)), np.array([[1], [4], [1]], np.int32)
    u, v = counting("f32", (3,), 5, 11), counting("s32", (3,), 3, 11)
    arrays = [x, y, i, u, v]
    yield Case("scatter", "two_operands",
               main("r = (f32[5], s32[5]) scatter(x0, x1, x2, x3, x4), update_window_dims={}, inserted_window_dims={0}, "
                    "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=two", arrays, two), arrays)


def cases():
    for family in (dynamic_slices, gathers, scatters):
        yield from family()
