#!/usr/bin/env python3
"""CartPole in JAX, as in bench/programs: milliseconds of a rollout on JAX's own device, a line a variant.

    cartpole.py [--environments 2048] [--steps 10000] [--repeat 5]
"""
import argparse
import functools
import time

import jax
import jax.numpy as jnp

GRAVITY, MASS_POLE, LENGTH, FORCE, TAU = 9.8, 0.1, 0.5, 10.0, 0.02
TOTAL_MASS = 1.0 + MASS_POLE
X_LIMIT, THETA_LIMIT = 2.4, 12 * 2 * jnp.pi / 360
START, POOL = 0.05, 1000


def dynamics(x, x_dot, theta, theta_dot, action):
    force = jnp.where(action == 1, FORCE, -FORCE)
    cos, sin = jnp.cos(theta), jnp.sin(theta)
    temp = (force + MASS_POLE * LENGTH * theta_dot**2 * sin) / TOTAL_MASS
    theta_acc = (GRAVITY * sin - cos * temp) / (LENGTH * (4.0 / 3.0 - MASS_POLE * cos**2 / TOTAL_MASS))
    x_acc = temp - MASS_POLE * LENGTH * theta_acc * cos / TOTAL_MASS
    return x + TAU * x_dot, x_dot + TAU * x_acc, theta + TAU * theta_dot, theta_dot + TAU * theta_acc


def ended(x, theta):
    return (jnp.abs(x) > X_LIMIT) | (jnp.abs(theta) > THETA_LIMIT)


def step_array(state, action, start):
    state = jnp.stack(dynamics(*state.T, action), axis=1)
    done = ended(state[:, 0], state[:, 2])
    return jnp.where(done[:, None], start, state), done


def step_tuple(state, action, start):
    state = dynamics(*state, action)
    done = ended(state[0], state[2])
    return tuple(jnp.where(done, s, v) for s, v in zip(start, state)), done


def with_rng(steps, state, key):
    def step(_, carry):
        state, episodes, key = carry
        key, for_action, for_start = jax.random.split(key, 3)
        action = jax.random.randint(for_action, state.shape[:1], 0, 2)
        start = jax.random.uniform(for_start, state.shape, minval=-START, maxval=START)
        state, done = step_array(state, action, start)
        return state, episodes + done, key

    return jax.lax.fori_loop(0, steps, step, (state, jnp.zeros(len(state), jnp.int32), key))


def with_pool(step_once, steps, unroll, state, actions, starts):
    def step(t, carry):
        state, episodes = carry
        state, done = step_once(state, actions[t % POOL], jax.tree.map(lambda s: s[t % POOL], starts))
        return state, episodes + done

    return jax.lax.fori_loop(0, steps, step, (state, jnp.zeros(actions.shape[1], jnp.int32)), unroll=unroll)


def milliseconds(function, arguments, repeat):
    compiled = jax.jit(function).lower(*arguments).compile()
    jax.block_until_ready(compiled(*arguments))
    start = time.perf_counter()
    for _ in range(repeat):
        result = compiled(*arguments)
    jax.block_until_ready(result)
    return (time.perf_counter() - start) / repeat * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--environments", type=int, default=2048)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    n = options.environments
    key = jax.random.key(7)
    actions = jax.random.randint(key, (POOL, n), 0, 2)
    arrays = tuple(jax.random.uniform(k, (POOL, n), minval=-START, maxval=START) for k in jax.random.split(key, 4))
    rows = jnp.stack(arrays, axis=2)
    start = tuple(a[0] for a in arrays)
    variants = {
        "rng": (functools.partial(with_rng, options.steps), (rows[0], key)),
        "concat": (functools.partial(with_pool, step_array, options.steps, 1), (rows[0], actions, rows)),
    }
    for unroll in (1, 5, 10, 50):
        rollout = functools.partial(with_pool, step_tuple, options.steps, unroll)
        variants[f"soa_unroll{unroll}"] = (rollout, (start, actions, arrays))
    for name, (function, arguments) in variants.items():
        print(f"{name} {milliseconds(function, arguments, options.repeat):.3f} {jax.devices()[0].device_kind}", flush=True)


if __name__ == "__main__":
    main()
