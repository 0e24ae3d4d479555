#!/usr/bin/env python3
"""Times torch.compile on programs of the bundle, at their shapes: "NAME MICROSECONDS" a line.

    time_torch.py BUNDLE [--short]
"""
import fnmatch
import sys

import torch
import torch.nn.functional as F

import sources

TYPES = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "f16": torch.float16, "s32": torch.int32}


def rmsnorm(x, weight):
    wide = x.float()
    return (wide * torch.rsqrt((wide * wide).mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * weight


def attention(q, k, v):  # [batch, time, heads, width]
    q, k, v = (a.transpose(1, 2) for a in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2)


def adamw(*tensors):
    """One step on a fourth of the arrays each: parameters, gradients, both moments; the counters, which are few, are left."""
    arrays = [a for a in tensors if a.dim() > 0]
    n = len(arrays) // 4
    results = []
    for p, g, m, v in zip(arrays[:n], arrays[n:2 * n], arrays[2 * n:3 * n], arrays[3 * n:4 * n]):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        results += [p - 3e-4 * (m / (v.abs().sqrt() + 1e-8) + 0.1 * p), m, v]
    return results


# By name of the program. What each does is what its HLO text does.
FUNCTIONS = {
    "t_*_softmax": lambda x: torch.softmax(x, -1),
    "t_*_layernorm": lambda x, w, b: F.layer_norm(x, x.shape[-1:], w, b),
    "t_*_rmsnorm": rmsnorm,
    "t_*_rmsnorm_long": rmsnorm,
    "t_*_logsumexp": lambda x: torch.logsumexp(x, -1),
    "t_*_gelu_bias_residual": lambda x, b, r: r + F.gelu(x + b, approximate="tanh"),
    "t_*_column_sums": lambda x: x.sum(0),
    "t_*_cumsum_rows": lambda x: x.cumsum(-1),
    "t_*_cumsum_1d": lambda x: x.cumsum(0),
    "t_*_total_sum": lambda x: x.sum(),
    "t_*_matmul": lambda a, b: a @ b,
    "t_*_skinny_matmul": lambda a, b: a @ b,
    "t_*_matvec": lambda a, v: a @ v,
    "t_*_vecmat": lambda a, v: v @ a,
    "t_*_outer_product": torch.outer,
    "t_*_sort_1d": lambda x: torch.sort(x).values,
    "t_*_argsort_rows": lambda x: torch.argsort(x, -1, stable=True),
    "t_*_argmax_rows": lambda x: torch.argmax(x, -1),
    "t_*_top_k": lambda x: torch.topk(x, 40),
    "t_*_embedding": lambda table, rows: table[rows.long()],
    "t_*_attention": attention,
    "t_*_adamw_update": adamw,
    "t_contractions_dense_*": lambda x, w, b, r: F.gelu(x @ w + b, approximate="tanh") + r,
    "t_contractions_[bf]*": lambda a, b: a @ b,
    "m_tensor_*": lambda a, b: a @ b,
}


def values(dtype, dims, device):
    if dtype == "s32":
        return torch.randint(0, 8, dims, dtype=TYPES[dtype], device=device)
    return (torch.rand(*dims, device=device) * 2 - 1).to(TYPES[dtype])


def microseconds(function, arguments, repeat):
    compiled = torch.compile(function)
    for _ in range(3):
        compiled(*arguments)
    times = []
    for _ in range(repeat):
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        compiled(*arguments)
        stop.record()
        torch.cuda.synchronize()
        times.append(1000 * start.elapsed_time(stop))
    return sorted(times)[len(times) // 2]


def main():
    options = sources.options(__doc__, "a few runs")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    functions = {}
    for name in sources.timed(options.bundle, options, ("time", "micro")):
        functions[name] = next((f for glob, f in FUNCTIONS.items() if fnmatch.fnmatch(name, glob)), None)

    def times(name):
        arguments = [values(dtype, dims, device) for dtype, dims in
                     sources.parameters(sources.text(options.bundle, name))]
        yield f"{name} {microseconds(functions[name], arguments, 2 if options.short else 30):.2f}"

    return sources.time_each([name for name in functions if functions[name] is not None], times)


if __name__ == "__main__":
    sys.exit(main())
