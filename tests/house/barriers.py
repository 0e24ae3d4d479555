#!/usr/bin/env python3
"""Checks that ir/kernel/collectives.def lists the device helpers in which threads wait for one another, and no others.

usage: barriers.py SOURCE_FOLDER

A helper waits as what it calls does: CUDA's own barriers and exchanges between lanes, its team (`Team::sync`), or
another helper. `name` and `name.member` are one name: members of device classes are listed like functions.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
listed = dict(re.findall(r'^COLLECTIVE\("(\w+)", k(\w+)\)$', (root / "ir/kernel/collectives.def").read_text(), re.M))

# What a team does is said by whoever names the team.
TEAM = "team.cuh"
OF_CUDA = {"__syncthreads": "Block", "__syncthreads_or": "Block", "__syncwarp": "Warp"}
OWN = [
    ("Block", r"\b__syncthreads\b|this_grid\(\)\.sync\b|sinter_cpu::grid_sync\b"),
    ("Team", r"\bTeam::(sync|reduce)\b"),
    ("Warp", r"\b__syncwarp\b|\b__\w+_sync\(|\.sync\.aligned\b"),
]
HEIGHT = {"Block": 3, "Team": 2, "Warp": 1}


def bodies(text):
    """Each function of a helper's text, or member: its name and body."""
    text = re.sub(r"//[^\n]*", "", text)
    for match in re.finditer(r"__device__\b[^;{}()]*?(?:__attribute__\(\(\w+\)\)[^;{}()]*?)?\b(\w+)\(", text):
        place, depth = match.end(), 1
        while depth:  # parameters
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            place += 1
        begin = re.compile(r"[{;]").search(text, place).start()
        if text[begin] == ";":
            continue
        end, depth = begin + 1, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield match.group(1), text[begin:end]


helpers = {}
for path in sorted((root / "templates/device").glob("*.cuh")):
    if path.name == TEAM:
        continue
    for name, body in bodies(path.read_text()):
        helpers[name] = helpers.get(name, "") + body

levels = dict(OF_CUDA)
changed = True
while changed:
    changed = False
    for name, body in helpers.items():
        found = [level for level, pattern in OWN if re.search(pattern, body)]
        found += [levels[other] for other in levels if other != name and re.search(rf"\b{other}(<[^;]*?>)?\(", body)]
        level = max(found, key=HEIGHT.get, default=None)
        if level is not None and levels.get(name) != level:
            levels[name] = level
            changed = True

wrong = []
for name in sorted(set(levels) | set(listed)):
    if levels.get(name) != listed.get(name):
        wrong.append(f"{name}: listed as {listed.get(name)}, its text waits as {levels.get(name)}")
print("\n".join(wrong))
print(f"{len(helpers)} device helpers, {len(listed)} in which threads wait, {len(wrong)} wrong")
sys.exit(1 if wrong or not helpers else 0)
