# Another version of the program.
"""A damped spring that is pushed; what is far away starts again."""

import jax
import jax.numpy as jnp

STIFFNESS = 4.0
STEP = 0.01


def is_far(x, limit):
    return (jnp.abs(x) > limit) | (x != x)


def swing(state, push):
    x, v = state

    def step(carry, push):
        place, speed, restarts = carry
        force = push - STIFFNESS * place - 0.1 * speed
        speed += STEP * force
        moved = place + STEP * speed
        far = is_far(moved, 2.0)
        return (jnp.where(far, 0.0, moved), speed, restarts + far), 0.5 * speed * speed

    (x, v, restarts), energy = jax.lax.scan(step, (x, v, jnp.zeros(x.shape, jnp.int32)), push)
    cos, limit = jnp.cos(x), 1.5
    total = (
        jnp.sum(energy)  # over steps
        + jnp.sum(cos)
    )
    return x, v, restarts, total
