#!/usr/bin/env python3
"""Device memory for values between launches beside the largest set of them that is needed at one time, which is the
least that is possible.

    bench/arena.py build/sinter samples

prints programs whose arena is larger, over all HLO files below these folders. The exit status is 1 if one is larger by
more than a twentieth, or a file does not compile.
"""

import sys

import explained

MOST = 1.05


def main():
    parser = explained.arguments(__doc__)
    reports = explained.reports(parser, parser.parse_args())
    wrong = with_arena = 0
    for path, report in reports:
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
    print(f"{len(reports)} programs, {with_arena} with an arena: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
