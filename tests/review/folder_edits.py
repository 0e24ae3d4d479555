#!/usr/bin/env python3
"""Edits of emitted folders by hand, and what `sinter diff` says of each.

    folder_edits.py SINTER SAMPLES EDITS [--bless]

EDITS are paragraphs:

    NAME, of SAMPLE: VERDICT
      what is said of each kernel and file that differs
    @ path
    - a piece of that file, which stands there ("\\n" is a new line)
    + what its first place becomes
    ! gone: the file is removed; ! flip: one of its bits is another; ! new TEXT: it is there, with that text

--bless writes what is said; each verdict is one to look at.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def paragraphs(text):
    """Comments, and edits as (name, sample, lines)."""
    for paragraph in text.strip("\n").split("\n\n"):
        head, *lines = paragraph.split("\n")
        found = re.fullmatch(r"(.+), of (\w+): ?(.*)", head)
        if head.startswith("#") or not found:
            yield paragraph, None, []
        else:
            yield found[1], found[2], [line for line in lines if not line.startswith("  ")]


def apply(folder, lines):
    path = piece = None
    for line in lines:
        mark, text = line[0], line[2:].replace("\\n", "\n")
        if mark == "@":
            path = folder / text
        elif mark == "-":
            piece = text
        elif mark == "+":
            before = path.read_text()
            if piece not in before:
                raise SystemExit(f"{path.name} has no {piece!r}")
            path.write_text(before.replace(piece, text, 1))
        elif text == "gone":
            path.unlink()
        elif text.startswith("new "):
            path.write_text(text[4:])
        else:
            bits = bytearray(path.read_bytes())
            bits[len(bits) // 2] ^= 1
            path.write_bytes(bits)


def said(sinter, before, after):
    """The verdict, and a line for each kernel and file that is not identical."""
    run = subprocess.run([sinter, "diff", before, after, "--json"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(run.stdout + run.stderr)
    diff = json.loads(run.stdout)
    lines = []
    for kernel in diff["kernels"]:
        if kernel["verdict"] == "identical":
            continue
        names = kernel.get("names_after") or kernel["names_before"]
        numbers = [f"{number['from']} -> {number['to']}" for number in kernel.get("numbers", [])]
        details = [kernel.get("reason", "").split(": error")[0], ", ".join(numbers)]
        lines.append(" ".join(["kernel", *names, kernel["verdict"], *filter(None, details)]))
    for file in diff["files"]:
        reason = file.get("reason", "").split(": error")[0].split(": fatal error")[0]
        lines.append(" ".join(filter(None, [file["path"], file["verdict"], reason])))
    return diff["verdict"], lines


def main():
    sinter, samples, edits = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    text = edits.read_text()
    result = []
    with tempfile.TemporaryDirectory() as work:
        folders = {}
        for name, sample, lines in paragraphs(text):
            if sample is None:
                result.append(name)
                continue
            if sample not in folders:
                folders[sample] = pathlib.Path(work) / sample
                hlo = samples / sample / f"{sample}.hlo"
                # The host runs loops, so that launchers have what is edited; boids has one in a kernel.
                loops = [] if sample == "boids" else ["--without", "grid-loops"]
                command = [sinter, "compile", hlo, "-o", folders[sample], "--no-verify", *loops]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            edited = pathlib.Path(work) / "edited"
            shutil.copytree(folders[sample], edited)
            apply(edited, lines)
            verdict, details = said(sinter, folders[sample], edited)
            shutil.rmtree(edited)
            result.append("\n".join([f"{name}, of {sample}: {verdict}", *("  " + line for line in details), *lines]))
    found = "\n\n".join(result) + "\n"
    if "--bless" in sys.argv:
        edits.write_text(found)
    elif found != text:
        import difflib

        print("\n".join(difflib.unified_diff(text.split("\n"), found.split("\n"), "expected", "said", lineterm="")))
        sys.exit(1)


main()
