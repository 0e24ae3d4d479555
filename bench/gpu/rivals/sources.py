"""The texts of a bundle's timed programs, for others to compile or to take sizes from."""
import json
import os
import re


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
