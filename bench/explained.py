"""What `sinter explain --json` says of HLO files, for the checks that go over folders of them."""

import argparse
import json
import pathlib
import subprocess
from concurrent.futures import ThreadPoolExecutor


def arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinter")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="PATH", help="HLO files, or folders of them")
    return parser


def reports(parser, options, *more):
    """Pairs of a path and what is said of it: JSON, or the first line of the error."""
    files = []
    for path in options.paths:
        files += sorted(file for file in path.rglob("*.hlo") if file.name != "module.hlo") if path.is_dir() else [path]
    if not files:
        parser.error("there are no HLO files")

    def explain(path):
        run = subprocess.run([options.sinter, "explain", path, "--json", *more], capture_output=True, text=True)
        return json.loads(run.stdout) if run.returncode == 0 else run.stderr.strip().splitlines()[0]

    with ThreadPoolExecutor(2) as pool:
        return list(zip(files, pool.map(explain, files)))
