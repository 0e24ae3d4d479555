#!/usr/bin/env python3
"""Device memory for values between launches beside the largest set of them that is needed at one time, which is the
least that is possible.

    bench/arena.py build/sinter samples

prints programs whose arena is larger, over all HLO files below these folders. The exit status is 1 if one is larger by
more than a twentieth, or a file does not compile.
"""

import argparse
import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

MOST = 1.05


def explain(sinter, path):
    run = subprocess.run([sinter, "explain", path, "--json"], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr.strip().splitlines()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinter")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="PATH", help="HLO files, or folders of them")
    options = parser.parse_args()
    files = []
    for path in options.paths:
        files += sorted(file for file in path.rglob("*.hlo") if file.name != "module.hlo") if path.is_dir() else [path]
    if not files:
        parser.error("there are no HLO files")
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda path: explain(options.sinter, path), files))
    wrong = with_arena = 0
    for path, report in zip(files, reports):
        if isinstance(report, str):
            wrong += 1
            print(f"{path}: {report}")
            continue
        arena, live = report["arena_bytes"], report["live_bytes"]
        with_arena += arena > 0
        if arena == live:
            continue
        ratio = arena / live if live else float("inf")
        wrong += ratio > MOST
        print(f"{path}: an arena of {arena} bytes, {live} are live at one time: {ratio:.3f}")
    print(f"{len(files)} programs, {with_arena} with an arena: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
