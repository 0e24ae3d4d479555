#!/usr/bin/env python3
"""What each stage of the compiler takes on long programs, in milliseconds for 1,000 instructions of the input.

    compile_speed.py SINTER PROGRAM.hlo...

Programs: those that long_programs.py writes, shared/large, and of `--graph N` a random graph of N elementwise
operations (compiler_bench.cpp). Times of one compile each, or of the fastest of `--repeat N`, by the clock; `cpu` is what the whole
process took of a core, which `--of-cpu` divides among the stages as the clock does: on a machine that others use too,
the clock alone says little. What is emitted is not verified, which takes about 10 ms a file.
"""

import argparse
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

# Stages by the names that `--time` prints; all lines marked as passes are graph passes.
STAGES = ["parse", "passes", "schedule", "lower", "emit"]


def graph(length):
    """Operations of values that are up to 200 back, all of them needed for the result."""
    random.seed(1)
    lines = ["HloModule graph\n", "ENTRY main {", "  y.0 = f32[64] parameter(0)"]
    for i in range(1, length + 1):
        last = f"y.{i - 1}"
        kind = random.randrange(5)
        if kind == 0:
            operation = f"sine({last})"
        elif kind == 1:
            operation = f"reverse({last}), dimensions={{0}}"
        else:
            opcode, far = {2: ("maximum", 200), 3: ("multiply", 20), 4: ("add", 20)}[kind]
            operation = f"{opcode}({last}, y.{max(0, i - 1 - random.randrange(far))})"
        lines.append(f"  {'ROOT ' if i == length else ''}y.{i} = f32[64] {operation}")
    return "\n".join(lines) + "\n}\n"


def times(sinter, program, limit):
    """Milliseconds by stage of one compile; None if it takes longer than `limit` seconds."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            result = subprocess.run(
                [sinter, "compile", "--no-verify", "--time", program, "-o", f"{folder}/out"],
                capture_output=True, text=True, timeout=limit,
            )
        except subprocess.TimeoutExpired:
            return None
    if result.returncode != 0:
        sys.exit(f"{program}: {result.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    stages = dict.fromkeys([*STAGES, "all"], 0.0)
    stages["cpu"] = 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    for milliseconds, name in re.findall(r"^ *([\d.]+) ms  (.*)$", result.stderr + result.stdout, re.MULTILINE):
        stage = "passes" if "(pass" in name or name == "verify" else "all" if name.startswith("in all") else name
        stages[stage] += float(milliseconds)
    return stages


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinter")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    parser.add_argument("--graph", type=int, action="append", default=[], metavar="N")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--of-cpu", action="store_true", help="parts of `cpu` in place of times by the clock")
    parser.add_argument("--limit", type=float, default=600, help="seconds of one compile")
    arguments = parser.parse_intermixed_args()
    print(f"{'ms for 1,000':24}{'instructions':>13}" + "".join(f"{name:>10}" for name in [*STAGES, "all", "cpu"]))
    with tempfile.TemporaryDirectory() as folder:
        programs = list(arguments.programs)
        for length in arguments.graph:
            programs.append(pathlib.Path(folder) / f"random_{length}.hlo")
            programs[-1].write_text(graph(length))
        for program in programs:
            instructions = sum(" = " in line for line in program.read_text().splitlines())
            runs = [times(arguments.sinter, program, arguments.limit) for _ in range(arguments.repeat)]
            row = f"{program.stem:24}{instructions:13,}"
            if None in runs:
                print(row + f"  more than {arguments.limit:.0f} s", flush=True)
                continue
            best = min(runs, key=lambda stages: stages["cpu"])
            if arguments.of_cpu:
                part = best["cpu"] / best["all"]
                best.update({stage: best[stage] * part for stage in [*STAGES, "all"]})
            print(row + "".join(f"{value * 1000 / instructions:10.1f}" for value in best.values()), flush=True)


if __name__ == "__main__":
    main()
