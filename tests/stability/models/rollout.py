"""Pendulums under a linear policy: a loop of many steps, and what became of them."""
import jax
import jax.numpy as jnp

STEPS = 200


def policy(angle, speed):
    return jnp.clip(-2.0 * angle - 0.5 * speed, -1.0, 1.0)


def dynamics(angle, speed, torque):
    acceleration = 9.8 * jnp.sin(angle) + torque
    speed = speed + 0.02 * acceleration
    angle = angle + 0.02 * speed
    return angle, speed


def reward(angle, torque):
    return -(angle * angle) - 0.1 * torque * torque


def rollout(angle, speed):
    def step(_, state):
        angle, speed, total = state
        torque = policy(angle, speed)
        angle, speed = dynamics(angle, speed, torque)
        return angle, speed, total + reward(angle, torque)

    return jax.lax.fori_loop(0, STEPS, step, (angle, speed, jnp.zeros_like(angle)))


def summary(total):
    mean = total.mean()
    return mean, jnp.sqrt(((total - mean) ** 2).mean())


def model(angle, speed):
    angle, speed, total = rollout(angle, speed)
    mean, deviation = summary(total)
    return angle, mean, deviation


def arguments():
    return [jax.ShapeDtypeStruct((1024,), jnp.float32)] * 2
