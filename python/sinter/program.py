"""The program that this package wraps: where it is, and its calls."""

import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any, Dict, List, Mapping, Optional, Sequence


class Error(Exception):
    """What the compiler, a build or a model says that is wrong; the message is its text.

    Of a call of a library, `status` is what its status means: "out of memory". Else, and of libraries that are older
    than the function, it is None.
    """

    status: Optional[str] = None


# Options that are given once for each of their values; others take lists with commas.
_REPEATED = {"dims", "entry"}


def find_program() -> str:
    """The path of the program: $SINTER_PROGRAM, this package's own, or the one on the PATH."""
    chosen = os.environ.get("SINTER_PROGRAM")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise Error(f"SINTER_PROGRAM={chosen} is no program")
        return chosen
    packaged = pathlib.Path(__file__).parent / "bin" / "sinter"
    if packaged.exists():
        return str(packaged)
    program = shutil.which("sinter")
    if program is None:
        raise Error("no sinter in this package, on the PATH, or in SINTER_PROGRAM: install the wheel (docs/python.md)")
    return program


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}={size}" for name, size in value.items())
    if isinstance(value, (list, tuple)):
        return ",".join(_value(one) for one in value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def flags(options: Mapping[str, Any]) -> List[str]:
    """Options of the command line: arch=["80", "90a"], no_fma=True, dims={"n": 64}. None and False leave one out."""
    result = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            result.append(flag)
        elif name in _REPEATED and isinstance(value, (list, tuple)):
            result += [f"{flag}={_value(one)}" for one in value]
        else:
            result.append(f"{flag}={_value(value)}")
    return result


def run(command: Sequence[str]) -> str:
    """Standard output of a call of the program. Raises Error with its diagnostics; warnings go to standard error."""
    done = subprocess.run([find_program(), *command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace")
    if done.returncode != 0:
        raise Error((done.stderr + done.stdout).strip() or f"sinter {command[0]}: exit status {done.returncode}")
    if done.stderr:
        print(done.stderr, end="", file=sys.stderr)
    return done.stdout
