"""scores.hlo compiled and built for the CPU, without optimisation: what several tests load."""

import pathlib

import numpy as np
import sinter

TEXT = pathlib.Path(__file__).parent / "scores.hlo"
FAST = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-g0"]


def build_scores(folder="scores", text=TEXT, cmake=FAST):
    sinter.compile(text, folder, no_verify=True)
    return sinter.build(folder, cmake=cmake)


def arrays():
    """The inputs in order; of bf16 the bits of 1, 2, 3, 4, and their doubles."""
    random = np.random.default_rng(7)
    bias = np.array([0x3F80, 0x4000, 0x4040, 0x4080], np.uint16)
    return [random.normal(size=(3, 4)).astype(np.float32), bias, random.normal(size=(2, 3)).astype(np.float32),
            np.array([[True, False, True, True], [False, True, True, False]]), np.arange(-2, 3, dtype=np.int8)]


TWICE = np.array([0x4000, 0x4080, 0x40C0, 0x4100], np.uint16)


def expected():
    w, _, x, keep, level = arrays()
    return np.where(keep, x @ w, 0), TWICE, 2 * level
