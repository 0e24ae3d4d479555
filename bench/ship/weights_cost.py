#!/usr/bin/env python3
"""What weights in the text cost: an MLP of 5 and 50 million parameters as constants of its HLO text, compiled and built
without --weights, and with each of the three.

    weights_cost.py SINTER WORK [--millions 5 50] [--device cpu|cuda] [--architecture 90a-real]

Of each call: seconds by the clock, seconds of a core, and the most memory that one of its processes had; of the build
the size of the shared library, and of a file of weights beside it.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

LAYERS = 5


def write_mlp(path, parameters):
    """Five square layers on 16 rows: matrices of the size that makes the number, and biases."""
    width = int((parameters / LAYERS) ** 0.5)
    numbers = random.Random(1)
    with open(path, "w") as out:
        out.write(f"HloModule jit_mlp\n\nENTRY main {{\n  h0 = f32[16,{width}] parameter(0)\n")
        for i in range(LAYERS):
            def row():
                return "{" + ", ".join([f"{numbers.gauss(0, 0.03):.6g}" for _ in range(width)]) + "}"
            out.write(f"  w{i} = f32[{width},{width}] constant({{ ")
            for j in range(width):
                out.write((", " if j else "") + row())
            out.write(f" }})\n  b{i} = f32[{width}] constant({row()})\n"
                      f"  d{i} = f32[16,{width}] dot(h{i}, w{i}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n"
                      f"  r{i} = f32[16,{width}] broadcast(b{i}), dimensions={{1}}\n"
                      f"  s{i} = f32[16,{width}] add(d{i}, r{i})\n"
                      f"  {'ROOT ' if i == LAYERS - 1 else ''}h{i + 1} = f32[16,{width}] tanh(s{i})\n")
        out.write("}\n")
    return width


def measured(command):
    """Seconds by the clock, seconds of a core, bytes of memory."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{output[-4000:]}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def cells(figures):
    clock, core, memory = figures
    return f"{clock:.1f} | {core:.1f} | {memory / 1e6:,.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinter")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--millions", type=int, nargs="+", default=[5, 50])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--architecture", default="90a-real")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    print("| parameters, text | --weights | compile s | of a core | MB | build s | of a core | MB | library MB | file MB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for millions in options.millions:
        text = options.work / f"mlp{millions}.hlo"
        if not text.exists():
            write_mlp(text, millions * 1e6)
        for home in ["", "embed", "file", "caller"]:
            folder = options.work / f"mlp{millions}_{home or 'none'}"
            shutil.rmtree(folder, ignore_errors=True)
            compiled = measured([options.sinter, "compile", text, "-o", folder, "--name", "mlp"]
                                + (["--weights", home] if home else []))
            build = folder / "build"
            subprocess.run(["cmake", "-S", folder, "-B", build, "-G", "Ninja", "-DMLP_LIBRARY_TYPE=SHARED", "-DMLP_CLI=OFF",
                            f"-DMLP_CPU={'ON' if options.device == 'cpu' else 'OFF'}",
                            f"-DCMAKE_CUDA_ARCHITECTURES={options.architecture}"], check=True, stdout=subprocess.DEVNULL)
            built = measured(["cmake", "--build", build])
            weights = folder / "weights.safetensors"
            beside = weights.stat().st_size / 1e6 if home in ("file",) else 0
            print(f"| {millions}M, {text.stat().st_size / 1e6:,.0f} MB | {home or 'not given'} | {cells(compiled)} "
                  f"| {cells(built)} | {(build / 'libmlp.so').stat().st_size / 1e6:,.1f} | {beside:,.1f} |", flush=True)
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
