"""Several steps a launch need each part of what makes them right: without one of them some order of threads gives other
results.

  missing_parts.py SINTER PROGRAM.hlo ...

Left out in turn are the barrier of a step, one of the two buffers that take turns, and a ring of a tile's rim. In the
CPU build, in shuffled orders, warps stay behind others for a while (runtime/cpu/scheduler.h).
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SEEDS = [str(seed) for seed in range(1, 9)]


def is_right(sinter, folder, seed):
    environment = dict(os.environ, SINTER_CPU_ORDER=seed)
    command = [sinter, "verify", str(folder), "--random", "3", "--rtol", "1e-4", "--atol", "1e-5"]
    return subprocess.run(command, env=environment, capture_output=True, timeout=600).returncode == 0


def changes_of(text):
    """What is left out, and the text without it."""
    if "share_rows(" in text:
        yield "the barrier", re.sub(r"\n *__syncthreads\(\);(?=\n *take_rows)", "", text)
        yield "the second buffer", text.replace("[step % 2]", "[0]")
    if "take_columns<" in text:
        yield "columns beside", re.sub(r"\n *take_columns<\w+>\(\w+\);", "", text, count=1)
    for name in ("kRowsAround", "kColumnsAround"):
        found = re.search(rf"{name} = (\d+);", text)
        if not found:
            continue
        # Columns are whole accesses: of four, as many as a lane has.
        less = int(found[1]) - (1 if name == "kRowsAround" else 4)
        yield f"a ring ({name})", text.replace(found[0], f"{name} = {less};")


def main():
    sinter, *programs = sys.argv[1:]
    unseen = count = 0
    for program in programs:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "out"
            subprocess.run([sinter, "compile", program, "-o", str(folder)], check=True, stdout=subprocess.DEVNULL)
            kernels = [path for path in sorted(folder.glob("kernels/*.cu")) if "tile_cells.cuh" in path.read_text()]
            if not kernels or not all(is_right(sinter, folder, seed) for seed in SEEDS[:2]):
                sys.exit(f"{program}: no steps in tiles, or wrong as it is")
            for kernel in kernels:
                text = kernel.read_text()
                for what, without in changes_of(text):
                    kernel.write_text(without)
                    count += 1
                    if all(is_right(sinter, folder, seed) for seed in SEEDS):
                        unseen += 1
                        print(f"{program}: nothing shows that {what} is missing in {kernel.name}")
                kernel.write_text(text)
    print(f"{count} parts left out, {count - unseen} of them seen")
    sys.exit(unseen > 0 or count == 0)


main()
