#!/usr/bin/env python3
"""Every program of the documentation (a block ```grain) compiles, is in the layout of `sinter fmt`, or gives the error that
the block behind it shows; those of the README are parts of a sample.

  check_documents.py SINTER ROOT
"""
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def run(sinter: str, arguments: list, text: str) -> tuple:
    done = subprocess.run([sinter, *arguments, "-"], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def check_page(sinter: str, page: pathlib.Path) -> list:
    wrong = []
    blocks = BLOCK.findall(page.read_text())
    for (language, text), (_, after) in zip(blocks, blocks[1:] + [("", "")]):
        if language != "grain":
            continue
        name = text.splitlines()[0]
        status, _, errors = run(sinter, ["opt", "--grain", "--passes=none", "-o", "/dev/null"], text)
        shown = re.sub(r"^\w+\.grain", "<stdin>", after) if re.match(r"\w+\.grain:\d+:\d+: error", after) else ""
        if errors != shown or (status == 0) != (shown == ""):
            wrong.append(f"{page.name}: {name}\n{errors}")
        status, formatted, errors = run(sinter, ["fmt"], text)
        if formatted != text:
            wrong.append(f"{page.name}: not as sinter fmt writes it: {name}\n{formatted}{errors}")
    return wrong


def main() -> int:
    sinter, root = sys.argv[1], pathlib.Path(sys.argv[2])
    wrong = check_page(sinter, root / "docs/grain.md") + check_page(sinter, root / "docs/grain_tutorial.md")
    samples = [sample.read_text() for sample in (root / "samples/grain").glob("*.grain")]
    parts = [text for language, text in BLOCK.findall((root / "README.md").read_text()) if language == "grain"]
    wrong += [f"README.md: not part of a sample:\n{part}" for part in parts if not any(part in text for text in samples)]
    print("\n".join(wrong))
    return 0 if not wrong and parts else 1


if __name__ == "__main__":
    sys.exit(main())
