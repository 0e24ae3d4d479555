"""Recurrent layers and their gradients: launches and predicted time, with loops as they are traced, with products of a
step joined (join_products), and with those that no step waits for moved out of the loop too (split_loops).

  recurrent.py SINTER [FOLDER]      needs jax; the programs are left in FOLDER

128 steps, batch 64, inputs of 256, 512 units, f32.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
from jax import lax

STEPS, BATCH, INPUTS, UNITS = 128, 64, 256, 512


def array(*dims, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(dims, dtype)


XS = array(STEPS, BATCH, INPUTS)


def zeros(units=UNITS):
    return jnp.zeros((BATCH, units))


def lstm(w, u, b, xs):
    def step(state, x):
        h, c = state
        i, f, g, o = jnp.split(x @ w + h @ u + b, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return lax.scan(step, (zeros(), zeros()), xs)[1]


def lstm_of_eight(w, u, xs):
    def step(state, x):
        h, c = state
        i, f, o, g = (x @ w[k] + h @ u[k] for k in range(4))
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return lax.scan(step, (zeros(), zeros()), xs)[1]


def gru(w, u, xs):
    def step(h, x):
        r = jax.nn.sigmoid(x @ w[0] + h @ u[0])
        z = jax.nn.sigmoid(x @ w[1] + h @ u[1])
        n = jnp.tanh(x @ w[2] + (r * h) @ u[2])
        h = (1 - z) * h + z * n
        return h, h

    return lax.scan(step, zeros(), xs)[1]


def with_output(w, u, o, xs):
    def step(h, x):
        h = jnp.tanh(x @ w + h @ u)
        return h, jax.nn.softmax(h @ o, -1)

    return lax.scan(step, zeros(), xs)[1]


def bidirectional(w, u, b, xs):
    backwards = lstm(w, u, b, xs[::-1])[::-1]
    return jnp.concatenate([lstm(w, u, b, xs), backwards], -1)


def gram(xs, ys):
    return lax.fori_loop(0, STEPS, lambda t, sum: sum + xs[t].T @ ys[t], jnp.zeros((INPUTS, UNITS)))


def gradient(layer):
    return lambda *arguments: jax.grad(
        lambda parameters: jnp.sum(layer(*parameters, arguments[-1]) ** 2))(arguments[:-1])


PACKED = (array(INPUTS, 4 * UNITS), array(UNITS, 4 * UNITS), array(4 * UNITS))
EIGHT = ([array(INPUTS, UNITS)] * 4, [array(UNITS, UNITS)] * 4)
PROGRAMS = {
    "lstm": (lstm, *PACKED, XS),
    "lstm_gradient": (gradient(lstm), *PACKED, XS),
    "lstm_of_eight": (lstm_of_eight, *EIGHT, XS),
    "lstm_of_eight_gradient": (gradient(lstm_of_eight), *EIGHT, XS),
    "gru": (gru, *EIGHT, XS),
    "gru_gradient": (gradient(gru), *EIGHT, XS),
    "bidirectional": (bidirectional, *PACKED, XS),
    "with_output": (with_output, array(INPUTS, UNITS), array(UNITS, UNITS), array(UNITS, INPUTS), XS),
    "gram": (gram, XS, array(STEPS, BATCH, UNITS)),
}
FORMS = [["--without", "join_products,split_loops"], ["--without", "split_loops"], []]


def figures(sinter, path, options):
    text = subprocess.run([sinter, "explain", str(path), *options], check=True, capture_output=True, text=True).stdout
    launches = re.search(r"^launches per run +(\S+)", text, re.M).group(1)
    number, unit = re.search(r"^predicted +([\d.]+) (us|ms)", text, re.M).groups()
    return f"{launches} | {float(number) * (1000 if unit == 'ms' else 1):,.0f}"


def main():
    sinter = sys.argv[1]
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    print("| program | launches | us | joined: launches | us | and split: launches | us |\n|---|---|---|---|---|---|---|")
    for name, (function, *arguments) in PROGRAMS.items():
        path = folder / f"{name}.hlo"
        path.write_text(jax.jit(function).lower(*arguments).compiler_ir("hlo").as_hlo_text())
        print(f"| {name} | " + " | ".join(figures(sinter, path, options) for options in FORMS) + " |", flush=True)


main()
