# The program of associative_scan.hlo: h[t] = a[t] * h[t - 1] + b[t], as JAX unrolls it.
import jax
import jax.numpy as jnp
from jax import lax


def combine(x, y):
    return x[0] * y[0], x[1] * y[0] + y[1]


def scan(a, b):
    return lax.associative_scan(combine, (a, b))[1]


shape = jax.ShapeDtypeStruct((256, 16), jnp.float32)
print(jax.jit(scan).lower(shape, shape).as_text(dialect="hlo"))
