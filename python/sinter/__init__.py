"""Sinter compiles HLO text, which is what JAX prints for a jitted function, to readable CUDA C++.

    sinter.jax.export(policy, params, observation, path="policy.hlo", weights="policy.safetensors")
    sinter.compile("policy.hlo", "policy")
    sinter.build("policy", device="cpu")
    model = sinter.load("policy", weights="policy.safetensors")
    action, value = model(observation)

docs/python.md of the repository explains each.
"""

from sinter import jax
from sinter.interface import Tensor
from sinter.model import Model, Programs, load
from sinter.plan import Plan, explain
from sinter.program import Error
from sinter.project import build, compile

__all__ = ["Error", "Model", "Plan", "Programs", "Tensor", "build", "compile", "explain", "jax", "load"]
