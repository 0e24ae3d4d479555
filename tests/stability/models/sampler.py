"""The next token of each sequence: the 16 best by score, one of them drawn."""
import jax
import jax.numpy as jnp


def best(logits, temperature):
    values, tokens = jax.lax.top_k(logits / temperature, 16)
    return values, tokens


def draw(key, values):
    noise = jax.random.gumbel(key, values.shape)
    return jnp.argmax(values + noise, axis=-1)


def model(key, logits, temperature):
    values, tokens = best(logits, temperature)
    chosen = draw(key, values)
    token = jnp.take_along_axis(tokens, chosen[:, None], axis=1)[:, 0]
    confidence = jax.nn.softmax(values)[:, 0]
    return token, confidence


def arguments():
    return [
        jax.ShapeDtypeStruct((2,), jnp.uint32),
        jax.ShapeDtypeStruct((32, 4096), jnp.float32),
        jax.ShapeDtypeStruct((), jnp.float32),
    ]
