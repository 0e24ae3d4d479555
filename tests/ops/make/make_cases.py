"""Writes tests/ops/*.hlo, the expected values computed by XLA:CPU:  python make_cases.py [FAMILY ...]

Needs jax 0.10.2 (CPU), numpy and ml_dtypes. Prints what XLA:CPU does not run; such cases are left out unless they bring
expected values of their own.
"""

import importlib
import pathlib
import sys

from case import case_text
from oracle import evaluate_all

FAMILIES = ["elementwise", "moving", "indexed", "reductions", "sorting", "contractions", "control", "devices"]


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent
    for family in sys.argv[1:] or FAMILIES:
        cases = list(importlib.import_module(family).cases())
        names = [f"{case.op}.{case.name}" for case in cases]
        assert len(set(names)) == len(names), sorted(n for n in names if names.count(n) > 1)
        for case, problem in evaluate_all(cases):
            print(f"{case.op}.{case.name}: {problem}")
        whole = [case for case in cases if case.refused or case.expected is not None]
        text = f"// Written by tests/ops/make/{family}.py (make_cases.py).\n\n" + "\n".join(map(case_text, whole))
        (folder / f"{family}.hlo").write_text(text.rstrip("\n") + "\n")
        print(f"{family}: {len(whole)} cases of {len(cases)}, {len(text)} bytes", flush=True)


if __name__ == "__main__":
    main()
