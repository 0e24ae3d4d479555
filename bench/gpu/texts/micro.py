"""Micro-kernels as HLO text, each bound by one thing: `fit` makes constants of their times."""
import os


def module(name, lines, computations=""):
    return f"HloModule {name}\n{computations}\nENTRY main {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def stream(n):
    """Reads and writes: the memory's bandwidth, or that of L2 where all fits it."""
    f = f"f32[{n}]"
    return [f"x = {f} parameter(0)", "c = f32[] constant(0.5)", f"b = {f} broadcast(c), dimensions={{}}",
            f"ROOT y = {f} multiply(x, b)"]


def steps(dtype, n, trip, operation, constant):
    """The same operation again and again in each thread's registers."""
    f = f"{dtype}[{n}]"
    computations = f"""
body {{
  p = (s32[], {f}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = {f} get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  c = {dtype}[] constant({constant})
  b = {f} broadcast(c), dimensions={{}}
  {operation.format(f=f)}
  ROOT t = (s32[], {f}) tuple(j, y)
}}

goes_on {{
  p = (s32[], {f}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({trip})
  ROOT r = pred[] compare(i, n), direction=LT
}}
"""
    return computations, [f"x = {f} parameter(0)", "zero = s32[] constant(0)", f"t = (s32[], {f}) tuple(zero, x)",
                          f"w = (s32[], {f}) while(t), condition=goes_on, body=body",
                          f"ROOT y = {f} get-tuple-element(w), index=1"]


FMA = "m = {f} multiply(x, b)\n  y = {f} add(m, x)"
INTEGER = "m = {f} xor(x, b)\n  y = {f} add(m, x)"
SPECIAL = "y = {f} rsqrt(x)"
# What a function takes of a thread, beside what the op table says. The values stay neither large nor small.
FUNCTIONS = {
    "exponential": "m = {f} exponential(x)\n  y = {f} multiply(m, b)",
    "tanh": "m = {f} tanh(x)\n  y = {f} add(m, b)",
    "erf": "m = {f} erf(x)\n  y = {f} add(m, b)",
    "power": "a = {f} abs(x)\n  m = {f} power(a, b)\n  y = {f} add(m, b)",
    "divide": "a = {f} abs(x)\n  m = {f} add(a, b)\n  y = {f} divide(b, m)",
    "log": "a = {f} abs(x)\n  m = {f} log(a)\n  y = {f} add(m, b)",
    "sine": "m = {f} sine(x)\n  y = {f} add(m, b)",
}
# What each step needs of all threads: steps that only a whole launch separates.
ACROSS = "r = {f} reverse(x), dimensions={{0}}\n  m = {f} multiply(r, b)\n  y = {f} add(m, x)"


def product(dtype, m, n, k, result=None):
    a, b, c = f"{dtype}[{m},{k}]", f"{dtype}[{k},{n}]", f"{result or dtype}[{m},{n}]"
    return [f"a = {a} parameter(0)", f"b = {b} parameter(1)",
            f"ROOT c = {c} dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"]


def modules(short):
    texts = {}

    def add(name, lines, computations=""):
        texts[name] = module(name, lines, computations)

    scale = 64 if short else 1
    for mega in (32, 64, 128, 256):
        add(f"memory_{mega}", stream((mega << 20) // scale))
    for mega in (1, 2, 3):
        add(f"l2_{mega}", stream((mega << 20) // scale))
    for trip in (1000, 2000, 4000):
        trip //= scale
        for name, dtype, text, constant in (("f32", "f32", FMA, "0.25"), ("f64", "f64", FMA, "0.25"),
                                            ("integer", "s32", INTEGER, "12345"), ("special", "f32", SPECIAL, "1")):
            computations, lines = steps(dtype, (1 << 20) // scale, trip, text, constant)
            add(f"{name}_{trip}", lines, computations)
        for name, text in FUNCTIONS.items():
            computations, lines = steps("f32", (1 << 20) // scale, trip // 4 + 1, text, "0.25")
            add(f"function_{name}_{trip}", lines, computations)
        computations, lines = steps("f32", 32, trip, FMA, "0.25")
        add(f"latency_{trip}", lines, computations)
    for trip in (20, 40):
        computations, lines = steps("f32", 1 << 16, trip, ACROSS, "0.25")
        add(f"launch_{trip}", lines, computations)
        computations, lines = steps("f32", 1024, trip * 25 // scale + 1, ACROSS, "0.25")
        add(f"barrier_{trip}", lines, computations)
    for m, n, k in ((4096, 4096, 4096), (8192, 4096, 4096), (8192, 8192, 4096)):
        add(f"tensor_{m}_{n}_{k}", product("bf16", m // scale, n // scale, k // scale))
    return texts


def write(folder, short):
    os.makedirs(folder, exist_ok=True)
    for name, text in modules(short).items():
        with open(os.path.join(folder, name + ".hlo"), "w") as file:
            file.write(text)
