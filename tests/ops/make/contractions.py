"""Contractions: dots, convolutions, Fourier transforms, linear systems."""

import itertools

import numpy as np

from case import COMPLEX, DTYPES, FLOATS, WIDE_INTS, Case, counting, dims_text, main, of, shape_text


def listed(values):
    return "{" + ",".join(map(str, values)) + "}"


DOTS = [
    # name, lhs, rhs, lhs contracting, rhs contracting, lhs batch, rhs batch
    ("matrices", (3, 4), (4, 5), [1], [0], [], []), ("transposed", (4, 3), (5, 4), [0], [1], [], []),
    ("vectors", (7,), (7,), [0], [0], [], []), ("matrix_vector", (5, 3), (3,), [1], [0], [], []),
    ("vector_matrix", (3,), (3, 5), [0], [0], [], []), ("outer", (3,), (4,), [], [], [], []),
    ("scalars", (), (), [], [], [], []), ("empty_contraction", (3, 0), (0, 4), [1], [0], [], []),
    ("empty_result", (0, 3), (3, 4), [1], [0], [], []), ("one", (1, 1), (1, 1), [1], [0], [], []),
    ("batch", (2, 3, 4), (2, 4, 5), [2], [1], [0], [0]), ("batch_last", (3, 4, 2), (4, 5, 2), [1], [0], [2], [2]),
    ("two_batches", (2, 3, 4, 5), (3, 5, 2, 6), [3], [1], [0, 1], [2, 0]),
    ("two_contracting", (3, 4, 5), (5, 2, 4), [1, 2], [2, 0], [], []), ("batch_only", (3, 2), (3, 2), [], [], [0, 1], [0, 1]),
    ("free_around", (2, 4, 3), (4, 5), [1], [0], [], []), ("tile", (17, 33), (33, 19), [1], [0], [], []),
    ("tiles", (40, 70), (70, 36), [1], [0], [], []), ("batch_tile", (2, 17, 9), (2, 9, 20), [2], [1], [0], [0]),
    ("rank6", (2, 1, 2, 3, 1, 2), (3, 2, 2), [3, 5], [0, 2], [0], [1]),
]


def dot_shape(lhs, rhs, lc, rc, lb, rb):
    return ([lhs[d] for d in lb] + [n for d, n in enumerate(lhs) if d not in lc + lb]
            + [n for d, n in enumerate(rhs) if d not in rc + rb])


def dots():
    for name, lhs, rhs, lc, rc, lb, rb in DOTS:
        attributes = ""
        for key, value in (("lhs_batch_dims", lb), ("lhs_contracting_dims", lc), ("rhs_batch_dims", rb),
                           ("rhs_contracting_dims", rc)):
            if value:
                attributes += f", {key}={listed(value)}"
        for dtype in ("f32", "s32", "bf16"):
            a, b = counting(dtype, lhs), counting(dtype, rhs, 5, 7)
            yield Case("dot", f"{name}_{dtype}", main(
                f"r = {shape_text(dtype, dot_shape(lhs, rhs, lc, rc, lb, rb))} dot(x0, x1){attributes}", [a, b]), [a, b],
                ulp=1 if dtype == "bf16" else None)
    tail = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}"
    for dtype in WIDE_INTS + FLOATS + COMPLEX:
        a, b = counting(dtype, (3, 6)), counting(dtype, (6, 2), 5, 7)
        yield Case("dot", dtype, main(f"r = {dtype}[3,2] dot(x0, x1){tail}", [a, b]), [a, b],
                   ulp=1 if dtype in ("f16", "bf16") else None)
    for source, target in (("bf16", "f32"), ("f16", "f32"), ("s8", "s32"), ("f32", "f64"), ("u8", "u32")):
        a, b = counting(source, (3, 6)), counting(source, (6, 2), 5, 7)
        expected = a.astype(np.float64) @ b.astype(np.float64)
        yield Case("dot", f"{source}_to_{target}", main(f"r = {target}[3,2] dot(x0, x1){tail}", [a, b]), [a, b],
                   [expected.astype(DTYPES[target])])


def more_dots():
    lhs, rhs, sizes = counting("f32", (6, 4)), counting("f32", (3, 4, 5), 5, 7), np.array([2, 0, 3], np.int32)
    group = np.repeat(np.arange(3), sizes)
    expected = np.zeros((6, 5), np.float32)
    for row, g in enumerate(group):
        expected[row] = lhs[row] @ rhs[g]
    yield Case("ragged-dot", "rows", main(
        "r = f32[6,5] ragged-dot(x0, x1, x2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, "
        "rhs_group_dims={0}", [lhs, rhs, sizes]), [lhs, rhs, sizes], [expected])
    lhs, rhs = counting("f32", (4, 6)), counting("f32", (6, 5), 5, 7)
    expected = np.zeros((3, 4, 5), np.float32)
    for k, g in enumerate(group):
        expected[g] += np.outer(lhs[:, k], rhs[k])
    yield Case("ragged-dot", "contracting", main(
        "r = f32[3,4,5] ragged-dot(x0, x1, x2), lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}",
        [lhs, rhs, sizes]), [lhs, rhs, sizes], [expected])
    a, b = counting("f32", (4, 8)), counting("f32", (8, 3), 5, 7)
    one = np.float32(1)
    tail = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}"
    yield Case("scaled-dot", "unscaled", main(f"r = f32[4,3] scaled-dot(x0, x1, x2, x3){tail}", [a, one, b, one]),
               [a, one, b, one], [a @ b])
    lhs_scale, rhs_scale = np.array([[1, 2]] * 4, np.float32), np.array([[0.5] * 3, [4] * 3], np.float32)
    expected = (a * np.repeat(lhs_scale, 4, 1)) @ (b * np.repeat(rhs_scale, 4, 0))
    arrays = [a, lhs_scale, b, rhs_scale]
    yield Case("scaled-dot", "blocks", main(f"r = f32[4,3] scaled-dot(x0, x1, x2, x3){tail}", arrays), arrays, [expected])


def spatial(n, k, low=0, high=0, stride=1, base=1, inner=1):
    room = ((n - 1) * base + 1 if n else 0) + low + high - ((k - 1) * inner + 1)
    return room // stride + 1 if room >= 0 else 0


CONVOLUTIONS = [
    # name, spatial, kernel, per dimension (low, high, stride, base, inner), batch, in, out, feature groups, batch groups
    ("one_dim", (9,), (3,), [(0, 0, 1, 1, 1)], 2, 3, 4, 1, 1), ("same", (9,), (3,), [(1, 1, 1, 1, 1)], 1, 1, 1, 1, 1),
    ("strided", (9,), (3,), [(1, 0, 2, 1, 1)], 2, 2, 2, 1, 1), ("base_dilated", (5,), (3,), [(2, 2, 1, 2, 1)], 1, 2, 3, 1, 1),
    ("inner_dilated", (9,), (3,), [(0, 0, 1, 1, 2)], 1, 2, 3, 1, 1), ("negative_padding", (9,), (3,), [(-1, -2, 1, 1, 1)], 1, 2, 2, 1, 1),
    ("groups", (7,), (3,), [(1, 1, 1, 1, 1)], 2, 4, 6, 2, 1), ("depthwise", (7,), (2,), [(0, 0, 1, 1, 1)], 1, 4, 4, 4, 1),
    ("batch_groups", (7,), (3,), [(0, 0, 1, 1, 1)], 4, 3, 4, 1, 2), ("two_dims", (6, 5), (3, 2), [(1, 1, 1, 1, 1), (0, 1, 2, 1, 1)], 2, 3, 4, 1, 1),
    ("all_of_it", (6, 5), (2, 3), [(2, -1, 2, 1, 2), (1, 3, 1, 2, 1)], 2, 2, 3, 1, 1),
    ("three_dims", (4, 3, 5), (2, 3, 2), [(0, 0, 1, 1, 1), (1, 1, 1, 1, 1), (0, 1, 2, 1, 1)], 1, 2, 2, 1, 1),
    ("no_dims", (), (), [], 3, 4, 5, 1, 1), ("one_by_one", (4, 4), (1, 1), [(0, 0, 1, 1, 1)] * 2, 2, 8, 8, 1, 1),
    ("empty_batch", (5,), (3,), [(0, 0, 1, 1, 1)], 0, 2, 2, 1, 1), ("too_small", (2,), (3,), [(0, 0, 1, 1, 1)], 1, 2, 2, 1, 1),
    ("larger", (12, 12), (3, 3), [(1, 1, 1, 1, 1)] * 2, 2, 8, 16, 1, 1),
]


def convolutions():
    for name, size, kernel, config, batch, channels, features, groups, batch_groups in CONVOLUTIONS:
        rank = len(size)
        digits = "".join(map(str, range(rank)))
        layouts = [(f"b{digits}f", f"{digits}io", f"b{digits}f")]
        if name in ("one_dim", "two_dims", "all_of_it", "groups"):
            layouts += [(f"bf{digits}", f"oi{digits}", f"bf{digits}"), (f"f{digits}b", f"i{digits}o", f"{digits}bf")]
        result = [spatial(n, k, *c) for n, k, c in zip(size, kernel, config)]
        for n_layout, (lhs_l, rhs_l, out_l) in enumerate(layouts):
            def arranged(labels, letters):
                return tuple(letters[c] if c in letters else None for c in labels)
            lhs = arranged(lhs_l, {"b": batch, "f": channels, **{str(i): n for i, n in enumerate(size)}})
            rhs = arranged(rhs_l, {"i": channels // groups, "o": features, **{str(i): n for i, n in enumerate(kernel)}})
            out = arranged(out_l, {"b": batch // batch_groups, "f": features, **{str(i): n for i, n in enumerate(result)}})
            window = ""
            if rank:
                columns = list(zip(*config))
                window = (f", window={{size={'x'.join(map(str, kernel))} stride={'x'.join(map(str, columns[2]))} "
                          f"pad={'x'.join(f'{lo}_{hi}' for lo, hi in zip(columns[0], columns[1]))} "
                          f"lhs_dilate={'x'.join(map(str, columns[3]))} rhs_dilate={'x'.join(map(str, columns[4]))}}}")
            extra = f", feature_group_count={groups}" if groups > 1 else ""
            extra += f", batch_group_count={batch_groups}" if batch_groups > 1 else ""
            for dtype in ("f32", "bf16") if n_layout == 0 else ("f32",):
                x, w = counting(dtype, lhs), counting(dtype, rhs, 5, 7)
                yield Case("convolution", f"{name}_{n_layout}_{dtype}", main(
                    f"r = {shape_text(dtype, out)} convolution(x0, x1){window}, dim_labels={lhs_l}_{rhs_l}->{out_l}{extra}",
                    [x, w]), [x, w], ulp=1 if dtype == "bf16" else None)
    for dtype in ("f16", "f64", "s32", "s8", "c64"):
        x, w = counting(dtype, (2, 7, 3)), counting(dtype, (3, 3, 4), 5, 7)
        yield Case("convolution", dtype, main(
            f"r = {dtype}[2,5,4] convolution(x0, x1), window={{size=3}}, dim_labels=b0f_0io->b0f", [x, w]), [x, w],
            ulp=1 if dtype == "f16" else None)
    x, w = counting("f32", (2, 7, 3)), counting("f32", (3, 3, 4), 5, 7)
    yield Case("convolution", "reversed", main(
        "r = f32[2,5,4] convolution(x0, x1), window={size=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f", [x, w]), [x, w])


def ffts():
    for dtype, real in (("c64", "f32"), ("c128", "f64")):
        for kind in ("FFT", "IFFT", "RFFT", "IRFFT"):
            for shape, rank in [((8,), 1), ((1,), 1), ((7,), 1), ((3, 12), 1), ((4, 6), 2), ((2, 3, 4), 3), ((512,), 1), ((45,), 1)]:
                if len(shape) == 1 and shape[0] > 100 and dtype == "c128" or kind == "IRFFT" and shape == (1,):
                    continue
                lengths = shape[len(shape) - rank:]
                half = shape[:-1] + (shape[-1] // 2 + 1,)
                x = counting(real if kind == "RFFT" else dtype, half if kind == "IRFFT" else shape, 5, 23)
                result = {"RFFT": shape_text(dtype, half), "IRFFT": shape_text(real, shape)}.get(kind, shape_text(dtype, shape))
                bound = np.abs(np.asarray(x)).sum() * (3e-7 if dtype == "c64" else 1e-15)
                yield Case("fft", f"{kind}_{dtype}_{dims_text(shape)}_{rank}", main(
                    f"r = {result} fft(x0), fft_type={kind}, fft_length={listed(lengths)}", [x]), [x], relaxed=float(f"{bound:.1g}"))


# What follows a transform where it is stored: elementwise ops, and index maps that give each element a place.
AFTER_FFT = [
    ("parts_side_by_side", "real = f32[6,8] real(y)\nimag = f32[6,8] imag(y)\na = f32[6,8,1] reshape(real)\nb = f32[6,8,1] reshape(imag)\n"
     "both = f32[6,8,2] concatenate(a, b), dimensions={2}\nflat = f32[6,16] reshape(both)\nr = f32[6,9] slice(flat), slice={[0:6], [3:12]}"),
    ("halves_swapped", "a = c64[6,3] slice(y), slice={[0:6], [5:8]}\nb = c64[6,5] slice(y), slice={[0:6], [0:5]}\n"
     "r = c64[6,8] concatenate(a, b), dimensions={1}"),
    ("transposed_rows", "a = c64[2,3,8] reshape(y)\nb = c64[8,2,3] transpose(a), dimensions={2,0,1}\nr = c64[8,6] reshape(b)"),
    ("reversed_twice_read", "a = c64[6,8] reverse(y), dimensions={1}\nb = c64[6,8] multiply(a, a)\nr = f32[6,8] abs(b)"),
    ("sum_with_reverse", "a = c64[6,8] reverse(y), dimensions={1}\nr = c64[6,8] add(a, y)"),
    ("operand_again", "r = c64[6,8] multiply(y, x0)"),
    ("rows_of_a_slice", "a = c64[48] reshape(y)\nb = c64[21] slice(a), slice={[13:34]}\nc = c64[3,7] reshape(b)\nr = c64[7,3] transpose(c), dimensions={1,0}"),
    ("twice", "r = c64[12,8] concatenate(y, y), dimensions={0}"),
    ("every_other", "r = c64[6,4] slice(y), slice={[0:6], [1:8:2]}"),
]


def after_ffts():
    for kind in ("FFT", "IFFT"):
        for name, lines in AFTER_FFT:
            x = counting("c64", (6, 8), 5, 23)
            yield Case("fft", f"{kind}_then_{name}", main(f"y = c64[6,8] fft(x0), fft_type={kind}, fft_length={{8}}\n{lines}", [x]),
                       [x], relaxed=2e-4 if name == "reversed_twice_read" else 1e-5)


def systems():
    for dtype in ("f32", "f64", "c64"):
        for n in (1, 3, 8):
            base = counting(dtype, (n, n), 5, 7)
            spd = (base @ base.conj().T + n * 4 * np.eye(n)).astype(DTYPES[dtype])
            for lower in (True, False):
                factor = np.linalg.cholesky(spd.astype(np.complex128 if dtype == "c64" else np.float64))
                expected = factor if lower else factor.conj().T
                keep = "GE" if lower else "LE"
                # Only that triangle means something.
                lines = (f"c = {of(spd)} cholesky(x0), lower={str(lower).lower()}\ni = s32[{n},{n}] iota(), iota_dimension=0\n"
                         f"j = s32[{n},{n}] iota(), iota_dimension=1\np = pred[{n},{n}] compare(i, j), direction={keep}\n"
                         f"zero = {dtype}[] constant({'(0, 0)' if dtype == 'c64' else 0})\nz = {of(spd)} broadcast(zero), dimensions={{}}\n"
                         f"r = {of(spd)} select(p, c, z)")
                yield Case("cholesky", f"{dtype}_{n}_{'lower' if lower else 'upper'}", main(lines, [spd]), [spd],
                           [expected.astype(DTYPES[dtype])], relaxed=2e-6 if dtype != "f64" else 1e-13)
    spd = np.stack([np.array([[4, 2], [2, 5]]), np.array([[9, 3], [3, 2]])]).astype(np.float32)
    yield Case("cholesky", "batch", main("c = f32[2,2,2] cholesky(x0), lower=true\nr = f32[2,2,1] slice(c), slice={[0:2], [0:2], [0:1]}",
                                         [spd]), [spd], [np.linalg.cholesky(spd)[:, :, :1]], relaxed=1e-6)
    for dtype in ("f32", "f64", "c64"):
        n, m = 4, 3
        a = (counting(dtype, (n, n), 5, 7) + 5 * np.eye(n)).astype(DTYPES[dtype])
        for left, lower, unit in itertools.product((True, False), repeat=3):
            for transpose in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"):
                if dtype != "f32" and (unit or not left):
                    continue
                b = counting(dtype, (n, m) if left else (m, n), 3, 5)
                wide = a.astype(np.complex128 if dtype == "c64" else np.float64)
                triangle = np.tril(wide) if lower else np.triu(wide)
                if unit:
                    np.fill_diagonal(triangle, 1)
                matrix = {"NO_TRANSPOSE": triangle, "TRANSPOSE": triangle.T, "ADJOINT": triangle.conj().T}[transpose]
                expected = np.linalg.solve(matrix, b) if left else np.linalg.solve(matrix.T, b.T).T
                flags = f"left_side={str(left).lower()}, lower={str(lower).lower()}, unit_diagonal={str(unit).lower()}"
                yield Case("triangular-solve", f"{dtype}_{'left' if left else 'right'}_{'lower' if lower else 'upper'}_"
                           f"{'unit_' if unit else ''}{transpose.lower()}", main(
                               f"r = {of(b)} triangular-solve(x0, x1), {flags}, transpose_a={transpose}", [a, b]), [a, b],
                           [expected.astype(DTYPES[dtype])], relaxed=float(f"{np.abs(expected).max() * 2e-6:.1g}")
                           if dtype != "f64" else float(f"{np.abs(expected).max() * 1e-14:.1g}"))


def cases():
    for family in (dots, more_dots, convolutions, ffts, after_ffts, systems):
        yield from family()
