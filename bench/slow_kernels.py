#!/usr/bin/env python3
"""Kernels that the cost model itself calls slow (docs/cost.md), and plans that it predicts slower than a kernel a value.

    bench/slow_kernels.py build/sinter samples bench/slow

prints a table of them over all HLO files below these folders. The exit status is 1 if there are any, or a file that
does not compile; with --kernels, of kernels only.
"""

import argparse
import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ALIKE = 1.01  # as kAlike of passes/schedule/groups/launch_cost.h: times within that are the same


def explain(sinter, path):
    run = subprocess.run([sinter, "explain", path, "--json", "--compare"], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr.strip().splitlines()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinter")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="PATH", help="HLO files, or folders of them")
    parser.add_argument("--kernels", action="store_true", help="do not compare plans with a kernel a value")
    options = parser.parse_args()
    files = []
    for path in options.paths:
        files += sorted(file for file in path.rglob("*.hlo") if file.name != "module.hlo") if path.is_dir() else [path]
    if not files:
        parser.error("there are no HLO files")
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda path: explain(options.sinter, path), files))

    kernels = slow = slower = failed = 0
    for path, report in zip(files, reports):
        if isinstance(report, str):
            failed += 1
            print(f"{path}: {report}")
            continue
        kernels += len(report["kernels"])
        for kernel in report["kernels"]:
            if "slow" not in kernel:
                continue
            slow += 1
            why = kernel["slow"]
            print(
                f"{path}: kernel {kernel['name']} ({', '.join(kernel['schedules'])}) takes {kernel['predicted_us']} us, "
                f"at least {why['least_us']}: {why['value']} {why['reason']}"
            )
        chosen, unfused = report["predicted_once_us"], report["unfused"]["predicted_once_us"]
        if not options.kernels and chosen > ALIKE * unfused:
            slower += 1
            print(f"{path}: the plan takes {chosen} us, a kernel a value {unfused} us")
    print(f"{len(files)} programs, {kernels} kernels: {slow} slow; {slower} plans slower than a kernel a value")
    return 1 if slow or slower or failed else 0


if __name__ == "__main__":
    sys.exit(main())
