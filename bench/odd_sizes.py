#!/usr/bin/env python3
"""Sizes that nothing divides beside round ones: launches, and the time that the cost model predicts.

    bench/odd_sizes.py build/sinter bench/odd_sizes

prints a table of the programs below these folders. Their first line names two sets of sizes, and $(n), $(n - 1) in
what follows stands for what comes of a size:

    // round: n=65536; odd: n=65537
    ... f32[$(n)] ...

The exit status is 1 if a program does not compile, or at its odd sizes takes more launches than at the round ones, or
more than 1.2 times as long; sizes of a pair are so near to each other that this is the time of an element. Lines

    // one launch more: ...
    // within 1.5 times: ...

after the first say why a program is let off one, or may take so long.
"""

import argparse
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

MOST = 1.2  # times as long as at the round sizes
PLACE = re.compile(r"\$\(((?:[^()]|\([^()]*\))*)\)")


def sizes_of(text):
    return {name: int(size) for name, size in re.findall(r"(\w+)=(\d+)", text)}


def written(value):
    # Numbers that are no size are f32.
    return str(value) if isinstance(value, int) else f"{struct.unpack('f', struct.pack('f', value))[0]:.9g}"


def at_sizes(text, sizes):
    return PLACE.sub(lambda place: written(eval(place[1], {"__builtins__": {}}, sizes)), text)


def explain(sinter, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.hlo")
        path.write_text(text)
        run = subprocess.run([sinter, "explain", path, "--json"], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr.strip().splitlines()[0]


def compare(sinter, path):
    first, text = path.read_text().split("\n", 1)
    given = re.fullmatch(r"// round: (.*); odd: (.*)", first)
    if not given:
        return "the first line names no sizes"
    reports = [explain(sinter, at_sizes(text, sizes_of(sizes))) for sizes in given.groups()]
    failure = next((report for report in reports if isinstance(report, str)), None)
    notes = re.match(r"(?://.*\n)*", text)[0]
    within = re.search(r"^// within ([0-9.]+) times: ", notes, re.MULTILINE)
    let_off = re.search(r"^// one launch more: ", notes, re.MULTILINE) is not None
    return failure or (reports[0], reports[1], let_off, float(within[1]) if within else MOST, given[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinter")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="PATH", help="files, or folders of them")
    options = parser.parse_args()
    files = []
    for path in options.paths:
        files += sorted(path.rglob("*.hlo")) if path.is_dir() else [path]
    if not files:
        parser.error("there are no programs")
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda path: compare(options.sinter, path), files))

    worse = failed = 0
    print(f"{'program':24} {'odd sizes':28} {'launches':>13} {'predicted us':>17} {'ratio':>6}")
    for path, result in zip(files, results):
        if isinstance(result, str):
            failed += 1
            print(f"{path.stem:24} {result}")
            continue
        round_sizes, odd, let_off, most, sizes = result
        launches = [report["launches"] for report in (round_sizes, odd)]
        times = [report["predicted_once_us"] for report in (round_sizes, odd)]
        ratio = times[1] / times[0]
        is_worse = launches[1] > launches[0] + let_off or ratio > most
        worse += is_worse
        print(
            f"{path.stem:24} {sizes:28} {launches[0]:6g} {launches[1]:6g} {times[0]:8.1f} {times[1]:8.1f} {ratio:6.2f}"
            + ("  worse" if is_worse else "")
        )
    print(f"{len(files)} programs: {worse} worse at odd sizes, {failed} do not compile")
    return 1 if worse or failed else 0


if __name__ == "__main__":
    sys.exit(main())
