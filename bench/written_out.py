#!/usr/bin/env python3
"""Steps that a program writes out one after the other beside the same steps in a loop: launches and predicted times.

    written_out.py SINTER DIR

Writes NAME_flat.hlo (a Python loop, traced) and NAME_loop.hlo (jax.lax.fori_loop) to DIR and prints a table: the steps
as they are written (--without roll_repeats), as sinter compiles them, and the loop. Needs jax; nothing is computed.
"""

import argparse
import json
import pathlib
import subprocess

import jax
import jax.numpy as jnp
from jax import lax


def shape(*dims):
    return jax.ShapeDtypeStruct(dims, jnp.float32)


def norm(x):
    return x / jnp.sqrt(jnp.sum(x * x))


def neighbours(x):
    return jnp.roll(x, 1, 0) + jnp.roll(x, -1, 0) + jnp.roll(x, 1, 1) + jnp.roll(x, -1, 1)


def rosenbrock(x):
    return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def adam(i, c):
    g = jax.grad(rosenbrock)(c[0])
    m, v = 0.9 * c[1] + 0.1 * g, 0.99 * c[2] + 0.01 * g * g
    return c[0] - 0.01 * m / (jnp.sqrt(v) + 1e-8), m, v


def mixture(i, c, points):
    weights = jax.nn.softmax(-((points[:, None] - c[0][None]) ** 2).sum(-1), axis=1)
    return ((weights.T @ points) / weights.sum(0)[:, None],)


def orthogonal(i, c):
    v = norm(c[0][:, i])
    return (c[0] - jnp.outer(v, v @ c[0]),)


def row_mean(i, c):
    return (c[0] - jnp.mean(c[0], -1, keepdims=True),)


# Name: a step of (number, state, *others), steps, shapes of the state, shapes of the others.
PROGRAMS = {
    "adam": (adam, 16, [shape(1000)] * 3, []),
    "attention": (lambda i, c, k, v: (jax.nn.softmax(c[0] @ k.T) @ v,), 8, [shape(64, 64)], [shape(64, 64)] * 2),
    "floyd": (lambda i, c: (jnp.minimum(c[0], c[0][:, i][:, None] + c[0][i][None]),), 16, [shape(256, 256)], []),
    "hmm": (lambda i, c, a, b: (norm((c[0] @ a) * b[i]),), 16, [shape(64)], [shape(64, 64), shape(16, 64)]),
    "hmm_large": (lambda i, c, a, b: (norm((c[0] @ a) * b[i]),), 16, [shape(1000)], [shape(1000, 1000), shape(16, 1000)]),
    "jacobi": (lambda i, c, a, b, d: ((b - (a @ c[0] - d * c[0])) / d,), 16, [shape(512)],
               [shape(512, 512), shape(512), shape(512)]),
    "langevin": (lambda i, c, n: (c[0] - 0.01 * (c[0] ** 3 - c[0]) + 0.1 * n[i],), 16, [shape(65536)], [shape(16, 65536)]),
    "layers": (lambda i, c, a, b: (c[0] + jnp.tanh(c[0] @ a) @ b,), 8, [shape(8, 256)], [shape(256, 256)] * 2),
    "mixture": (mixture, 8, [shape(8, 4)], [shape(8192, 4)]),
    "orthogonal": (orthogonal, 8, [shape(512, 32)], []),
    "pagerank": (lambda i, c, a: (0.85 * (a @ c[0]) + 0.15 / 2048,), 32, [shape(2048)], [shape(2048, 2048)]),
    "power": (lambda i, c, a: (norm(a @ c[0]),), 64, [shape(512)], [shape(512, 512)]),
    "recurrent": (lambda i, c, x, w, u: (jnp.tanh(x[i] @ w + c[0] @ u),), 16, [shape(32, 128)],
                  [shape(16, 32, 64), shape(64, 128), shape(128, 128)]),
    "regression": (lambda i, c, x, y: (c[0] + 0.1 * (x.T @ (y - jax.nn.sigmoid(x @ c[0]))) / 4096,), 16, [shape(16)],
                   [shape(4096, 16), shape(4096)]),
    "row_means": (row_mean, 400, [shape(256, 512)], []),
    "sort": (lambda i, c: (jnp.sort(c[0]) + c[0][::-1] * 0.1,), 8, [shape(4096)], []),
    "values": (lambda i, c, p, r: ((r + 0.99 * jnp.einsum("ast,t->as", p, c[0])).max(0),), 16, [shape(200)],
               [shape(4, 200, 200), shape(4, 200)]),
    "viterbi": (lambda i, c, a, b: ((c[0][:, None] + a).max(0) + b[i],), 16, [shape(128)], [shape(128, 128), shape(16, 128)]),
    "wave": (lambda i, c: (2 * c[0] - c[1] + 0.1 * (neighbours(c[0]) - 4 * c[0]), c[0]), 16, [shape(256, 256)] * 2, []),
    "wave_1d": (lambda i, c: (2 * c[0] - c[1] + 0.1 * (jnp.roll(c[0], 1) + jnp.roll(c[0], -1) - 2 * c[0]), c[0]), 64,
                [shape(1024)] * 2, []),
}


def texts(step, steps, state, others):
    """The steps written out, and in a loop."""
    count = len(state)

    def flat(*arguments):
        values = tuple(arguments[:count])
        for i in range(steps):
            values = step(i, values, *arguments[count:])
        return values

    def loop(*arguments):
        body = lambda i, values: step(i, values, *arguments[count:])  # noqa: E731
        return lax.fori_loop(0, steps, body, tuple(arguments[:count]))

    return [jax.jit(f).lower(*state, *others).compiler_ir("hlo").as_hlo_text() for f in (flat, loop)]


def planned(sinter, path, *options):
    plan = json.loads(subprocess.check_output([sinter, "explain", "--json", path, *options]))
    return f"{plan['launches']}: {plan['predicted_us'] or plan['predicted_once_us']:.1f} us"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("sinter")
    arguments.add_argument("dir", type=pathlib.Path)
    given = arguments.parse_args()
    given.dir.mkdir(parents=True, exist_ok=True)
    print("| steps | as written | compiled | in a loop |\n|---|---|---|---|")
    for name, program in PROGRAMS.items():
        paths = [given.dir / f"{name}_{form}.hlo" for form in ("flat", "loop")]
        for path, text in zip(paths, texts(*program)):
            path.write_text(text)
        written = planned(given.sinter, paths[0], "--without", "roll_repeats")
        print(f"| {name}, {program[1]} | {written} | {planned(given.sinter, paths[0])} | {planned(given.sinter, paths[1])} |",
              flush=True)


if __name__ == "__main__":
    main()
