#!/usr/bin/env python3
"""Checks that no constant of a .cpp file has the name of one that a header declares.

usage: hidden.py SOURCE_FOLDER

The files of a room may be compiled as one: the header's constant would be hidden in all that follow.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
ROOMS = ("driver", "emitter", "frontend", "ir", "passes", "review")
CONSTANT = re.compile(r"\b(k[A-Z]\w*)(?:\[\w*\])? = ")


def constants(pattern, start):
    """The files of each constant, by its name: of lines that begin so."""
    found = {}
    for room in ROOMS:
        for path in sorted((root / room).rglob(pattern)):
            for line in path.read_text().splitlines():
                if re.match(start, line):
                    for name in CONSTANT.findall(line):
                        found.setdefault(name, []).append(path.relative_to(root))
    return found


declared = constants("*.h", r"inline const")
own = constants("*.cpp", r"const")
wrong = [f"{path}: {name} hides that of {declared[name][0]}" for name in sorted(own.keys() & declared.keys())
         for path in own[name]]
print("\n".join(wrong))
print(f"{len(declared)} constants of headers, {len(wrong)} hidden")
sys.exit(1 if wrong or not declared or not own else 0)
