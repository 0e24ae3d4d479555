#!/usr/bin/env python3
"""Traces the models of models/ as they are and with each edit of edits.txt, with JAX, into texts/MODEL/EDIT.hlo.

Needs jax (0.10.2 made the texts that are checked in). Run where models or edits change.
"""
import pathlib
import sys

import jax

HERE = pathlib.Path(__file__).resolve().parent


def read_edits():
    """(model, edit, [(old, new), ...]) of each paragraph of edits.txt; \\n in a piece is the end of a line."""
    for paragraph in (HERE / "edits.txt").read_text().split("\n\n"):
        lines = [line for line in paragraph.split("\n") if line and not line.startswith("#")]
        if not lines:
            continue
        model, name = lines[0].split(":")[0].split("/")
        changes, old = [], None
        for line in lines[1:]:
            if line.startswith("- "):
                old = line[2:].replace("\\n", "\n")
            elif line.startswith("+ "):
                changes.append((old, line[2:].replace("\\n", "\n")))
        yield model, name, changes


def trace(source):
    scope = {}
    exec(compile(source, "model.py", "exec"), scope)
    lowered = jax.jit(scope["model"]).lower(*scope["arguments"]())
    return lowered.as_text(dialect="hlo", debug_info=True)


def main():
    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")  # no folders of this machine
    sources = {path.stem: path.read_text() for path in sorted((HERE / "models").glob("*.py"))}
    texts = {(model, "base"): source for model, source in sources.items()}
    for model, name, changes in read_edits():
        source = sources[model]
        for old, new in changes:
            if source.count(old) != 1:
                sys.exit(f"{model}/{name}: '{old}' stands {source.count(old)} times in the model")
            source = source.replace(old, new)
        texts[model, name] = source
    for (model, name), source in texts.items():
        path = HERE / "texts" / model / f"{name}.hlo"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(trace(source))
    print(len(texts), "texts")


if __name__ == "__main__":
    main()
