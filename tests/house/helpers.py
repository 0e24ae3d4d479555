#!/usr/bin/env python3
"""Checks that docs/house.md names each device helper of templates/device in one row of its table, and no others.

usage: helpers.py SOURCE_FOLDER
"""
import collections
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
text = (root / "docs/house.md").read_text()
table = text[text.index("## Device helpers"):].split("\n## ", 1)[0]
rows = [line.split("|")[-2] for line in table.split("\n") if line.startswith("| ")][1:]
named = collections.Counter(name for row in rows for name in re.findall(r"`(\w+)`", row))
there = {path.stem for path in (root / "templates/device").glob("*.cuh")}

wrong = [f"{name}: in templates/device, and in no row" for name in sorted(there - set(named))]
wrong += [f"{name}: in a row, and not in templates/device" for name in sorted(set(named) - there)]
wrong += [f"{name}: in {count} rows" for name, count in sorted(named.items()) if count > 1]
print("\n".join(wrong))
print(f"{len(there)} device helpers, {len(wrong)} wrong")
sys.exit(1 if wrong or not there else 0)
