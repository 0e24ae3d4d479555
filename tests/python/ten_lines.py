"""docs/python.md's first example: a JAX function as a library, beside JAX."""
import jax, jax.numpy as jnp, numpy as np, sinter


def policy(params, observation):
    hidden = jnp.tanh(observation @ params["w"] + params["b"])
    return jax.nn.softmax(hidden)


params = {"w": np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3), "b": np.zeros(3, np.float32)}
observation = np.ones((8, 4), np.float32)
sinter.jax.export(policy, params, observation, path="policy.hlo", weights="policy.safetensors")
sinter.compile("policy.hlo", "policy")
sinter.build("policy", device="cpu")
model = sinter.load("policy", weights="policy.safetensors")
np.testing.assert_allclose(model(observation)[0], jax.jit(policy)(params, observation), rtol=1e-6)
