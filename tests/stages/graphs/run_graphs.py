"""Runs about which data decides have the same bits as a CUDA graph and step by step, and no copy of the graph is needless.

  run_graphs.py [--copies] SINTER PROGRAM.hlo ... [--without MOVES PROGRAM.hlo ...] [--none PROGRAM.hlo ...]
                [--forks PROGRAM.hlo ...]

Programs behind --none can be no graph: they say so, and run; those behind --forks are a graph for any driver, and have
branches, whose nodes run in several orders. In the CPU build, under AddressSanitizer. With --copies each copy that only
graphs make is left out in turn, and then some run must end otherwise.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SEEDS = ["1", "2", "3"]
ORDERS = ["forward", "reverse", "5", "6"]
FLAGS = ["-std=c++20", "-O0", "-DSINTER_CPU", "-ffp-contract=off", "-frounding-math", "-fwrapv", "-Wno-unknown-pragmas",
         "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I.", "-Iinclude"]
# Copies of a graph's steps, and of what the first of them reads.
COPY = re.compile(r"cudaMemcpyAsync\([^;]*?loop(?:_\d+)?\.stream\)|loop(?:_\d+)?\.start_at\([^;]*?, (?P<bytes>\d+)\)")


def call(command, folder=None, seconds=30, **environment):
    settings = {name: value for name, value in os.environ.items() if name != "ASAN_OPTIONS"}
    settings |= environment
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=seconds)


def must(command, folder=None):
    result = call(command, folder, seconds=1200)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")


def unit(folder, name, sources):
    text = "".join(f'#include "{path.relative_to(folder)}"\n' for path in sources if path.exists())
    (folder / f"{name}.cpp").write_text(text)
    must(["c++", *FLAGS, "-c", f"{name}.cpp", "-o", f"{name}.o"], folder)


def link(folder, name):
    unit(folder, "launcher_unit", [folder / f"{name}.cu"])
    must(["c++", *FLAGS, "launcher_unit.o", "other_unit.o", "-o", "cli", "-pthread"], folder)


def run(folder, seed, *options, **environment):
    output = folder / "output.safetensors"
    output.unlink(missing_ok=True)
    try:
        result = call(["./cli", "--random", seed, "-o", output.name, *options], folder, **environment)
    except subprocess.TimeoutExpired:  # a loop that does not end
        return None, "takes too long"
    return output.read_bytes() if result.returncode == 0 else None, result.stderr


def copies_left_out(text):
    for found in COPY.finditer(text):
        instead = "cudaSuccess"
        if found["bytes"]:
            instead = found[0].replace(found["bytes"] + ")", "0)")
        yield found[0], text[: found.start()] + instead + text[found.end() :]


def check_orders(folder, launcher, expected):
    """What is wrong with a graph's branches."""
    if "branches.join()" not in launcher:
        return ["its launcher has no branches"]
    for seed in SEEDS:
        for order in ORDERS:
            results, said = run(folder, seed, "--graph", SINTER_CPU_ORDER=order)
            if results != expected[seed]:
                return [f"seed {seed}, order {order}: other results: {said}"]
    return []


def check(sinter, program, without, has_graph, forks, leaves_out):
    """What is wrong, and how many copies were left out."""
    name = program.stem
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "out"
        options = ["--without", without] if without else []
        must([sinter, "compile", str(program), "-o", str(folder), "--name", name, "--no-verify", *options])
        others = [*sorted(folder.glob("kernels/*.cu")), folder / "info.cpp", folder / "constants.cpp", folder / "main.cpp"]
        unit(folder, "other_unit", others)
        link(folder, name)
        expected = {}
        for seed in SEEDS:
            expected[seed], said = run(folder, seed)
            if expected[seed] is None:
                return [f"does not run: {said}"], 0
            for driver in ["13000", "12030"]:
                results, said = run(folder, seed, "--graph", SINTER_CPU_DRIVER=driver)
                if results != expected[seed]:
                    return [f"seed {seed}: other results as a graph: {said}"], 0
                if ("no graph of a run" in said) == (forks or (has_graph and driver == "13000")):
                    return [f"driver {driver}: said '{said}'"], 0
        launcher = folder / f"{name}.cu"
        text = launcher.read_text()
        if forks:
            return check_orders(folder, text, expected), 0
        if not has_graph or not leaves_out:
            return [], 0
        wrong, count = [], 0
        for copy, other in copies_left_out(text):
            launcher.write_text(other)
            link(folder, name)
            count += 1
            if all(run(folder, seed, "--graph")[0] == expected[seed] for seed in SEEDS):
                wrong.append(f"nothing shows that this is missing: {copy}")
        return wrong, count


def main():
    leaves_out = sys.argv[1] == "--copies"
    sinter, *arguments = sys.argv[1 + leaves_out :]
    failed = programs = copies = 0
    without, has_graph, forks = "", True, False
    while arguments:
        argument = arguments.pop(0)
        if argument == "--without":
            without = arguments.pop(0)
        elif argument == "--none":
            has_graph = False
        elif argument == "--forks":
            forks = True
        else:
            wrong, count = check(sinter, pathlib.Path(argument), without, has_graph, forks, leaves_out)
            programs += 1
            copies += count
            failed += len(wrong)
            for problem in wrong:
                print(f"{argument}: {problem}")
    print(f"{programs} programs, {copies} copies left out")
    sys.exit(failed > 0 or programs == 0)


main()
