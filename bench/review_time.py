#!/usr/bin/env python3
"""How long `sinter diff` takes on two folders of a hundred kernels, and how much memory: identical, with one constant
changed, and with every kernel changed (another batch, an addition in each layer).

    review_time.py SINTER [LAYERS]
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time


def program(layers, batch=64, constant=0.5, shifted=False):
    """Layers of a product and a scaled softmax, of seven widths."""
    widths = [96 + 16 * (i % 7) for i in range(layers + 1)]
    parameters = [f"f32[{batch},{widths[0]}]"] + [f"f32[{widths[i]},{widths[i + 1]}]" for i in range(layers)]
    lines = [
        "HloModule jit_layers",
        "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }",
        "max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] maximum(a, b) }",
        "ENTRY main {",
        "  zero = f32[] constant(0)",
        "  least = f32[] constant(-inf)",
    ]
    lines += [f"  p{i} = {shape} parameter({i})" for i, shape in enumerate(parameters)]
    x = "p0"
    for i in range(layers):
        rows, shape = f"f32[{batch}]", f"f32[{batch},{widths[i + 1]}]"
        over = "dimensions={1}, to_apply"
        scale = constant if i == layers // 2 else 0.5 + i
        lines += [
            f"  h{i} = {shape} dot({x}, p{i + 1}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
            f"  m{i} = {rows} reduce(h{i}, least), {over}=max",
            f"  mm{i} = {shape} broadcast(m{i}), dimensions={{0}}",
            f"  d{i} = {shape} subtract(h{i}, mm{i})",
            f"  e{i} = {shape} exponential(d{i})",
            f"  s{i} = {rows} reduce(e{i}, zero), {over}=add",
            f"  ss{i} = {shape} broadcast(s{i}), dimensions={{0}}",
            f"  q{i} = {shape} divide(e{i}, ss{i})",
            f"  c{i} = f32[] constant({scale})",
            f"  cc{i} = {shape} broadcast(c{i}), dimensions={{}}",
            f"  y{i} = {shape} multiply(q{i}, cc{i})",
            f"  z{i} = {shape} {'add(y' + str(i) + ', cc' + str(i) + ')' if shifted else 'copy(y' + str(i) + ')'}",
        ]
        x = f"z{i}"
    return "\n".join(lines + [f"  ROOT r = f32[{batch},{widths[layers]}] copy({x})", "}"]) + "\n"


def main():
    sinter = pathlib.Path(sys.argv[1]).resolve()
    layers = int(sys.argv[2]) if len(sys.argv) > 2 else 92
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        edits = {"before": {}, "constant": {"constant": 0.25}, "batch": {"batch": 96}, "addition": {"shifted": True}}
        for name, edit in edits.items():
            (folder / f"{name}.hlo").write_text(program(layers, **edit))
            subprocess.run([sinter, "compile", f"{name}.hlo", "-o", name, "--no-verify"], cwd=folder, check=True)
        subprocess.run(["cp", "-r", "before", "same"], cwd=folder, check=True)
        kernels = len(list((folder / "before/kernels").glob("*.cu")))
        for name in ["same", "constant", "batch", "addition"]:
            for options in [[], ["--html", "page.html"]]:
                begin = time.monotonic()
                process = subprocess.Popen([sinter, "diff", "before", name, *options], cwd=folder,
                                           stdout=subprocess.PIPE, text=True)
                first = process.stdout.readline().strip()
                process.stdout.read()
                _, _, usage = os.wait4(process.pid, 0)
                took = time.monotonic() - begin
                cpu = usage.ru_utime + usage.ru_stime
                print(f"{kernels} kernels, {name} {' '.join(options):17} {took:6.2f} s, {cpu:6.2f} s of a core, "
                      f"{usage.ru_maxrss // 1024:5} MB  {first}")


main()
