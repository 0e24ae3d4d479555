"""What launches side by side would save: of each emitted program the predicted time of its launches one behind the
other, and of the longest chain of launches that need each other's results.

    parallel_branches.py FOLDER...      # folders that sinter compile wrote: samples/*/out

Launches in loops and branches of the host count once, each loop or branch as one step. What shares a launch already
(`split`) is one."""

import json
import pathlib
import re
import sys


def pieces(text):
    """At commas outside of brackets."""
    found, depth, piece = [], 0, ""
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            found.append(piece.strip())
            piece = ""
        else:
            piece += c
    return found + ([piece.strip()] if piece.strip() else [])


def flat(initialiser):
    """{.a = {x, y}, .n = z} -> x, y, z"""
    values = []
    for piece in pieces(initialiser):
        piece = re.sub(r"^\.\w+ = ", "", piece)
        values += flat(piece[1:-1]) if piece.startswith("{") else [piece]
    return values


def parameters(text):
    """Of each kernel, whether each argument, members of structs one by one, is written."""
    table = {}
    for name, body in re.findall(r"\nnamespace (?!\w+_kernels )(\w+) \{\n(.*?)\n\}  // namespace \1", text, re.S):
        if "enqueue(" not in body:
            continue
        signature = re.search(r"enqueue\((.*), cudaStream_t", re.sub(r"\s+", " ", body)).group(1)
        struct = re.search(r"struct \w+ \{(.*)\n\};", body, re.S)
        members = re.findall(r"^ *([\w:<> ]+?\**) \w+(?:\[\d+\])?;", struct.group(1), re.M) if struct else []
        types = []
        for parameter in pieces(signature):
            types += members if parameter.startswith("const") and "&" in parameter else [parameter]
        table[name] = [("*" in t and not t.startswith("const ")) for t in types]
    return table


def predict(folder):
    name = json.loads((folder / "manifest.json").read_text())["program"]
    times = {k["name"]: k["predicted_us"] for k in json.loads((folder / "fusion.json").read_text())["kernels"]}
    kernels = parameters((folder / "kernels.h").read_text())
    text = (folder / f"{name}.cu").read_text()
    begin = re.search(rf"\n\w+ {name}_run\(", text).start()
    body = re.sub(r"//[^\n]*", "", text[begin:text.index("\n}\n", begin)])
    structs = {m.group(1): flat(re.sub(r"\s+", " ", m.group(2)).strip().rstrip(","))
               for m in re.finditer(r"const kernels::[\w:]+ (\w+) = \{(.*?)\};", body, re.S)}
    ends, total, barrier = {}, 0.0, 0.0
    last = 0.0
    for call in re.finditer(r"\n( *)if \(failed\(\{\"(\w+)\", ?\s*kernels::\w+::enqueue\((.*?),\s*stream\)", body, re.S):
        indent, kernel, arguments = len(call.group(1)), call.group(2), re.sub(r"\s+", " ", call.group(3))
        values = []
        for argument in pieces(arguments):
            values += structs.get(argument, [argument])
        written = kernels[kernel]
        us = times[kernel]
        total += us
        begin = barrier
        if indent > 2:  # in a loop or branch: behind all before it, and before all behind it
            begin = last
        else:
            begin = max([barrier] + [ends.get(value, 0.0) for value in values])
        end = begin + us
        for value, is_written in zip(values, written):
            if is_written:
                ends[value] = end
        last = max(last, end)
        if indent > 2:
            barrier = last
    return total, last


def main():
    rows = []
    for folder in map(pathlib.Path, sys.argv[1:]):
        try:
            rows.append((folder, *predict(folder)))
        except (KeyError, AttributeError, FileNotFoundError, ValueError) as error:
            print(f"{folder}: not read ({error!r})", file=sys.stderr)
    rows.sort(key=lambda row: row[2] / row[1] if row[1] else 1)
    for folder, total, longest in rows:
        if longest < 0.99 * total:
            print(f"{folder}: {total:.1f} us one behind the other, {longest:.1f} the longest chain")
    better = [row for row in rows if row[2] < 0.99 * row[1]]
    print(f"{len(better)} of {len(rows)} programs")


main()
