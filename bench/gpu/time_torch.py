#!/usr/bin/env python3
"""Times torch.compile on programs of bench/odd_sizes, at their sizes: "NAME MICROSECONDS" a line.

    time_torch.py [--short]
"""
import argparse
import sys

import torch
import torch.nn.functional as F

ROWS, COLUMNS = 8192, 4096


def randn(*dims):
    return torch.rand(*dims, device="cuda" if torch.cuda.is_available() else "cpu") * 2 - 1


def programs():
    x, weight, bias = randn(ROWS, COLUMNS), randn(COLUMNS), randn(COLUMNS)
    square = randn(4096, 4096)
    half = square.to(torch.bfloat16)
    return {
        "softmax": (lambda x: torch.softmax(x, -1), (x,)),
        "layernorm": (lambda x, w, b: F.layer_norm(x, (COLUMNS,), w, b), (x, weight, bias)),
        "logsumexp": (lambda x: torch.logsumexp(x, -1), (x,)),
        "gelu_bias_residual": (lambda x, b: x + F.gelu(x + b, approximate="tanh"), (x, bias)),
        "column_sums": (lambda x: x.sum(0), (x,)),
        "cumsum_rows": (lambda x: x.cumsum(-1), (x,)),
        "matmul_f32": (lambda a: a @ a, (square,)),
        "matmul_bf16": (lambda a: a @ a, (half,)),
    }


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
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--short", action="store_true", help="a few runs")
    options = parser.parse_args()
    failed, chosen = 0, programs()
    for name, (function, arguments) in chosen.items():
        try:
            print(f"{name}_{'x'.join(map(str, arguments[0].shape))}",
                  f"{microseconds(function, arguments, 2 if options.short else 30):.2f}", flush=True)
        except Exception as problem:  # one that is refused does not stop the rest
            failed += 1
            print(f"{name}: {problem}".splitlines()[0], file=sys.stderr)
    return 1 if failed == len(chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
