"""A loop of grid scope needs each of its waits: without one of them some order of threads gives other results.

  missing_barriers.py [--races] SINTER PROGRAM.hlo ...

Each wait of an emitted kernel is left out in turn. In the CPU build, in shuffled orders, warps and whole blocks stay
behind others for a while (runtime/cpu/scheduler.h); a run that ends otherwise than with the right results finds it.
With --races one run under ThreadSanitizer has to find it, which knows each thread of each block, and has to find nothing
in the kernel as it is.
"""

import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "base"))
import left_out


def waits_of(text):
    """The text without each of its waits: a statement that waits for all, or both parts of waiting for the last, or
    one of the threads of a block between two steps."""
    lines = text.splitlines(keepends=True)
    kernel = next(number for number, line in enumerate(lines) if line.startswith("__global__"))
    for number, line in enumerate(lines):
        in_block = "__syncthreads();" in line and "until" in (line + lines[number - 1]).lower() and number > kernel
        if "barrier.wait_for_all();" in line or in_block:
            yield f"line {number + 1}", "".join(lines[:number] + lines[number + 1 :])
        elif "barrier.arrives_last()" in line:
            last = next(i for i in range(number, len(lines)) if "barrier.wait_for_last();" in lines[i])
            alone = [line.replace("barrier.arrives_last()", "blockIdx.x == 0")] + lines[number + 1 : last]
            yield f"line {number + 1}", "".join(lines[:number] + alone + lines[last + 1 :])


def main():
    arguments, seeds = sys.argv[1:], None
    if arguments[0] == "--races":
        os.environ["CXXFLAGS"] = "-g1 -fsanitize=thread"
        del arguments[0]
        seeds = left_out.SEEDS[:1]
    sinter, *programs = arguments
    # Steps of stencils are to wait for one another, too.
    options = ["--without", "tile_loops"]
    left_out.check(sinter, programs, "in one launch.", waits_of, options, seeds, SINTER_CPU_BLOCKS="3")


main()
