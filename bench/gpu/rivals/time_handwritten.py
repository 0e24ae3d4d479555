#!/usr/bin/env python3
"""Times kernels written by hand (bench/handwritten, and a folder of your own) on the shapes of the bundle's programs that
they are for: "NAME MICROSECONDS" a line.

    time_handwritten.py BUNDLE [--short]
"""
import fnmatch
import json
import os
import subprocess
import sys

import sources

# Exit statuses of yardstick.h: the shapes are not what it is for; a library was missing when it was built.
NOT_FOR_THESE, NOT_BUILT = 2, 3


def main():
    options = sources.options(__doc__, "a few runs")
    folder = os.path.join(options.bundle, "handwritten")
    with open(os.path.join(folder, "index.json")) as file:
        index = json.load(file)
    environment = dict(os.environ, LD_LIBRARY_PATH=options.bundle + ":" + os.environ.get("LD_LIBRARY_PATH", ""))
    failed = 0
    for name in sources.timed(options.bundle, options, ("time", "micro")):
        for program in [stem for stem, globs in index.items() if any(fnmatch.fnmatch(name, glob) for glob in globs)]:
            shapes = [f"{dtype}[{','.join(map(str, dims))}]" for dtype, dims in
                      sources.parameters(sources.text(options.bundle, name))]
            words = [os.path.join(folder, program), *(["--repeat", "2"] if options.short else []), *shapes]
            try:
                done = subprocess.run(words, capture_output=True, text=True, timeout=60, env=environment)
            except subprocess.TimeoutExpired:
                done = subprocess.CompletedProcess(words, 1, "", "not finished after 60 s")
            if done.returncode == 0:
                print(name, done.stdout.strip(), flush=True)
                continue
            failed += done.returncode not in (NOT_FOR_THESE, NOT_BUILT)
            print(f"{program} for {name}: {done.stderr.strip()[:200]}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
