#!/usr/bin/env python3
"""Runs what Sinter emits on a GPU, and says whether it is right, how fast it is, and whether predictions are true.

`prepare` builds a bundle where the compiler is; the parts run it where the GPU is, and need nothing else. docs/measure.md
says more."""
import argparse
import json
import os
import sys

import fit as fitting
import machine
import parts
import prepare as preparing
import results
import work

RUN = {"right": parts.right, "sanitize": parts.sanitize, "stress": parts.stress, "time": parts.time}


def parse():
    parser = argparse.ArgumentParser(prog="./dev gpu", description=__doc__.split("\n\n")[0])
    parser.add_argument("part", nargs="?", default="all", choices=["all", "prepare", *RUN, "fit"],
                        help="all: every part in this order, but for prepare")
    parser.add_argument("--dry", action="store_true", help="the CPU build stands in the GPU's place")
    parser.add_argument("--short", action="store_true", help="of prepare: few and small programs")
    parser.add_argument("--bundle", help="what prepare made (build/gpu/bundle; of a dry run build/gpu/dry)")
    parser.add_argument("--results", help="where results go ($OUT, else build/gpu/results)")
    parser.add_argument("--minutes", type=float, default=8, help="that a part may take (8)")
    parser.add_argument("--jobs", type=int, default=4, help="programs at a time, where times do not matter (4)")
    parser.add_argument("--seconds", type=float, default=0, help="that one program may take (by part)")
    parser.add_argument("--repeat", type=int, default=0, help="runs of a program in stress (1,000) and time (50)")
    parser.add_argument("--only", action="append", metavar="GLOB", help="programs of these names")
    parser.add_argument("--gpu", default="h200", help="that times are predicted for: a file of templates/gpus (h200)")
    parser.add_argument("--arch", default="90a", help="of prepare: as sinter has it (90a)")
    options = parser.parse_args()
    options.build = os.environ.get("SINTER_BUILD", "build")
    options.bundle = os.path.abspath(options.bundle or os.path.join(options.build, "gpu", "dry" if options.dry else "bundle"))
    default = os.environ.get("OUT") or os.path.join(options.build, "gpu", "results")
    options.results = os.path.abspath(options.results or default)
    return options


def gpu_data(bundle):
    with open(os.path.join(bundle, "gpu.json")) as file:
        return json.load(file)


def run_part(part, options, bundle, facts):
    stop = work.Stop(60 * options.minutes)
    watch = machine.Watch(options.dry)
    # What fit makes is made of what time found.
    found = results.Results(options.results, "time" if part == "fit" else part, facts, bundle["id"])
    context = parts.Context(options, bundle, found, stop, watch)
    try:
        if part == "fit":
            found.path = os.path.join(options.results, "fit.jsonl")
            return fitting.fit(context)
        return RUN[part](context)
    finally:
        watch.end()


def main():
    options = parse()
    if options.part == "prepare":
        preparing.prepare(options)
        return 0
    preparing.unpack(options.bundle)
    try:
        bundle = work.read_bundle(options.bundle)
        options.gpu_data = gpu_data(options.bundle)
    except OSError as problem:
        sys.exit(f"gpu: there is no bundle ({problem}); ./dev gpu prepare makes it, where sinter can be built")
    if (bundle["device"] == "cpu") != options.dry:
        sys.exit(f"gpu: {options.bundle} is for {bundle['device']}: " +
                 ("a dry run needs one of prepare --dry" if options.dry else "without --dry a GPU is needed"))
    facts = machine.describe(options.dry)
    if facts is None:
        sys.exit("gpu: there is no GPU here (nvidia-smi says nothing); --dry has the CPU in its place")
    good = True
    for part in [*RUN, "fit"] if options.part == "all" else [options.part]:
        good = run_part(part, options, bundle, facts) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
