#!/usr/bin/env python3
"""Times the samples' loops in JAX, each unrolled 1, 4 and 16 times and whole (where that is 64 steps or fewer), and prints
the best: "NAME MICROSECONDS unroll=N" a line, NAME that of a program of the bundle.

    time_unrolled.py BUNDLE [--short]
"""
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

import sample_models
import sources

UNROLLS = (1, 4, 16)
MOST_WHOLE = 64  # steps that are unrolled whole: XLA takes minutes for more
SHORT = ("cartpole_soa",)
scan, fori_loop = jax.lax.scan, jax.lax.fori_loop


class Unrolled:
    """Loops of known length are unrolled so many times while this is entered; `lengths` has them."""

    def __init__(self, unroll):
        self.unroll, self.lengths = unroll, set()

    def __enter__(self):
        jax.lax.scan, jax.lax.fori_loop = self.scan, self.fori_loop
        return self

    def __exit__(self, *_):
        jax.lax.scan, jax.lax.fori_loop = scan, fori_loop

    def of(self, length):
        self.lengths.add(length)
        return length if self.unroll == "whole" else min(self.unroll, length)

    def scan(self, body, init, xs=None, length=None, **more):
        more.pop("unroll", None)
        count = length if length is not None else len(jax.tree.leaves(xs)[0])
        return scan(body, init, xs, length, unroll=self.of(count), **more)

    def fori_loop(self, lower, upper, body, init, **more):
        more.pop("unroll", None)
        if not isinstance(lower, int) or not isinstance(upper, int):
            return fori_loop(lower, upper, body, init, **more)
        return fori_loop(lower, upper, body, init, unroll=self.of(max(1, upper - lower)), **more)


def microseconds(compiled, arguments, repeat):
    times = []
    for _ in range(repeat + 1):
        began = time.perf_counter()
        jax.block_until_ready(compiled(*arguments))
        times.append(1e6 * (time.perf_counter() - began))
    return float(np.median(times[1:]))


def best(build, size, repeat):
    """(microseconds, unroll) of the fastest; None of a model without a loop of known length."""
    found, lengths = [], set()
    for unroll in (*UNROLLS, "whole"):
        if unroll == "whole" and (not lengths or max(lengths) > MOST_WHOLE):
            continue
        with Unrolled(unroll) as loops:
            function, arguments = build(size)
            compiled = jax.jit(lambda *a: function(*a)).lower(*arguments).compile()
        lengths |= loops.lengths
        if not lengths:
            return None
        arguments = jax.tree.map(jnp.asarray, arguments)
        found.append((microseconds(compiled, arguments, repeat), unroll))
    return min(found, key=lambda one: one[0])


def main():
    options = sources.options(__doc__, "small, and one loop")
    timed = sources.timed(options.bundle, options)
    models = sample_models.models()
    names = {model: [name for name in timed if name.endswith("_" + model)] for model in models}

    def times(model):
        result = best(models[model][0], "small" if options.short else "large", 1 if options.short else 5)
        for name in (names[model] or [model]) if result else ():
            yield f"{name} {result[0]:.2f} unroll={result[1]}"

    return sources.time_each([model for model, (_, kind, _) in models.items() if kind in ("loop", "recurrent", "random")
                              and (model in SHORT if options.short else names[model])], times)


if __name__ == "__main__":
    sys.exit(main())
