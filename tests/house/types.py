#!/usr/bin/env python3
"""Checks that a type has its name alone: two types of one name in one namespace are one to the linker, which takes the
constructor of either for both (the one definition rule), and to the reader too.

usage: types.py SOURCE_FOLDER

Types of the compiler's own folders, at the level of a named namespace. What stands in an unnamed one is a file's own.
"""
import collections
import pathlib
import re
import sys

FOLDERS = ["ir", "frontend", "passes", "emitter", "review", "driver"]
OPENS = re.compile(r"(?:inline )?namespace ?([\w:]*) ?\{")
CLOSES = re.compile(r"\} *// namespace ?([\w:]*)")
TYPE = re.compile(r"(?:struct|class|enum(?: class)?) (\w+)(?![\w:])[^;()]*\{")


def types_of(text):
    """Names with their namespaces, of definitions that begin a line."""
    open_namespaces = []
    for line in text.splitlines():
        if opened := OPENS.match(line):
            open_namespaces.append(opened[1])
        elif CLOSES.match(line):
            open_namespaces.pop()
        elif (found := TYPE.match(line)) and "" not in open_namespaces and open_namespaces:
            yield "::".join([*open_namespaces, found[1]])


root = pathlib.Path(sys.argv[1])
places = collections.defaultdict(list)
for folder in FOLDERS:
    for path in sorted((root / folder).rglob("*")):
        # Headers that emitted code is read with are no part of the program.
        if path.suffix not in (".h", ".cpp") or path.is_relative_to(root / "review" / "headers"):
            continue
        for name in types_of(path.read_text()):
            places[name].append(str(path.relative_to(root)))
wrong = [f"{name}: {', '.join(paths)}" for name, paths in sorted(places.items()) if len(paths) > 1]
print("\n".join(wrong))
print(f"{len(places)} types, {len(wrong)} wrong")
sys.exit(1 if wrong or not places else 0)
