"""Several steps a launch need each part of what makes them right: without one of them some order of threads gives other
results.

  missing_parts.py SINTER PROGRAM.hlo ...

Left out in turn are the barrier of a step, one of the two buffers that take turns, and a ring of a tile's rim. In the
CPU build, in shuffled orders, warps stay behind others for a while (runtime/cpu/scheduler.h).
"""

import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "base"))
import left_out


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


sinter, *programs = sys.argv[1:]
left_out.check(sinter, programs, "tile_cells.cuh", changes_of)
