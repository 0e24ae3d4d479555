"""What Sinter makes of a function, without writing it."""

import html
import os
import pathlib
import tempfile
from typing import Any, Callable, Union

from sinter import jax
from sinter.program import flags, run


class Plan(str):
    """The text of `sinter explain`; a notebook shows it as it is."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self)}</pre>"


def explain(fn: Union[Callable[..., Any], str, "os.PathLike[str]"], *args: Any, **options: Any) -> Plan:
    """The plan of a JAX function for these arguments, or of a file of HLO text: kernels, launches, bytes, predicted
    times, and why each value that goes through device memory does.

    `options` are those of `sinter explain`: gpu="h100", compare=True.
    """
    if isinstance(fn, (str, os.PathLike)):
        if args:
            raise TypeError(f"the shapes of {os.fspath(fn)} are in its text: arguments are those of a JAX function")
        return Plan(run(["explain", os.fspath(fn), *flags(options)]))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "function.hlo"
        path.write_text(jax.hlo_text(fn, *args))
        return Plan(run(["explain", str(path), *flags(options)]))
