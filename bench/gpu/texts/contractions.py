"""Products to time beside cuBLASLt, torch and XLA, as HLO text: t_contractions_TYPE_M_N_K."""
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
    return texts


def write(folder):
    os.makedirs(folder, exist_ok=True)
    for name, text in modules().items():
        with open(os.path.join(folder, name + ".hlo"), "w") as file:
            file.write(text)
