"""What programs that time a rival share: their options, the texts of a bundle's timed programs, to compile or to take
sizes from, and a line for each time."""
import argparse
import json
import os
import re
import sys


def options(doc, short):
    """BUNDLE, --short (`short` says what that is) and --skip."""
    parser = argparse.ArgumentParser(description=doc.split("\n")[0])
    parser.add_argument("bundle")
    parser.add_argument("--short", action="store_true", help=short)
    parser.add_argument("--skip", default="", help="names that have times already")
    return parser.parse_args()


def time_each(items, times):
    """Prints what times(item) yields, a line each. An item that is refused does not stop the rest: the exit status is 1
    where all are."""
    tried = failed = 0
    for item in items:
        tried += 1
        try:
            for line in times(item):
                print(line, flush=True)
        except Exception as problem:
            failed += 1
            print(f"{item}: {problem}".splitlines()[0], file=sys.stderr)
    return 1 if tried and failed == tried else 0


def timed(bundle, options, groups=("time",)):
    """Names of the programs, but for those that options.skip lists."""
    skipped = options.skip.split(",")
    with open(os.path.join(bundle, "programs.json")) as file:
        return [p["name"] for p in json.load(file)["programs"] if p["group"] in groups and p["name"] not in skipped]


def text(bundle, name):
    with open(os.path.join(bundle, "sources", name + ".hlo")) as file:
        return file.read()


def parameters(hlo):
    """[("f32", [4096, 1024]), ...] of the entry computation."""
    layout = re.search(r"entry_computation_layout=\{\((.*?)\)->", hlo)
    if layout is None:  # of texts without: the entry's own lines
        entry = hlo[hlo.index("ENTRY"):]
        found = re.findall(r"= (\w+)\[([\d,]*)\]\S* parameter\((\d+)\)", entry)
        found = [one[:2] for one in sorted(found, key=lambda one: int(one[2]))]
    else:
        found = re.findall(r"(\w+)\[([\d,]*)\]", layout[1])
    return [(dtype, [int(n) for n in dims.split(",") if n]) for dtype, dims in found]
