"""Products to time beside cuBLASLt, torch and XLA, as HLO text: t_contractions_TYPE_M_N_K; attention,
t_contractions_attention_TYPE_BATCH_LENGTH_FEATURES."""
import os

from texts import micro

SQUARE = (512, 1024, 2048, 4096, 8192)
# (inputs, outputs) of projections, with so many rows each: one token, few, a prompt, a batch of prompts.
PROJECTIONS = ((4096, 4096), (4096, 14336), (14336, 4096), (8192, 1024), (768, 3072))
ROWS = (1, 16, 128, 512, 2048, 8192)
ODD = ((1000, 1000, 1000), (777, 1023, 513), (2047, 2049, 2051), (4099, 4099, 4099), (4096, 4096, 4095), (300, 4096, 4096),
       (4096, 50257, 768), (64, 64, 65536), (16384, 128, 1024))
OTHERS = (("f32", 1024), ("f32", 4096), ("f16", 4096), ("f64", 2048), ("s8", 4096))


def dense(m, n, k):
    """gelu(x w + b) + r in bf16."""
    y = f"bf16[{m},{n}]"
    lines = [f"x = bf16[{m},{k}] parameter(0)", f"w = bf16[{k},{n}] parameter(1)", f"bias = bf16[{n}] parameter(2)",
             f"r = {y} parameter(3)", f"d = {y} dot(x, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
             f"b = {y} broadcast(bias), dimensions={{1}}", f"h = {y} add(d, b)", f"h2 = {y} multiply(h, h)",
             f"h3 = {y} multiply(h2, h)"]
    for name, value in (("c1", 0.044715), ("c2", 0.797885), ("half", 0.5), ("one", 1)):
        lines += [f"{name}_0 = bf16[] constant({value})", f"{name} = {y} broadcast({name}_0), dimensions={{}}"]
    return lines + [f"s = {y} multiply(h3, c1)", f"t = {y} add(h, s)", f"u = {y} multiply(t, c2)", f"v = {y} tanh(u)",
                    f"p = {y} add(v, one)", f"q = {y} multiply(h, half)", f"g = {y} multiply(p, q)", f"ROOT y = {y} add(g, r)"]


# Batch times heads, queries and keys, features; causal or not.
ATTENTION = ((96, 1024, 64, True), (96, 1024, 64, False), (64, 4096, 128, True), (64, 2048, 128, False), (768, 197, 64, False))


def attention(dtype, batch, length, features, causal):
    """softmax(q k / sqrt(features), masked) v."""
    s, row, x = (f"f32[{batch},{length},{length}]", f"f32[{batch},{length}]", f"{dtype}[{batch},{length},{features}]")
    lines = [f"q = {x} parameter(0)", f"k = {x} parameter(1)", f"v = {x} parameter(2)",
             f"d = {s} dot(q, k), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{2}}, rhs_contracting_dims={{2}}",
             f"c_0 = f32[] constant({features ** -0.5})", f"c = {s} broadcast(c_0), dimensions={{}}", f"scaled = {s} multiply(d, c)"]
    if causal:
        i, p = f"s32[{batch},{length},{length}]", f"pred[{batch},{length},{length}]"
        lines += [f"query = {i} iota(), iota_dimension=1", f"key = {i} iota(), iota_dimension=2",
                  f"seen = {p} compare(query, key), direction=GE", "hidden_0 = f32[] constant(-1e10)",
                  f"hidden = {s} broadcast(hidden_0), dimensions={{}}", f"scores = {s} select(seen, scaled, hidden)"]
    scores = "scores" if causal else "scaled"
    lines += ["none = f32[] constant(-inf)", "zero = f32[] constant(0)",
              f"most = {row} reduce({scores}, none), dimensions={{2}}, to_apply=largest",
              f"mosts = {s} broadcast(most), dimensions={{0,1}}", f"less = {s} subtract({scores}, mosts)",
              f"exp = {s} exponential(less)", f"total = {row} reduce(exp, zero), dimensions={{2}}, to_apply=sum",
              f"totals = {s} broadcast(total), dimensions={{0,1}}", f"weights = {s} divide(exp, totals)",
              f"w = {dtype}[{batch},{length},{length}] convert(weights)",
              f"ROOT y = {x} dot(w, v), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{2}}, rhs_contracting_dims={{1}}"]
    return lines


COMBINERS = "".join(f"{name} {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] {op}(a, b)\n}}\n\n"
                    for name, op in (("largest", "maximum"), ("sum", "add")))


def modules():
    texts = {}

    def add(name, lines):
        texts[name] = micro.module(name, lines)

    shapes = [(n, n, n) for n in SQUARE] + [(m, n, k) for k, n in PROJECTIONS for m in ROWS] + list(ODD)
    for m, n, k in shapes:
        add(f"bf16_{m}_{n}_{k}", micro.product("bf16", m, n, k))
    for dtype, n in OTHERS:
        add(f"{dtype}_{n}_{n}_{n}", micro.product(dtype, n, n, n, "s32" if dtype == "s8" else dtype))
    for m, n, k in ((8192, 3072, 768), (2048, 14336, 4096)):
        add(f"dense_{m}_{n}_{k}", dense(m, n, k))
    for dtype in ("bf16", "f32"):
        for batch, length, features, causal in ATTENTION:
            name = f"attention_{dtype}_{batch}_{length}_{features}" + ("_causal" if causal else "")
            texts[name] = micro.module(name, attention(dtype, batch, length, features, causal), COMBINERS)
    return texts


def write(folder):
    os.makedirs(folder, exist_ok=True)
    for name, text in modules().items():
        with open(os.path.join(folder, name + ".hlo"), "w") as file:
            file.write(text)
