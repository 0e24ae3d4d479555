"""Values, calls, loops, branches, ordering, asynchronous forms."""

import numpy as np

from case import COMPLEX, DTYPES, FLOATS, INTS, SMALL_FLOATS, Case, awkward, binary_function, counting, main, of, shape_text
from case import literal_text

EVERY = ["pred"] + INTS + FLOATS + SMALL_FLOATS + COMPLEX


def values():
    for dtype in EVERY:
        x = awkward(dtype)
        yield Case("constant", dtype, main(f"r = {of(x)} constant({literal_text(x)})"), [], [x])
        yield Case("parameter", dtype, main(f"r = {of(x)} copy(x0)", [x]), [x], [x])
    for shape in ((), (0,), (1,), (0, 3), (2, 0, 2), (2, 3), (1, 2, 1, 2, 1, 2, 1, 2)):
        x = counting("f32", shape)
        name = "x".join(map(str, shape)) or "scalar"
        yield Case("constant", f"f32_{name}", main(f"r = {of(x)} constant({literal_text(x)})"), [], [x])
        yield Case("parameter", f"f32_{name}", main(f"r = {of(x)} copy(x0)", [x]), [x], [x])
    x, y = counting("f32", (3,)), counting("s32", (2,))
    yield Case("parameter", "root", "ENTRY main {\n  x1 = s32[2] parameter(1)\n  ROOT x0 = f32[3] parameter(0)\n}\n", [x, y], [x])
    yield Case("tuple", "two", main(f"r = ({of(x)}, {of(y)}) tuple(x0, x1)", [x, y]), [x, y], [x, y])
    yield Case("tuple", "empty", main("r = () tuple()"), [], [])
    yield Case("tuple", "same", main(f"r = ({of(x)}, {of(x)}) tuple(x0, x0)", [x]), [x], [x, x])
    yield Case("tuple", "nested", main(f"t = ({of(y)}) tuple(x1)\nr = ({of(x)}, ({of(y)})) tuple(x0, t)", [x, y]), [x, y], [x, y])
    yield Case("tuple", "many", main("r = (" + ", ".join([of(x)] * 40) + ") tuple(" + ", ".join(["x0"] * 40) + ")", [x]), [x],
               [x] * 40)
    yield Case("get-tuple-element", "second", main(
        f"t = ({of(x)}, {of(y)}) tuple(x0, x1)\nr = {of(y)} get-tuple-element(t), index=1", [x, y]), [x, y], [y])
    yield Case("get-tuple-element", "nested", main(
        f"t = ({of(x)}, {of(y)}) tuple(x0, x1)\nu = (({of(x)}, {of(y)}), {of(x)}) tuple(t, x0)\n"
        f"v = ({of(x)}, {of(y)}) get-tuple-element(u), index=0\nr = {of(x)} get-tuple-element(v), index=0", [x, y]), [x, y], [x])


SQUARE = "square {\n  a = f32[3] parameter(0)\n  ROOT r = f32[3] multiply(a, a)\n}\n\n"


def calls():
    x, y = counting("f32", (3,)), counting("f32", (3,), 5, 11)
    yield Case("call", "one", main("r = f32[3] call(x0), to_apply=square", [x], SQUARE), [x], [x * x])
    yield Case("call", "twice", main("a = f32[3] call(x0), to_apply=square\nr = f32[3] call(a), to_apply=square", [x], SQUARE),
               [x], [x * x * x * x])
    two = ("two {\n  a = f32[3] parameter(0)\n  b = f32[3] parameter(1)\n  c = f32[3] add(a, b)\n  d = f32[3] subtract(a, b)\n"
           "  ROOT r = (f32[3], f32[3]) tuple(c, d)\n}\n\n")
    yield Case("call", "tuple", main("r = (f32[3], f32[3]) call(x0, x1), to_apply=two", [x, y], two), [x, y], [x + y, x - y])
    yield Case("call", "no_operands", main("r = f32[] call(), to_apply=seven", (), "seven {\n  ROOT c = f32[] constant(7)\n}\n\n"),
               [], [np.float32(7)])
    for kind in ("kLoop", "kInput", "kOutput"):
        yield Case("fusion", kind, main(f"r = (f32[3], f32[3]) fusion(x0, x1), kind={kind}, calls=two", [x, y], two), [x, y],
                   [x + y, x - y])
    yield Case("fusion", "reduce", main("zero = f32[] constant(0)\nr = f32[] fusion(x0, zero), kind=kInput, calls=sum", [x],
                                        binary_function("add", "f32") + "sum {\n  a = f32[3] parameter(0)\n  z = f32[] parameter(1)\n"
                                        "  ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=add\n}\n\n"), [x], [x.sum()])


def loop(body, condition, shape):
    return (f"body {{\n  t = {shape} parameter(0)\n" + "".join(f"  {line.strip()}\n" for line in body.strip().splitlines())
            + f"}}\n\ncondition {{\n  t = {shape} parameter(0)\n"
            + "".join(f"  {line.strip()}\n" for line in condition.strip().splitlines()) + "}\n\n")


def loops():
    shape = "(s32[], f32[3])"
    body = ("i = s32[] get-tuple-element(t), index=0\nx = f32[3] get-tuple-element(t), index=1\none = s32[] constant(1)\n"
            "j = s32[] add(i, one)\ny = f32[3] add(x, x)\nROOT r = (s32[], f32[3]) tuple(j, y)")
    x = counting("f32", (3,))
    for trips in (0, 1, 2, 7):
        condition = (f"i = s32[] get-tuple-element(t), index=0\nn = s32[] constant({trips})\n"
                     "ROOT r = pred[] compare(i, n), direction=LT")
        yield Case("while", f"trips_{trips}", main(
            f"zero = s32[] constant(0)\ninit = {shape} tuple(zero, x0)\nr = {shape} while(init), condition=condition, body=body",
            [x], loop(body, condition, shape)), [x])
        yield Case("while", f"trips_{trips}_one_result", main(
            f"zero = s32[] constant(0)\ninit = {shape} tuple(zero, x0)\nw = {shape} while(init), condition=condition, body=body\n"
            "r = f32[3] get-tuple-element(w), index=1", [x], loop(body, condition, shape)), [x])
    condition = ("i = s32[] get-tuple-element(t), index=0\nn = s32[] constant(10)\nROOT r = pred[] compare(i, n), direction=LT")
    for start in (0, 9, 10, 11, -2):
        yield Case("while", f"start_{start}".replace("-", "m"), main(
            f"init = {shape} tuple(x1, x0)\nr = {shape} while(init), condition=condition, body=body", [x, np.int32(start)],
            loop(body, condition, shape)), [x, np.int32(start)])
    # The condition depends on data, the carries swap places.
    shape = "(f32[], f32[])"
    body = ("a = f32[] get-tuple-element(t), index=0\nb = f32[] get-tuple-element(t), index=1\nhalf = f32[] constant(0.5)\n"
            "c = f32[] multiply(a, half)\nROOT r = (f32[], f32[]) tuple(b, c)")
    condition = ("a = f32[] get-tuple-element(t), index=0\nb = f32[] get-tuple-element(t), index=1\ns = f32[] add(a, b)\n"
                 "n = f32[] constant(1)\nROOT r = pred[] compare(s, n), direction=GT")
    for a, b in ((8, 4), (0.25, 0.25), (100, 0)):
        arrays = [np.float32(a), np.float32(b)]
        yield Case("while", f"data_{a}_{b}".replace(".", "p"), main(
            f"init = {shape} tuple(x0, x1)\nr = {shape} while(init), condition=condition, body=body", arrays,
            loop(body, condition, shape)), arrays)
    # A stack that is filled row by row, forwards and backwards.
    for reverse in (False, True):
        shape = "(s32[], f32[2], f32[5,2])"
        place = "last = s32[] constant(4)\nk = s32[] subtract(last, i)" if reverse else "k = s32[] copy(i)"
        body = ("i = s32[] get-tuple-element(t), index=0\nx = f32[2] get-tuple-element(t), index=1\n"
                f"s = f32[5,2] get-tuple-element(t), index=2\none = s32[] constant(1)\nj = s32[] add(i, one)\n{place}\n"
                "y = f32[2] add(x, x)\nrow = f32[1,2] reshape(y)\nzero = s32[] constant(0)\n"
                f"u = f32[5,2] dynamic-update-slice(s, row, k, zero)\nROOT r = {shape} tuple(j, y, u)")
        condition = ("i = s32[] get-tuple-element(t), index=0\nn = s32[] constant(5)\nROOT r = pred[] compare(i, n), direction=LT")
        arrays = [counting("f32", (2,)), np.zeros((5, 2), np.float32)]
        yield Case("while", "stack_back" if reverse else "stack", main(
            f"zero = s32[] constant(0)\ninit = {shape} tuple(zero, x0, x1)\nr = {shape} while(init), condition=condition, body=body",
            arrays, loop(body, condition, shape)), arrays)
    # A step reads other elements than it writes.
    shape = "(s32[], f32[6])"
    body = ("i = s32[] get-tuple-element(t), index=0\nx = f32[6] get-tuple-element(t), index=1\none = s32[] constant(1)\n"
            "j = s32[] add(i, one)\nf = f32[6] reverse(x), dimensions={0}\ny = f32[6] add(x, f)\nROOT r = (s32[], f32[6]) tuple(j, y)")
    x = counting("f32", (6,))
    condition = ("i = s32[] get-tuple-element(t), index=0\nn = s32[] constant(3)\nROOT r = pred[] compare(i, n), direction=LT")
    yield Case("while", "crossing", main(
        f"zero = s32[] constant(0)\ninit = {shape} tuple(zero, x0)\nr = {shape} while(init), condition=condition, body=body", [x],
        loop(body, condition, shape)), [x])


def branches():
    functions = ("first {\n  a = f32[3] parameter(0)\n  ROOT r = f32[3] negate(a)\n}\n\n"
                 "second {\n  a = f32[3] parameter(0)\n  ROOT r = f32[3] add(a, a)\n}\n\n" + SQUARE)
    x, y, z = counting("f32", (3,)), counting("f32", (3,), 5, 11), counting("f32", (3,), 3, 11)
    for p in (False, True):
        arrays = [np.bool_(p), x, y]
        yield Case("conditional", f"pred_{p}".lower(), main(
            "r = f32[3] conditional(x0, x1, x2), true_computation=first, false_computation=second", arrays, functions), arrays)
    for index in (0, 1, 2, 3, -1, 100):
        arrays = [np.int32(index), x, y, z]
        yield Case("conditional", f"index_{index}".replace("-", "m"), main(
            "r = f32[3] conditional(x0, x1, x2, x3), branch_computations={first, second, square}", arrays, functions), arrays)
    arrays = [np.int32(5), x]
    yield Case("conditional", "one_branch", main("r = f32[3] conditional(x0, x1), branch_computations={first}", arrays, functions),
               arrays)
    tuples = ("first {\n  a = (f32[3], f32[3]) parameter(0)\n  b = f32[3] get-tuple-element(a), index=0\n"
              "  c = f32[3] get-tuple-element(a), index=1\n  ROOT r = (f32[3], f32[3]) tuple(c, b)\n}\n\n"
              "second {\n  ROOT a = (f32[3], f32[3]) parameter(0)\n}\n\n")
    for p in (False, True):
        arrays = [np.bool_(p), x, y]
        yield Case("conditional", f"tuple_{p}".lower(), main(
            "t = (f32[3], f32[3]) tuple(x1, x2)\nr = (f32[3], f32[3]) conditional(x0, t, t), true_computation=first, "
            "false_computation=second", arrays, tuples), arrays)


def ordering():
    x, y = counting("f32", (3,)), counting("f32", (3,), 5, 11)
    yield Case("opt-barrier", "array", main("r = f32[3] opt-barrier(x0)", [x]), [x], [x])
    yield Case("opt-barrier", "tuple", main("t = (f32[3], f32[3]) tuple(x0, x1)\nr = (f32[3], f32[3]) opt-barrier(t)", [x, y]),
               [x, y], [x, y])
    yield Case("after-all", "none", main("t = token[] after-all()\nr = f32[3] add-dependency(x0, t)", [x]), [x], [x])
    yield Case("after-all", "some", main("t = token[] after-all()\nu = token[] after-all()\nv = token[] after-all(t, u)\n"
                                         "r = f32[3] add-dependency(x0, v)", [x]), [x], [x])
    yield Case("add-dependency", "array", main("t = token[] after-all()\na = f32[3] negate(x0)\nr = f32[3] add-dependency(a, t)",
                                               [x]), [x], [-x])
    yield Case("domain", "array", main(
        'r = f32[3] domain(x0), domain={kind="sharding", entry={replicated}, exit={replicated}}', [x]), [x], [x])
    yield Case("copy-start", "array", main("s = (f32[3], f32[3], u32[]) copy-start(x0)\nr = f32[3] copy-done(s)", [x]), [x], [x])
    yield Case("copy-done", "array", main("s = (f32[3], f32[3], u32[]) copy-start(x0)\nd = f32[3] copy-done(s)\n"
                                          "r = f32[3] add(d, x0)", [x]), [x], [x + x])
    start = "s = ((f32[3]), f32[3], u32[]) async-start(x0), calls=square\n"
    yield Case("async-start", "call", main(start + "r = f32[3] async-done(s)", [x], SQUARE), [x], [x * x])
    yield Case("async-done", "call", main(start + "d = f32[3] async-done(s)\nr = f32[3] negate(d)", [x], SQUARE), [x], [-(x * x)])
    yield Case("async-update", "call", main(
        start + "u = ((f32[3]), f32[3], u32[]) async-update(s)\nr = f32[3] async-done(u)", [x], SQUARE), [x], [x * x])
    yield Case("async-start", "sugar", main("s = ((f32[3], f32[3]), f32[3], u32[]) add-start(x0, x1)\nr = f32[3] add-done(s)",
                                            [x, y]), [x, y], [x + y])
    for target in ("Sharding", "SPMDFullToShardShape", "xla.sdy.FuncResultSharding", "annotate_device_placement"):
        yield Case("custom-call", target.replace(".", "_"), main(
            f'r = f32[3] custom-call(x0), custom_call_target="{target}"', [x]), [x], [x])
    yield Case("custom-call", "unknown", main('r = f32[3] custom-call(x0), custom_call_target="their_library"', [x]), [x],
               refused=True)


def cases():
    for family in (values, calls, loops, branches, ordering):
        yield from family()
