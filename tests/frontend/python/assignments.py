"""Assignments of every form, with the range that Python gives each expression."""
import numpy as np

GRAVITY = 9.8
MASS = 1.0 + 0.1
LIMIT = 12 * 2 * np.pi / 360
HALF, QUARTER = 0.5, -(2**-2)
CHANGED = 1
CHANGED = 2
NAME = "text"
SIZE: int = 1_000


def forms(a, b):
    x = a + b
    y = (a - b)
    z = (a + b) * (a - b)
    long = (
        a  # a comment
        + b
    )
    next_line = a \
        + b
    x += a * b
    annotated: float = a / b
    first = second = a @ b
    p, q = a * 2, b * 3
    (u, v), w = (a, b), a
    [m, n] = f(a)
    head, *rest = f(b)
    pair = (a, b + 1)
    single = (a,)
    if (inside := a * b) > 0: one_line = a; other = b
    table["key"] = a
    table.field = b
    called(keyword=a, other=b)
    compared = a == b
    chosen = a if b else z
    function = lambda c, d=1: c + d
    return x, (y, z), w
