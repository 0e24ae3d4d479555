#!/usr/bin/env python3
"""What documentation says in Grain is Grain. A program (a block ```grain) compiles and is in the layout of `sinter fmt`, or
gives the error that the block behind it shows. A part of one (a block without a language) compiles in the program that a
comment before it, which no reader sees, gives: in the place of its line `...`. `<!-- grain each` is the program around
each piece of code in the table behind it. The README's blocks are parts of a sample.

  check_documents.py SINTER ROOT
"""
import itertools
import pathlib
import re
import subprocess
import sys
import textwrap

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
AROUND = re.compile(r"^<!-- grain([^\n]*)\n(.*?)^-->\n", re.M | re.S)
CODE = re.compile(r"`([^`]+)`")


def run(sinter: str, arguments: list, text: str) -> tuple:
    done = subprocess.run([sinter, *arguments, "-"], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def compiled(sinter: str, text: str, options: list = ()) -> tuple:
    """Whether it compiles, and what is said of it."""
    status, _, errors = run(sinter, ["opt", "--grain", "--passes=none", "-o", "/dev/null", *options], text)
    return status == 0, errors


def check_programs(sinter: str, page: pathlib.Path) -> list:
    wrong = []
    blocks = BLOCK.findall(page.read_text())
    for (language, text), (_, after) in zip(blocks, blocks[1:] + [("", "")]):
        if language != "grain":
            continue
        name = text.splitlines()[0]
        fine, errors = compiled(sinter, text)
        shown = re.sub(r"^\w+\.grain", "<stdin>", after) if re.match(r"\w+\.grain:\d+:\d+: error", after) else ""
        if errors != shown or fine != (shown == ""):
            wrong.append(f"{page.name}: {name}\n{errors}")
        _, formatted, errors = run(sinter, ["fmt"], text)
        if formatted != text:
            wrong.append(f"{page.name}: not as sinter fmt writes it: {name}\n{formatted}{errors}")
    return wrong


def table_code(text: str) -> list:
    """The code of the table that a text begins with; an expression as the definition of something."""
    rows = itertools.takewhile(lambda line: line.startswith("|"), text.splitlines())
    code = [piece for row in rows for piece in CODE.findall(row)]
    return [piece if " = " in piece else "made = " + piece for piece in code]


def check_parts(sinter: str, page: pathlib.Path) -> list:
    wrong = []
    text = page.read_text()
    around = {match.end(): match for match in AROUND.finditer(text)}
    for block in BLOCK.finditer(text):
        is_output = re.match(r"\w+\.grain:\d+:\d+: error", block[2])
        if not block[1] and not is_output and block.start() not in around:
            wrong.append(f"{page.name}: nothing says which program this is a part of:\n{block[2]}")
    for end, match in around.items():
        options = match[1].split()
        each = options[:1] == ["each"]
        block = BLOCK.match(text, end)
        parts = table_code(text[end:]) if each else [block[2]] if block else []
        if not parts:
            wrong.append(f"{page.name}: nothing is in this program:\n{match[2]}")
        for part in parts:
            place = re.search(r"^( *)\.\.\.\n", match[2], re.M)
            program = match[2][:place.start()] + textwrap.indent(part, place[1]) + "\n" + match[2][place.end():]
            fine, errors = compiled(sinter, program, options[1 if each else 0:])
            if not fine:
                wrong.append(f"{page.name}: {part}\n{errors}")
    return wrong


def check_page(sinter: str, page: pathlib.Path) -> list:
    return check_programs(sinter, page) + check_parts(sinter, page)


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
