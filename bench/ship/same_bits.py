#!/usr/bin/env python3
"""Are the results of many runs the same bits? Each sample, built for the CPU, runs as often in one order of threads and
blocks as in orders that differ from each other.

    same_bits.py SINTER SAMPLES WORK [--runs 1000] [--only NAME ...]
"""

import argparse
import hashlib
import os
import pathlib
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinter")
    parser.add_argument("samples", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    differ = 0
    for text in sorted(options.samples.glob("*/*.hlo")):
        name = text.stem
        if name != text.parent.name or (options.only and name not in options.only):
            continue
        folder = options.work / name
        for command in (
                [options.sinter, "compile", text, "-o", folder, "--name", name, "--no-verify", "--force"],
                ["cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-D{name.upper()}_CPU=ON"],
                ["cmake", "--build", folder / "build"]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        def run(number):
            result = options.work / f"{name}.{number % 8}.safetensors"
            order = "forward" if number % 2 else "reverse" if number == 0 else str(number)
            subprocess.run([folder / "build" / f"{name}_cli", text.with_suffix(".inputs.safetensors"), "-o", result], check=True,
                           env=dict(os.environ, SINTER_CPU_ORDER=order), stdout=subprocess.DEVNULL)
            return hashlib.sha256(result.read_bytes()).hexdigest()

        found = {run(number) for number in range(options.runs)}
        differ += len(found) > 1
        print(f"{name}: {options.runs} runs, {len(found)} results", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
