#!/usr/bin/env python3
"""HLO text of long programs, which compile_speed.py times: training steps whose layers and optimiser are unrolled, as
JAX traces them, and chains of one operation.

    long_programs.py DIR [NAME...]

Needs jax and optax. Nothing is computed: all arguments are shapes alone.
"""

import argparse
import pathlib

import jax
import jax.numpy as jnp
import optax


def shape(*dims, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(dims, dtype)


def text(function, *args):
    lowered = jax.jit(function, keep_unused=True).lower(*args)
    return lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True)


def train_step(parameters, loss, *batch):
    """A step of AdamW after clipping the gradient's global norm, every tensor on its own."""
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-4, weight_decay=0.1))

    def step(parameters, state, *batch):
        value, gradient = jax.value_and_grad(loss)(parameters, *batch)
        updates, state = optimiser.update(gradient, state, parameters)
        return optax.apply_updates(parameters, updates), state, value

    return text(step, parameters, jax.eval_shape(optimiser.init, parameters), *batch)


def layer_norm(x, p):
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean(jnp.square(x - mean), -1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * p["scale"] + p["bias"]


def norm_shapes(width):
    return {"scale": shape(width), "bias": shape(width)}


def dense_shapes(inner, outer):
    return {"w": shape(inner, outer), "b": shape(outer)}


def dense(x, p):
    return x @ p["w"] + p["b"]


def gpt(layers, width=768, heads=12, length=256, batch=4, vocabulary=32000):
    parameters = {
        "tokens": shape(vocabulary, width),
        "places": shape(length, width),
        "norm": norm_shapes(width),
        "layers": [
            {
                "norm_1": norm_shapes(width),
                "qkv": dense_shapes(width, 3 * width),
                "out": dense_shapes(width, width),
                "norm_2": norm_shapes(width),
                "up": dense_shapes(width, 4 * width),
                "down": dense_shapes(4 * width, width),
            }
            for _ in range(layers)
        ],
    }

    def attention(x, p):
        q, k, v = (
            part.reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3)
            for part in jnp.split(dense(x, p["qkv"]), 3, axis=-1)
        )
        scores = q @ k.transpose(0, 1, 3, 2) / jnp.sqrt(width // heads)
        mask = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9))
        return dense((weights @ v).transpose(0, 2, 1, 3).reshape(batch, length, width), p["out"])

    def loss(p, tokens, targets):
        x = p["tokens"][tokens] + p["places"]
        for layer in p["layers"]:
            x = x + attention(layer_norm(x, layer["norm_1"]), layer)
            x = x + dense(jax.nn.gelu(dense(layer_norm(x, layer["norm_2"]), layer["up"])), layer["down"])
        logits = layer_norm(x, p["norm"]) @ p["tokens"].T
        return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()

    tokens = shape(batch, length, dtype=jnp.int32)
    return train_step(parameters, loss, tokens, tokens)


def resnet(blocks, batch=16, size=224, classes=1000):
    """Bottleneck blocks, NHWC, batch normalisation with the batch's own statistics."""

    def conv_shapes(kernel, inner, outer):
        return {"w": shape(kernel, kernel, inner, outer), "scale": shape(outer), "bias": shape(outer)}

    def conv_norm(x, p, stride=1):
        x = jax.lax.conv_general_dilated(
            x, p["w"], (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        mean = jnp.mean(x, (0, 1, 2))
        variance = jnp.mean(jnp.square(x - mean), (0, 1, 2))
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * p["scale"] + p["bias"]

    stages, inner = [], 64
    for stage, count in enumerate(blocks):
        width, stage_blocks = 64 << stage, []
        for block in range(count):
            p = {
                "conv_1": conv_shapes(1, inner, width),
                "conv_2": conv_shapes(3, width, width),
                "conv_3": conv_shapes(1, width, 4 * width),
            }
            if block == 0:
                p["shortcut"] = conv_shapes(1, inner, 4 * width)
            inner = 4 * width
            stage_blocks.append(p)
        stages.append(stage_blocks)
    parameters = {"stem": conv_shapes(7, 3, 64), "stages": stages, "head": dense_shapes(inner, classes)}

    def loss(p, images, labels):
        x = jax.nn.relu(conv_norm(images, p["stem"], 2))
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for stage, stage_blocks in enumerate(p["stages"]):
            for block, q in enumerate(stage_blocks):
                stride = 2 if stage > 0 and block == 0 else 1
                y = jax.nn.relu(conv_norm(x, q["conv_1"]))
                y = jax.nn.relu(conv_norm(y, q["conv_2"], stride))
                y = conv_norm(y, q["conv_3"])
                x = jax.nn.relu(y + (conv_norm(x, q["shortcut"], stride) if "shortcut" in q else x))
        logits = dense(jnp.mean(x, (1, 2)), p["head"])
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    return train_step(parameters, loss, shape(batch, size, size, 3), shape(batch, dtype=jnp.int32))


def scatters(count):
    def run(x):
        for k in range(count):
            x = x.at[k].add(x[(7 * k + 3) % 4096])
        return x

    return text(run, shape(4096))


def updates(count):
    def run(x, y):
        for k in range(count):
            x = jax.lax.dynamic_update_slice(x, jnp.sin(y[k]), (k * 16, 0))
        return x

    return text(run, shape(4096, 64), shape(count, 16, 64))


def row_means(count):
    def run(x):
        for _ in range(count):
            x = x - jnp.mean(x, -1, keepdims=True)
        return x

    return text(run, shape(256, 512))


PROGRAMS = {
    **{f"gpt_{layers}": (lambda layers=layers: gpt(layers)) for layers in (6, 12, 24, 48)},
    "resnet_50": lambda: resnet((3, 4, 6, 3)),
    "resnet_152": lambda: resnet((3, 8, 36, 3)),
    **{f"scatters_{count}": (lambda count=count: scatters(count)) for count in (100, 300)},
    **{f"updates_{count}": (lambda count=count: updates(count)) for count in (50, 100)},
    **{f"row_means_{count}": (lambda count=count: row_means(count)) for count in (100, 200, 400)},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("names", nargs="*", default=list(PROGRAMS), metavar="NAME", help=", ".join(PROGRAMS))
    arguments = parser.parse_args()
    arguments.dir.mkdir(parents=True, exist_ok=True)
    for name in arguments.names:
        (arguments.dir / f"{name}.hlo").write_text(PROGRAMS[name]())


if __name__ == "__main__":
    main()
