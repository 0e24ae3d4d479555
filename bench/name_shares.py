#!/usr/bin/env python3
"""Where the names of the values in emitted kernels come from: the model's source, what a value is, the noun of its
operation, or its opcode.

usage: name_shares.py SOURCES FOLDER ...     folders that sinter compile wrote; SOURCES holds the models' Python files

A name without its number is the source's if a variable or a parameter there is called so, or a part of one (state_0);
an opcode's if HLO or JAX calls an operation so; a noun if passes/names/meanings.def has it as one (difference, chosen);
else it says what the value is (mean, is_positive, next_state).
"""

import ast
import pathlib
import re
import sys

JAX = """abs add add_any and atan2 argmax bitcast bitcast_convert_type broadcast broadcast_in_dim cbrt ceil clamp
concatenate conv convert convert_element_type copy cos cosine cumsum div divide dot dot_general dynamic_slice
dynamic_update_slice eq erf erf_inv exp exp2 expm1 exponential floor gather ge gt integer_pow iota is_finite le log log1p
logistic lt max maximum min minimum mul multiply ne neg negate not or pad pow power real reduce reduce_max reduce_sum
reduce_window rem remainder reshape reverse round rsqrt scatter scatter_add select select_n shift_left shift_right_logical
sign sin sine slice sort split sqrt square squeeze stack stop_gradient sub subtract tanh transpose xor bits both either
select_and_scatter scattered""".split()
DECLARED = re.compile(
    r"^ *(?:const )?(?:float|double|int|bool|unsigned|uint\w+|int\w+|__\w+|Vector<[^>]*>|half|bfloat16) (\w[^;=(]*)(?:=|;)", re.M
)
# What threads are counted by, and where elements stand: no values of the program.
INDICES = """element row column lane index k t thread block batch tile_k tx ty warp first_column in_position start group
offset width in_row in_column window_row window_column""".split()


NOUNS = re.findall(r'^NOUN\("(\w+)"', (pathlib.Path(__file__).parent.parent / "passes/names/meanings.def").read_text(), re.M)


def source_names(folder):
    names = set()
    for path in pathlib.Path(folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, ast.FunctionDef):
                names.add(node.name)
    return names


def origin(name, sources):
    base = re.sub(r"_(values?|out|in|of_lane)$", "", re.sub(r"(_\d+)+$", "", name))
    base = re.sub(r"(_\d+)+$", "", base)
    if base in JAX and base not in sources:
        return "opcode"
    if base in NOUNS:
        return "noun"
    parts = base.split("_")
    if any("_".join(parts[:count]) in sources for count in range(len(parts), 0, -1)) and base not in ("sum", "max"):
        return "source"
    return "meaning"


def main():
    sources = source_names(sys.argv[1])
    total = dict.fromkeys(("source", "meaning", "noun", "opcode"), 0)
    for folder in sys.argv[2:]:
        counts = dict.fromkeys(total, 0)
        for path in sorted(pathlib.Path(folder, "kernels").glob("*.cu")):
            for declared in DECLARED.findall(path.read_text()):
                for name in re.findall(r"(?:^|, *)(\w+)", declared):
                    plain = re.sub(r"_\d+$", "", name)
                    if plain not in INDICES and not plain.startswith("k"):
                        counts[origin(name, sources)] += 1
        for key, count in counts.items():
            total[key] += count
        folder = pathlib.Path(folder)
        print(f"{(folder.parent.name if folder.name == 'out' else folder.name):24}", *(f"{k} {v:4}" for k, v in counts.items()))
    every = sum(total.values()) or 1
    print("all", *(f"{key} {count} ({100 * count / every:.0f} %)" for key, count in total.items()))


if __name__ == "__main__":
    main()
