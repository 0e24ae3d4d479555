"""The table "Grain beside JAX" of RESULTS.md: what `sinter explain` says of each program of samples/grain and of its original.

    grain_beside_jax.py SINTER SHARED_FOLDER
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAD = "| program | Grain: launches | read | written | us | JAX, where called otherwise | launches | read | written | us |"


def explain(sinter, *arguments):
    plan = json.loads(subprocess.run([sinter, "explain", "--json", *arguments], check=True, capture_output=True).stdout)
    time = plan.get("predicted_us")
    return [plan["launches"], plan["bytes_read"], plan["bytes_written"]], "" if time is None else f"{time:.1f}"


def first_entry(options):
    """Options but those of a second entry: expected outputs are of the first."""
    kept = []
    for i in range(0, len(options), 2):
        if options[i] != "--entry" or "--entry" not in kept:
            kept += options[i : i + 2]
    return kept


def original_text(name, shared):
    own = ROOT / "samples" / name / f"{name}.hlo"
    return own if own.exists() else next((shared / "samples").rglob(f"{name}.hlo"))


def main(sinter, shared):
    same = rows = 0
    print(HEAD, "|---" * HEAD.count(" |") + "|", sep="\n")
    for line in (ROOT / "samples/grain/samples.txt").read_text().splitlines():
        if line.startswith("#") or line.split()[1] == "-":
            continue
        name, original, _, _, *options = line.split()
        grain, grain_us = explain(sinter, ROOT / f"samples/grain/{name}.grain", *first_entry(options))
        jax, jax_us = explain(sinter, original_text(original, pathlib.Path(shared)))
        rows += 1
        same += grain == jax
        cells = [name if grain == jax else f"**{name}**", *(f"{x:,}" for x in grain), grain_us]
        cells += ["" if original == name else original, *(f"{x:,}" for x in jax), jax_us]
        print("| " + " | ".join(cells) + " |")
    print(f"{same} of {rows} have the same launches and bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
