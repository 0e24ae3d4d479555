"""Writes the samples that were made for this repository: NAME/NAME.hlo, its inputs and what XLA on a CPU computes.

    python make_samples.py [NAME ...]        needs jax 0.10.2 (CPU), numpy and safetensors
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jaxlib import _hlo
from safetensors.numpy import save_file

jax.config.update("jax_hlo_source_file_canonicalization_regex", "^.*/")


def kmeans(points, centres):
    """Lloyd's algorithm until no point changes its cluster, at most 50 steps; an empty cluster keeps its centre."""

    def nearest(centres):
        distances = jnp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=-1)
        return jnp.argmin(distances, axis=1)

    def update(state):
        step, centres, _, assignment = state
        sums = jax.ops.segment_sum(points, assignment, num_segments=len(centres))
        counts = jax.ops.segment_sum(jnp.ones(len(points)), assignment, num_segments=len(centres))
        moved = jnp.where(counts[:, None] > 0, sums / jnp.maximum(counts, 1)[:, None], centres)
        return step + 1, moved, assignment, nearest(moved)

    def goes_on(state):
        step, _, before, assignment = state
        return (step < 50) & jnp.any(before != assignment)

    first = nearest(centres)
    steps, centres, _, assignment = jax.lax.while_loop(goes_on, update, (0, centres, jnp.full_like(first, -1), first))
    return centres, assignment, steps


def graph_attention(features, senders, receivers, weights, scores):
    """Two layers of attention along the edges of a graph: a softmax over each node's incoming edges."""
    nodes = len(features)
    for layer in range(2):
        hidden = features @ weights[layer]
        logits = jax.nn.leaky_relu(hidden[senders] @ scores[layer, 0] + hidden[receivers] @ scores[layer, 1], 0.2)
        largest = jax.ops.segment_max(logits, receivers, nodes)
        exponentials = jnp.exp(logits - largest[receivers])
        sums = jax.ops.segment_sum(exponentials, receivers, nodes)
        shares = exponentials / sums[receivers]
        features = jax.nn.elu(jax.ops.segment_sum(shares[:, None] * hidden[senders], receivers, nodes))
    degrees = jnp.zeros(nodes, jnp.int32).at[receivers].add(1)
    return features, degrees


def oscillators(x, v):
    """4096 damped springs pushed in time: their energy and farthest reach at each step, and the work done in all."""

    def step(state, t):
        x, v, work = state
        push = 0.5 * jnp.sin(0.3 * t.astype(jnp.float32))
        v = v + 0.05 * (push - x - 0.1 * v)
        x = x + 0.05 * v
        energy = jnp.mean(0.5 * (x * x + v * v))
        return (x, v, work + jnp.sum(push * v)), (energy, jnp.max(jnp.abs(x)), jnp.sum(x > 1))

    (x, v, work), history = jax.lax.scan(step, (x, v, jnp.float32(0)), jnp.arange(40))
    return x, v, work / x.size, history


def boids(position, velocity):
    """A flock of 256 in the plane, 20 steps: each draws near to its neighbours' middle, flies as they do, and keeps away."""

    def step(state, _):
        position, velocity = state
        apart = position[None] - position[:, None]
        distance = jnp.sum(apart * apart, axis=-1) + 1e-3
        near = jnp.where(distance < 1.0, 1.0, 0.0)
        neighbours = jnp.sum(near, axis=1)[:, None]
        middle = jnp.sum(near[..., None] * apart, axis=1) / neighbours
        course = jnp.sum(near[..., None] * velocity[None], axis=1) / neighbours
        crowd = jnp.sum((near / distance)[..., None] * apart, axis=1)
        velocity = velocity + 0.01 * middle + 0.05 * (course - velocity) - 0.001 * crowd
        speed = jnp.linalg.norm(velocity, axis=-1, keepdims=True)
        velocity = velocity / jnp.maximum(speed, 1.0)
        return (position + 0.1 * velocity, velocity), None

    return jax.lax.scan(step, (position, velocity), None, length=20)[0]


def recurrence(decay, value):
    """h[t] = decay[t] h[t-1] + value[t] for 8 sequences of 512 steps and 4 channels, as a parallel scan."""

    def after(first, second):
        return first[0] * second[0], second[0] * first[1] + second[1]

    return jax.lax.associative_scan(after, (decay, value), axis=1)[1]


def boids_inputs(random):
    return (2 * random.normal(size=(256, 2))).astype(np.float32), (0.3 * random.normal(size=(256, 2))).astype(np.float32)


def recurrence_inputs(random):
    return random.random(size=(8, 512, 4)).astype(np.float32), random.normal(size=(8, 512, 4)).astype(np.float32)


def oscillators_inputs(random):
    return random.normal(size=4096).astype(np.float32), random.normal(size=4096).astype(np.float32)


def kmeans_inputs(random):
    corners = random.normal(size=(6, 3)) * 4
    points = corners[random.integers(0, 6, 400)] + random.normal(size=(400, 3))
    return points.astype(np.float32), points[:8].astype(np.float32)


def graph_attention_inputs(random):
    nodes, edges, width = 60, 500, 16
    receivers = np.concatenate([np.arange(nodes), random.integers(0, nodes, edges - nodes)])  # each node has an edge
    return (random.normal(size=(nodes, width)).astype(np.float32), random.integers(0, nodes, edges).astype(np.int32),
            receivers.astype(np.int32), (random.normal(size=(2, width, width)) / 4).astype(np.float32),
            (random.normal(size=(2, 2, width)) / 4).astype(np.float32))


SAMPLES = {"kmeans": (kmeans, kmeans_inputs), "graph_attention": (graph_attention, graph_attention_inputs),
           "oscillators": (oscillators, oscillators_inputs), "boids": (boids, boids_inputs),
           "recurrence": (recurrence, recurrence_inputs)}


def tensors(values):
    return {str(i): np.asarray(value, order="C") for i, value in enumerate(jax.tree.leaves(values))}


def main():
    for name in sys.argv[1:] or SAMPLES:
        function, inputs = SAMPLES[name]
        arguments = inputs(np.random.default_rng(7))
        folder = pathlib.Path(__file__).resolve().parent / name
        folder.mkdir(exist_ok=True)
        lowered = jax.jit(function).trace(*arguments).lower(lowering_platforms=("cuda",))
        options = _hlo.HloPrintOptions()
        options.print_large_constants = True
        options.print_metadata = True
        (folder / f"{name}.hlo").write_text(lowered.compiler_ir("hlo").as_hlo_module().to_string(options))
        save_file(tensors(arguments), folder / f"{name}.inputs.safetensors")
        save_file(tensors(jax.jit(function)(*arguments)), folder / f"{name}.expected.safetensors")


if __name__ == "__main__":
    main()
