#!/usr/bin/env python3
"""What small edits of a model change in its emitted folder: files and lines, by what a reviewer reads. One line for each
edit of tests/stability/edits.txt, whose programs are in tests/stability/texts.

    edit_noise.py SINTER [MODEL...]
"""

import collections
import difflib
import pathlib
import subprocess
import sys
import tempfile

STABILITY = pathlib.Path(__file__).resolve().parent.parent / "tests/stability"
GROUPS = ["kernels", "launcher, headers, build", "derived, a diff folds it"]
DERIVED = ["manifest.json", "fusion.json", "module.hlo", "plan.txt", "device/", "launcher/", "library/", "runner/", "cpu/"]


def group_of(path):
    """As .gitattributes of an emitted folder has them."""
    if path.startswith("kernels/"):
        return GROUPS[0]
    return GROUPS[2] if any(path.startswith(prefix) for prefix in DERIVED) else GROUPS[1]


def emitted(sinter, model, edit, folder):
    text = STABILITY / "texts" / model / f"{edit}.hlo"
    subprocess.run([sinter, "compile", text, "-o", folder, "--no-verify"], check=True)
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text(errors="replace").splitlines() for path in files}


def changed_lines(before, after):
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal")


def changes(before, after):
    counts = collections.defaultdict(lambda: [0, 0])
    for path in before.keys() | after.keys():
        old, new = before.get(path, []), after.get(path, [])
        if old == new:
            continue
        counts[group_of(path)][0] += 1
        counts[group_of(path)][1] += changed_lines(old, new)
    return counts


def main():
    sinter, models = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    lines = (STABILITY / "edits.txt").read_text().splitlines()
    edits = [line.split(":")[0].split("/") for line, above in zip(lines, [""] + lines)
             if above == "" and "/" in line.split(":")[0] and not line.startswith("#")]
    print("| edit | " + " | ".join(GROUPS) + " |\n|---|---|---|---|")
    bases, total = {}, collections.defaultdict(lambda: [0, 0])
    with tempfile.TemporaryDirectory() as work:
        for number, (model, edit) in enumerate(edits):
            if models and model not in models:
                continue
            if model not in bases:
                bases[model] = emitted(sinter, model, "base", pathlib.Path(work) / model)
            counts = changes(bases[model], emitted(sinter, model, edit, pathlib.Path(work) / f"{number}"))
            for group, (files, changed) in counts.items():
                total[group][0] += files
                total[group][1] += changed
            cells = [f"{counts[group][0]}/{counts[group][1]}" if group in counts else "" for group in GROUPS]
            print(f"| {model}/{edit} | " + " | ".join(cells) + " |", flush=True)
    print("| all | " + " | ".join(f"{total[group][0]}/{total[group][1]}" for group in GROUPS) + " |")


main()
