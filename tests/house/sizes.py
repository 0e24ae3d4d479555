#!/usr/bin/env python3
"""Checks that rooms and files stay small enough to be read: no folder holds more than 25 files of source, no file of
C++ has more than 600 lines.

usage: sizes.py SOURCE_FOLDER

Two kinds of files do not count: emitted projects, which have a file a kernel; and device helpers, whose folder is part
of the path by which emitted files, tests and nvcc include them (docs/house.md lists them by kind).
"""
import collections
import pathlib
import subprocess
import sys

MOST_FILES = 25
MOST_LINES = 600
SOURCE = {".h", ".cpp", ".def", ".cu", ".cuh", ".py", ".sh", ".cmake"}


def is_emitted(path):
    return path.parts[0] == "samples" and "out" in path.parts


def is_device_helper(path):
    return path.suffix == ".cuh" and path.parts[:2] == ("templates", "device")


def files_of(root):
    """What git knows; where it is no checkout, what is not in a build folder."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0:
        paths = [pathlib.PurePosixPath(line) for line in listed.stdout.splitlines()]
        return [path for path in paths if (root / path).is_file()]
    return [path.relative_to(root) for path in sorted(root.rglob("*")) if path.is_file() and "build" not in path.parts]


root = pathlib.Path(sys.argv[1])
files = [path for path in files_of(root)
         if path.suffix in SOURCE and not is_emitted(path) and not is_device_helper(path)]
wrong = []
for folder, count in sorted(collections.Counter(path.parent for path in files).items()):
    if count > MOST_FILES:
        wrong.append(f"{folder}: {count} files of source, more than {MOST_FILES}: make rooms of it (docs/house.md)")
for path in files:
    if path.suffix in (".h", ".cpp"):
        lines = (root / path).read_text().count("\n")
        if lines > MOST_LINES:
            wrong.append(f"{path}: {lines} lines, more than {MOST_LINES}")
print("\n".join(wrong))
print(f"{len(files)} files of source, {len(wrong)} wrong")
sys.exit(1 if wrong or not files else 0)
