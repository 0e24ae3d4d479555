#!/usr/bin/env python3
"""Checks that the includes between the rooms of the house go one way (rooms.txt).

usage: arrows.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
lines = (root / "tests/house/rooms.txt").read_text().split("\n")
rooms = [line for line in lines if line and not line.startswith("#")]
height = {room: place for place, room in enumerate(rooms)}
wings = sorted({room.split("/")[0] for room in rooms})

wrong = []
count = 0
for wing in wings:
    for path in sorted((root / wing).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".def"):
            continue
        room = str(path.parent.relative_to(root))
        if room not in height:
            wrong.append(f"{path.relative_to(root)}: rooms.txt has no room {room}")
            continue
        for number, line in enumerate(path.read_text().split("\n"), 1):
            match = re.match(r'#include "([^"]+)"', line)
            if not match:
                continue
            included = str(pathlib.PurePosixPath(match.group(1)).parent)
            if included.split("/")[0] not in wings:
                continue
            count += 1
            if included not in height or height[included] > height[room]:
                wrong.append(f"{path.relative_to(root)}:{number}: {room} is below {included}: {match.group(1)}")

print("\n".join(wrong))
print(f"{count} includes between {len(rooms)} rooms, {len(wrong)} wrong")
sys.exit(1 if wrong or count == 0 else 0)
