"""A loop of grid scope needs each of its waits: without one of them some order of threads gives other results.

  missing_barriers.py [--races] SINTER PROGRAM.hlo ...

Each wait of an emitted kernel is left out in turn. In the CPU build, in shuffled orders, warps and whole blocks stay
behind others for a while (runtime/cpu/scheduler.h); a run that ends otherwise than with the right results finds it.
With --races one run under ThreadSanitizer has to find it, which knows each thread of each block, and has to find nothing
in the kernel as it is.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

SEEDS = [str(seed) for seed in range(1, 9)]


def is_right(sinter, folder, seed):
    environment = dict(os.environ, SINTER_CPU_ORDER=seed, SINTER_CPU_BLOCKS="3")
    command = [sinter, "verify", str(folder), "--random", "3", "--rtol", "1e-4", "--atol", "1e-5"]
    try:
        return subprocess.run(command, env=environment, capture_output=True, timeout=180).returncode == 0
    except subprocess.TimeoutExpired:
        return False  # blocks disagree about where a loop ends


def waits_of(text):
    """The text without each of its waits: a statement that waits for all, or both parts of waiting for the last."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if "barrier.wait_for_all();" in line:
            yield number, "".join(lines[:number] + lines[number + 1 :])
        elif "barrier.arrives_last()" in line:
            last = next(i for i in range(number, len(lines)) if "barrier.wait_for_last();" in lines[i])
            alone = [line.replace("barrier.arrives_last()", "blockIdx.x == 0")] + lines[number + 1 : last]
            yield number, "".join(lines[:number] + alone + lines[last + 1 :])


def main():
    arguments = sys.argv[1:]
    if arguments[0] == "--races":
        os.environ["CXXFLAGS"] = "-g1 -fsanitize=thread"
        del arguments[0], SEEDS[1:]
    sinter, *programs = arguments
    unseen = count = 0
    for program in programs:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "out"
            command = [sinter, "compile", program, "-o", str(folder), "--without", "tile_loops"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            kernels = [path for path in sorted(folder.glob("kernels/*.cu")) if "GridBarrier" in path.read_text()]
            if not kernels or not all(is_right(sinter, folder, seed) for seed in SEEDS[:2]):
                sys.exit(f"{program}: no loop of grid scope, or wrong as it is")
            for kernel in kernels:
                text = kernel.read_text()
                for number, without in waits_of(text):
                    kernel.write_text(without)
                    count += 1
                    if all(is_right(sinter, folder, seed) for seed in SEEDS):
                        unseen += 1
                        print(f"{program}: nothing shows that line {number + 1} of {kernel.name} is missing")
                kernel.write_text(text)
    print(f"{count} waits left out, {count - unseen} of them seen")
    sys.exit(unseen > 0 or count == 0)


main()
