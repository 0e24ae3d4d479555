"""A two-layer classifier: its loss, and a step of gradient descent."""
import jax
import jax.numpy as jnp


def dense(x, w, b):
    return x @ w + b


def normalise(x):
    mean = x.mean(axis=-1, keepdims=True)
    deviation = jnp.sqrt(((x - mean) ** 2).mean(axis=-1, keepdims=True) + 1e-5)
    return (x - mean) / deviation


def logits(params, x):
    w1, b1, w2, b2 = params
    hidden = jax.nn.relu(dense(normalise(x), w1, b1))
    return dense(hidden, w2, b2)


def loss(params, x, labels):
    scores = jax.nn.log_softmax(logits(params, x))
    return -jnp.take_along_axis(scores, labels[:, None], axis=1).mean()


def model(w1, b1, w2, b2, x, labels):
    params = (w1, b1, w2, b2)
    value, gradients = jax.value_and_grad(loss)(params, x, labels)
    updated = tuple(p - 0.01 * g for p, g in zip(params, gradients))
    return value, updated


def arguments():
    f = jnp.float32
    return [jax.ShapeDtypeStruct(s, f) for s in [(256, 128), (128,), (128, 10), (10,), (64, 256)]] + [
        jax.ShapeDtypeStruct((64,), jnp.int32)
    ]
