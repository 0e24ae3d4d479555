#!/usr/bin/env python3
"""Checks that passes/lower/text/kernel_constants.def lists the constants that kernels have of their own, and no others.

usage: constants.py SOURCE_FOLDER

They are the names like kRows in what lowering spells: its strings.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
listed = re.findall(r"^KERNEL_CONSTANT\((\w+)\)$", (root / "passes/lower/text/kernel_constants.def").read_text(), re.M)

# Of describe_kernel.cpp: 24.8 kB.
UNITS = {"B"}

spelled = set()
for path in sorted((root / "passes/lower").rglob("*")):
    if path.suffix not in (".cpp", ".h"):
        continue
    for text in re.findall(r'"((?:[^"\\]|\\.)*)"', path.read_text()):
        spelled |= set(re.findall(r"\bk([A-Z]\w*)\b", text)) - UNITS

wrong = [f"k{name}: kernels have it, and it is not listed" for name in sorted(spelled - set(listed))]
wrong += [f"k{name}: it is listed, and no kernel has it" for name in sorted(set(listed) - spelled)]
if listed != sorted(set(listed)):
    wrong.append("the list is not in the order of the alphabet")
print("\n".join(wrong))
print(f"{len(spelled)} constants of kernels, {len(wrong)} wrong")
sys.exit(1 if wrong or not spelled else 0)
