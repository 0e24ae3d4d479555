"""Micro-kernels as HLO text, each bound by one thing: `fit` makes constants of their times."""
import os


def module(name, lines, computations=""):
    return f"HloModule {name}\n{computations}\nENTRY main {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def stream(n):
    """Reads and writes: the memory's bandwidth, or that of L2 where all fits it."""
    f = f"f32[{n}]"
    return [f"x = {f} parameter(0)", "c = f32[] constant(0.5)", f"b = {f} broadcast(c), dimensions={{}}",
            f"ROOT y = {f} multiply(x, b)"]


def steps(dtype, n, trip, operation, constant, repeat=1):
    """The same operation again and again in each thread's registers, `repeat` times in each of the loop's `trip` steps: what
    the loop itself takes must not count. (The bundle has micro-kernels without roll_repeats, which would make a loop of
    them.)"""
    f = f"{dtype}[{n}]"
    lines = []
    for i in range(repeat):
        x, y = "x" if i == 0 else f"y{i}", "y" if i == repeat - 1 else f"y{i + 1}"
        lines.append(operation.format(f=f, x=x, y=y, i=i))
    operations = "\n  ".join(lines)
    computations = f"""
body {{
  p = (s32[], {f}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = {f} get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  c = {dtype}[] constant({constant})
  b = {f} broadcast(c), dimensions={{}}
  {operations}
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


FMA = "m{i} = {f} multiply({x}, b)\n  {y} = {f} add(m{i}, {x})"
INTEGER = "m{i} = {f} xor({x}, b)\n  {y} = {f} add(m{i}, {x})"
SPECIAL = "{y} = {f} rsqrt({x})"
# What a function takes of a thread, beside what the op table says. The values stay neither large nor small.
FUNCTIONS = {
    "exponential": "m{i} = {f} exponential({x})\n  {y} = {f} multiply(m{i}, b)",
    "tanh": "m{i} = {f} tanh({x})\n  {y} = {f} add(m{i}, b)",
    "erf": "m{i} = {f} erf({x})\n  {y} = {f} add(m{i}, b)",
    "power": "a{i} = {f} abs({x})\n  m{i} = {f} power(a{i}, b)\n  {y} = {f} add(m{i}, b)",
    "divide": "a{i} = {f} abs({x})\n  m{i} = {f} add(a{i}, b)\n  {y} = {f} divide(b, m{i})",
    "log": "a{i} = {f} abs({x})\n  m{i} = {f} log(a{i})\n  {y} = {f} add(m{i}, b)",
    "sine": "m{i} = {f} sine({x})\n  {y} = {f} add(m{i}, b)",
}
# What each step needs of all threads: steps that only a whole launch separates.
ACROSS = ("r{i} = {f} reverse({x}), dimensions={{0}}\n  m{i} = {f} multiply(r{i}, b)\n"
          "  {y} = {f} add(m{i}, {x})")
# Operations in a loop's step: a loop takes some three instructions a step.
REPEAT, FUNCTION_REPEAT = 64, 8


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
    repeat, function_repeat = (8, 2) if short else (REPEAT, FUNCTION_REPEAT)
    for total in (1024, 2048, 4096):
        total //= scale
        for name, dtype, text, constant in (("f32", "f32", FMA, "0.25"), ("f64", "f64", FMA, "0.25"),
                                            ("integer", "s32", INTEGER, "12345"), ("special", "f32", SPECIAL, "1")):
            computations, lines = steps(dtype, (1 << 20) // scale, total // repeat, text, constant, repeat)
            add(f"{name}_{total}", lines, computations)
        for name, text in FUNCTIONS.items():
            computations, lines = steps("f32", (1 << 20) // scale, total // 4 // function_repeat, text, "0.25",
                                        function_repeat)
            add(f"function_{name}_{total}", lines, computations)
        computations, lines = steps("f32", 32, total // repeat, FMA, "0.25", repeat)
        add(f"latency_{total}", lines, computations)
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
