#!/usr/bin/env python3
"""Kernels that the cost model itself calls slow (docs/cost.md), and plans that it predicts slower than a kernel a value.

    bench/slow_kernels.py build/sinter samples bench/slow

prints a table of them over all HLO files below these folders. The exit status is 1 if there are any, or a file that
does not compile; with --kernels, of kernels only.
"""

import sys

import explained

ALIKE = 1.01  # as kAlike of passes/schedule/groups/launch_cost.h: times within that are the same


def main():
    parser = explained.arguments(__doc__)
    parser.add_argument("--kernels", action="store_true", help="do not compare plans with a kernel a value")
    options = parser.parse_args()
    reports = explained.reports(parser, options, "--compare")

    kernels = slow = slower = failed = 0
    for path, report in reports:
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
    print(f"{len(reports)} programs, {kernels} kernels: {slow} slow; {slower} plans slower than a kernel a value")
    return 1 if slow or slower or failed else 0


if __name__ == "__main__":
    sys.exit(main())
