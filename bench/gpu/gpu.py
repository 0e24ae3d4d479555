#!/usr/bin/env python3
"""Runs what Sinter emits on a GPU, and says whether it is right, how fast it is, and whether predictions are true.

`prepare` builds a bundle where the compiler is; the parts run it where the GPU is, and need nothing else. docs/measure.md
says more."""
import argparse
import json
import os
import sys

import fit
import machine
import narrow
import prepare as preparing
import results
import right
import sanitize
import stress
import timing
import work
from context import Context

RUN = {"right": right.right, "sanitize": sanitize.sanitize, "stress": stress.stress, "time": timing.time}


def parse():
    parser = argparse.ArgumentParser(prog="./dev gpu", description=__doc__.split("\n\n")[0])
    parser.add_argument("part", nargs="?", default="all", choices=["all", "prepare", *RUN, "fit", "narrow"],
                        help="all: every part in this order, but for prepare and narrow")
    parser.add_argument("--dry", action="store_true", help="the CPU build stands in the GPU's place")
    parser.add_argument("--short", action="store_true", help="of prepare: few and small programs")
    parser.add_argument("--tiles", action="store_true", help="of prepare: products in tiles that plans pin, alone")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="of prepare: each so many-th op test, conformance case and random program")
    parser.add_argument("--bundle", help="what prepare made (build/gpu/bundle; of a dry run build/gpu/dry)")
    parser.add_argument("--beside", help="CPU build, by which a wrong kernel is found (build/gpu/dry)")
    parser.add_argument("--handwritten", action="append", default=[], metavar="FOLDER",
                        help="of prepare: kernels to time beside ours, as those of bench/handwritten")
    parser.add_argument("--results", help="where results go ($OUT, else build/gpu/results)")
    parser.add_argument("--minutes", type=float, default=8, help="that a part may take (8)")
    parser.add_argument("--jobs", type=int, default=4, help="programs at a time, where times do not matter (4)")
    parser.add_argument("--seconds", type=float, default=0, help="that one program may take (by part)")
    parser.add_argument("--repeat", type=int, default=0, help="runs of a program in stress (1,000) and time (50)")
    parser.add_argument("--ours", action="store_true", help="of time: not beside others' times")
    parser.add_argument("--only", action="append", metavar="GLOB", help="programs of these names")
    parser.add_argument("--gpu", default="h200", help="that times are predicted for: a file of templates/gpus (h200)")
    parser.add_argument("--arch", default="90a", help="of prepare: as sinter has it (90a)")
    options = parser.parse_args()
    options.build = os.environ.get("SINTER_BUILD", "build")
    options.bundle = os.path.abspath(options.bundle or os.path.join(options.build, "gpu", "dry" if options.dry else "bundle"))
    default = options.bundle if options.dry else os.path.join(options.build, "gpu", "dry")
    options.beside = os.path.abspath(options.beside or default)
    default = os.environ.get("OUT") or os.path.join(options.build, "gpu", "results")
    options.results = os.path.abspath(options.results or default)
    return options


def gpu_data(bundle):
    with open(os.path.join(bundle, "gpu.json")) as file:
        return json.load(file)


def run_part(part, options, bundle, facts):
    stop = work.Stop(60 * options.minutes)
    watch = machine.Watch(options.dry)
    # What fit makes is made of what time found; what narrow finds belongs to right.
    found = results.Results(options.results, {"fit": "time", "narrow": "right"}.get(part, part), facts, bundle["id"])
    context = Context(options, bundle, found, stop, watch)
    try:
        if part == "fit":
            found.path = os.path.join(options.results, "fit.jsonl")
            return fit.fit(context)
        if part == "narrow":
            return narrow.narrow(context)
        return RUN[part](context)
    finally:
        watch.end()


def machine_of_results(options):
    """Of `right`, which another machine may have run."""
    lines = results.read_lines(os.path.join(options.results, "right.jsonl"))
    return lines[0]["machine"] if lines else sys.exit(f"gpu: there is no right.jsonl in {options.results}")


def main():
    options = parse()
    if options.part == "prepare":
        preparing.prepare(options)
        return 0
    preparing.unpack(options.bundle)
    preparing.unpack(options.beside)
    try:
        bundle = work.read_bundle(options.bundle)
        options.gpu_data = gpu_data(options.bundle)
    except OSError as problem:
        sys.exit(f"gpu: there is no bundle ({problem}); ./dev gpu prepare makes it, where sinter can be built")
    if (bundle["device"] == "cpu") != options.dry:
        sys.exit(f"gpu: {options.bundle} is for {bundle['device']}: " +
                 ("a dry run needs one of prepare --dry" if options.dry else "without --dry a GPU is needed"))
    facts = machine_of_results(options) if options.part == "narrow" else machine.describe(options.dry)
    if facts is None:
        sys.exit("gpu: there is no GPU here (nvidia-smi says nothing); --dry has the CPU in its place")
    good = True
    for part in [*RUN, "fit"] if options.part == "all" else [options.part]:
        good = run_part(part, options, bundle, facts) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
