"""Writes tests/ops/*.hlo, the expected values computed by XLA:CPU:  python make_cases.py [FAMILY ...]

Needs jax 0.10.2 (CPU), numpy and ml_dtypes. Cases that stand in the file already keep their expected values: remove the file
to compute all of them. Prints what XLA:CPU does not run; such cases are left out unless they bring values of their own.
"""

import importlib
import pathlib
import sys

from case import EXPECTED, case_text
from oracle import evaluate_all

FAMILIES = ["elementwise", "moving", "indexed", "reductions", "sorting", "contractions", "control", "devices"]


def stored(path):
    """The expected values of the modules of a file, as text, by what stands before and behind them."""
    blocks = {}
    for module in path.read_text().split("\nHloModule ")[1:] if path.exists() else ():
        before, mark, rest = ("HloModule " + module).partition(EXPECTED)
        values, _, behind = rest.partition("}\n\n")
        blocks[before, behind.strip()] = mark + values + "}\n\n"
    return blocks


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent
    for family in sys.argv[1:] or FAMILIES:
        cases = list(importlib.import_module(family).cases())
        names = [f"{case.op}.{case.name}" for case in cases]
        assert len(set(names)) == len(names), sorted(n for n in names if names.count(n) > 1)
        known = stored(folder / f"{family}.hlo")
        missing = []
        for case in cases:
            before, _, behind = case_text(case).partition(EXPECTED)
            case.expected_text = known.get((before, behind.strip()))
            if case.expected is None and case.expected_text is None and not case.refused:
                missing.append(case)
        for case, problem in evaluate_all(missing):
            print(f"{case.op}.{case.name}: {problem}")
        whole = [case for case in cases if case.refused or case.expected is not None or case.expected_text is not None]
        text = f"// Written by tests/ops/make/{family}.py (make_cases.py).\n\n" + "\n".join(map(case_text, whole))
        (folder / f"{family}.hlo").write_text(text.rstrip("\n") + "\n")
        print(f"{family}: {len(whole)} cases of {len(cases)}, {len(text)} bytes", flush=True)


if __name__ == "__main__":
    main()
