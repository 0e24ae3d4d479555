"""Filtering a picture: grey, blurred, sharpened, its histogram and edges."""
import jax
import jax.numpy as jnp


def grey(picture):
    return picture @ jnp.array([0.299, 0.587, 0.114])


def blur(x):
    padded = jnp.pad(x, 1, mode="edge")
    rows = padded[:-2] + 2.0 * padded[1:-1] + padded[2:]
    return (rows[:, :-2] + 2.0 * rows[:, 1:-1] + rows[:, 2:]) / 16.0


def edges(x):
    across = x[1:-1, 2:] - x[1:-1, :-2]
    down = x[2:, 1:-1] - x[:-2, 1:-1]
    return jnp.sqrt(across * across + down * down)


def histogram(x):
    bins = jnp.clip((x * 16.0).astype(jnp.int32), 0, 15)
    return jnp.zeros(16, jnp.int32).at[bins.ravel()].add(1)


def model(picture):
    x = grey(picture)
    soft = blur(x)
    sharp = x + 1.5 * (x - soft)
    return sharp, edges(soft), histogram(x)


def arguments():
    return [jax.ShapeDtypeStruct((256, 256, 3), jnp.float32)]
