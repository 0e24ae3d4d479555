"""A step of AdamW over a few tensors, with the gradients clipped by their norm."""
import jax
import jax.numpy as jnp


def norm(gradients):
    return jnp.sqrt(sum((g * g).sum() for g in gradients))


def update(p, g, m, v, scale):
    g = g * scale
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 1e-3 * (m / (jnp.sqrt(v) + 1e-8) + 0.01 * p), m, v


def model(p1, p2, p3, g1, g2, g3, m1, m2, m3, v1, v2, v3):
    scale = jnp.minimum(1.0, 1.0 / (norm((g1, g2, g3)) + 1e-6))
    first = update(p1, g1, m1, v1, scale)
    second = update(p2, g2, m2, v2, scale)
    third = update(p3, g3, m3, v3, scale)
    return first, second, third


def arguments():
    return [jax.ShapeDtypeStruct(s, jnp.float32) for s in [(512, 256), (256,), (256, 64)] * 4]
