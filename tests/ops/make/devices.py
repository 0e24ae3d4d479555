"""Other devices, as one alone sees them; the host; random numbers whose stream HLO leaves open."""

import numpy as np

from case import Case, binary_function, counting, main, of

ADD = binary_function("add", "f32")


def collectives():
    x, y = counting("f32", (4, 3)), counting("s32", (5,))
    add_s = binary_function("add", "s32", "add")
    for groups in ("", ", replica_groups={}", ", replica_groups={{0}}"):
        name = {"": "plain", ", replica_groups={}": "all"}.get(groups, "one")
        yield Case("all-reduce", name, main(f"r = f32[4,3] all-reduce(x0){groups}, to_apply=add", [x], ADD), [x], [x])
        yield Case("all-gather", name, main(f"r = f32[4,3] all-gather(x0){groups}, dimensions={{0}}", [x]), [x], [x])
        yield Case("reduce-scatter", name, main(f"r = f32[4,3] reduce-scatter(x0){groups}, dimensions={{0}}, to_apply=add", [x],
                                                ADD), [x], [x])
        yield Case("all-to-all", name, main(f"r = f32[4,3] all-to-all(x0){groups}, dimensions={{0}}", [x]), [x], [x])
        yield Case("collective-broadcast", name, main(f"r = f32[4,3] collective-broadcast(x0){groups or ', replica_groups={{0}}'}",
                                                      [x]), [x], [x]) if groups != ", replica_groups={}" else None
    yield Case("all-reduce", "two", main("r = (f32[4,3], f32[4,3]) all-reduce(x0, x0), to_apply=add", [x], ADD), [x], [x, x])
    yield Case("all-to-all", "tuple", main("r = (f32[4,3]) all-to-all(x0), replica_groups={{0}}", [x]), [x], [x])
    for done in ("all-reduce-start", "all-reduce-done"):
        yield Case(done, "pair", main("s = f32[4,3] all-reduce-start(x0), to_apply=add\nr = f32[4,3] all-reduce-done(s)", [x], ADD),
                   [x], [x])
    for done in ("all-gather-start", "all-gather-done"):
        yield Case(done, "pair", main("s = (f32[4,3], f32[4,3]) all-gather-start(x0), dimensions={0}\n"
                                      "r = f32[4,3] all-gather-done(s)", [x]), [x], [x])
    for name, pairs, result in (("self", "{{0,0}}", x), ("nobody", "{{0,1}}", np.zeros_like(x)), ("none", "{}", np.zeros_like(x))):
        yield Case("collective-permute", name, main(f"r = f32[4,3] collective-permute(x0), source_target_pairs={pairs}", [x]), [x],
                   [result])
        text = main(f"s = (f32[4,3], f32[4,3]) collective-permute-start(x0), source_target_pairs={pairs}\n"
                    "r = f32[4,3] collective-permute-done(s)", [x])
        yield Case("collective-permute-start", name, text, [x], [result])
        yield Case("collective-permute-done", name, text, [x], [result])
    yield Case("partition-id", "scalar", main("r = u32[] partition-id()"), [], [np.uint32(0)])
    yield Case("replica-id", "scalar", main("r = u32[] replica-id()"), [], [np.uint32(0)])
    for name, numbers in (("whole", (0, 4, 0, 4)), ("part", (1, 2, 2, 2)), ("nothing", (0, 0, 0, 0))):
        output = np.full((6, 3), 9, np.float32)
        expected = output.copy()
        start, size, target, _ = numbers
        expected[target:target + size] = x[start:start + size]
        arrays = [x, output] + [np.array([n], np.int32) for n in numbers]
        yield Case("ragged-all-to-all", name, main(
            "r = f32[6,3] ragged-all-to-all(x0, x1, x2, x3, x4, x5), replica_groups={{0}}", arrays), arrays, [expected])
    yield Case("all-gather", "several", main("r = f32[8,3] all-gather(x0), replica_groups={{0,1}}, dimensions={0}", [x]), [x],
               refused=True)


def host():
    x = counting("f32", (3,))
    yield Case("infeed", "host", main("t = token[] after-all()\nr = (f32[3], token[]) infeed(t)"), refused=True)
    yield Case("outfeed", "host", main("t = token[] after-all()\nr = token[] outfeed(x0, t), outfeed_shape=f32[3]", [x]), [x],
               refused=True)
    yield Case("send", "host", main("t = token[] after-all()\nr = (f32[3], u32[], token[]) send(x0, t), channel_id=1, "
                                    "is_host_transfer=true", [x]), [x], refused=True)
    yield Case("send-done", "host", main("t = token[] after-all()\ns = (f32[3], u32[], token[]) send(x0, t), channel_id=1, "
                                         "is_host_transfer=true\nr = token[] send-done(s), channel_id=1, is_host_transfer=true",
                                         [x]), [x], refused=True)
    yield Case("recv", "host", main("t = token[] after-all()\nr = (f32[3], u32[], token[]) recv(t), channel_id=1, "
                                    "is_host_transfer=true"), refused=True)
    yield Case("recv-done", "host", main("t = token[] after-all()\ns = (f32[3], u32[], token[]) recv(t), channel_id=1, "
                                         "is_host_transfer=true\nr = (f32[3], token[]) recv-done(s), channel_id=1, "
                                         "is_host_transfer=true"), refused=True)


def random_numbers():
    """The numbers are open; that they lie in range, and that a loop's iterations differ, is not."""
    for dtype in ("f32", "f64", "f16", "bf16", "s32", "u8", "s64"):
        low, high = ("2", "5")
        yield Case("rng", f"uniform_{dtype}", main(
            f"a = {dtype}[] constant({low})\nb = {dtype}[] constant({high})\nr0 = {dtype}[50] rng(a, b), distribution=rng_uniform\n"
            f"al = {dtype}[50] broadcast(a), dimensions={{}}\nbl = {dtype}[50] broadcast(b), dimensions={{}}\n"
            f"p = pred[50] compare(r0, al), direction=GE\nq = pred[50] compare(r0, bl), direction="
            f"{'LE' if dtype in ('f16', 'bf16') else 'LT'}\nr = pred[50] and(p, q)"), [], [np.ones(50, np.bool_)])
    for dtype in ("f32", "f64"):
        yield Case("rng", f"normal_{dtype}", main(
            f"a = {dtype}[] constant(0)\nb = {dtype}[] constant(1)\nr0 = {dtype}[50] rng(a, b), distribution=rng_normal\n"
            f"m = {dtype}[50] abs(r0)\ns = {dtype}[] constant(8)\nl = {dtype}[50] broadcast(s), dimensions={{}}\n"
            f"r = pred[50] compare(m, l), direction=LT"), [], [np.ones(50, np.bool_)])
    # Two iterations draw; whether their numbers differ.
    shape = "(s32[], u32[4], u32[4])"
    loop = (f"body {{\n  t = {shape} parameter(0)\n  i = s32[] get-tuple-element(t), index=0\n"
            "  old = u32[4] get-tuple-element(t), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
            "  a = u32[] constant(0)\n  b = u32[] constant(4294967295)\n  n = u32[4] rng(a, b), distribution=rng_uniform\n"
            f"  ROOT r = {shape} tuple(j, n, old)\n}}\n\ncondition {{\n  t = {shape} parameter(0)\n"
            "  i = s32[] get-tuple-element(t), index=0\n  k = s32[] constant(2)\n  ROOT r = pred[] compare(i, k), direction=LT\n}\n\n")
    yield Case("rng", "loop", main(
        f"zero = s32[] constant(0)\nz = u32[4] broadcast(zero2), dimensions={{}}\ninit = {shape} tuple(zero, z, z)\n"
        f"w = {shape} while(init), condition=condition, body=body\nx = u32[4] get-tuple-element(w), index=1\n"
        "y = u32[4] get-tuple-element(w), index=2\nr = pred[4] compare(x, y), direction=NE".replace(
            "zero = s32[] constant(0)\n", "zero = s32[] constant(0)\nzero2 = u32[] constant(0)\n"), (), loop), [],
        [np.ones(4, np.bool_)])
    yield Case("rng-get-and-update-state", "delta", main(
        "s = u64[2] rng-get-and-update-state(), delta=5\nu = u64[2] rng-get-and-update-state(), delta=7, "
        "control-predecessors={s}\nr = u64[2] subtract(u, s)"), [], [np.array([5, 0], np.uint64)])
    state = "(s32[], u64[2], u64[2])"
    loop = (f"body {{\n  t = {state} parameter(0)\n  i = s32[] get-tuple-element(t), index=0\n"
            "  old = u64[2] get-tuple-element(t), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
            f"  n = u64[2] rng-get-and-update-state(), delta=3\n  ROOT r = {state} tuple(j, n, old)\n}}\n\n"
            f"condition {{\n  t = {state} parameter(0)\n"
            "  i = s32[] get-tuple-element(t), index=0\n  k = s32[] constant(4)\n  ROOT r = pred[] compare(i, k), direction=LT\n}\n\n")
    yield Case("rng-get-and-update-state", "loop", main(
        f"zero = s32[] constant(0)\nzero2 = u64[] constant(0)\nz = u64[2] broadcast(zero2), dimensions={{}}\n"
        f"init = {state} tuple(zero, z, z)\nw = {state} while(init), condition=condition, body=body\n"
        "x = u64[2] get-tuple-element(w), index=1\ny = u64[2] get-tuple-element(w), index=2\nr = u64[2] subtract(x, y)", (), loop),
        [], [np.array([3, 0], np.uint64)])


def cases():
    for family in (collectives, host, random_numbers):
        yield from (case for case in family() if case is not None)
