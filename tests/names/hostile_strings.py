#!/usr/bin/env python3
"""Strings that try to get out of where they are written: of comments, literals, build files, JSON and pages.

    hostile_strings.py SINTER [STRINGS [SEED]]

Programs with such strings for their values, files, weights and names are compiled, with a page of the plan. What is
written must have the tokens of the same program with plain strings: as many of each kind in each file of C++ and CMake,
the same keys in JSON, the same tags and attributes in the page. clang reads all of it (`sinter compile` has it read).
"""

import collections
import html.parser
import json
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

PIECES = [
    "*/", "/*", "//", "\\", "\\\n", "??/\n", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x00", "\x1b[31m", "\x7f", "\t", '"', "'", '\\"',
    '"; system("x"); //', "*/ int evil; /*", "\n#error evil\n", "\n#include \"/etc/passwd\"\n", "_Pragma(\"x\")", "R\"(", ")\"",
    "\\u000a", "\\x0a", "%s%n", "${evil}", "$ENV{HOME}", "@evil@", ")\nmessage(FATAL_ERROR evil)\n#(", "]]", "[[", ";", "$<1:evil>",
    "{{evil}}", "{{{evil}}}", "{{#evil}}", "</script><script>evil()</script>", "<!--", "-->", "]]>", "<img src=x onerror=evil()>",
    "&lt;", "&#10;", "\" onload=\"evil()", "javascript:evil()", "</style>", "`evil`", "$(evil)", "|evil", "../../evil", "/evil",
    "\u2028", "\u202e", "\ufeff", "\u00e9", "\U0001f600", "\\N{evil}", "__asm__", "int", "namespace", "kRows", "x" * 300,
    "EOF", "\x1a", "=delete", "<%", "%:", "operator\"\"", "'", "a.b[0]", "jit(f)/", "while/body/",
]
# What a name of an instruction or a function may consist of in HLO text.
NAME_PIECES = ["a", "int", "x", ".", "-", "_", "__", "9", "template", "stdin", "kRows", "evil", "main", "NULL", "A", ".1"]

PROGRAM = """HloModule {module}

{function} {{
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}}

ENTRY {entry} {{
  {x} = f32[8,64] parameter(0), metadata={{op_name="{s0}"}}
  p1 = f32[64,32] parameter(1), metadata={{op_name="{s1}"}}
  t = f32[32] constant({table}), metadata={{op_name="{s2}"}}
  zero = f32[] constant(0)
  {d} = f32[8,32] dot({x}, p1), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}, metadata={{op_name="{s3}" source_file="{s4}" source_line=7}}
  r = f32[8,32] broadcast(t), dimensions={{1}}
  e = f32[8,32] multiply({d}, r), metadata={{op_name="{s5}" source_file="{s6}" source_line=1}}
  total = f32[8] reduce(e, zero), dimensions={{1}}, to_apply={function}, metadata={{op_name="{s7}"}}
  h = f32[8] tanh(total), metadata={{op_name="{s8}"}}
  ROOT y = (f32[8,32], f32[8]) tuple(e, h)
}}
"""
STRINGS = 9  # in PROGRAM; besides, a weight, five names, and that of the program (--name)


def quoted(text):
    """As HLO text has strings."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def write_tensors(path, name):
    header = json.dumps({"__metadata__": {"sinter_inputs": json.dumps({name: 1})},
                         name: {"dtype": "F32", "shape": [64, 32], "data_offsets": [0, 8192]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(8192))


TOKEN = re.compile(r'''(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<char>'(?:\\.|[^'\\\n])*')'''
                   r"|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[\w.']|[eE][+-])*)|(?P<space>\s+)|(?P<other>.)", re.S)


def tokens(text):
    """How many of each kind a file of C++ has, those of punctuation by what they are."""
    count = collections.Counter()
    assert "\\\n" not in text or "#define" in text, "a line that goes on"
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "comment" and not token.group().startswith("//"):
            kind = "block comment"
        if kind not in ("space", "comment"):
            count[token.group() if kind == "other" else kind] += 1
    return count


def cmake_tokens(text):
    text = re.sub(r"#[^\n]*", "", text)
    return collections.Counter(re.findall(r'[$()"\[\]{};@\\]', text))


def keys(value):
    """The shape of a JSON value, without what it says; of lists and files, of any."""
    if isinstance(value, dict):
        return {key: keys(inner) for key, inner in value.items() if key != "files"}
    return sorted({json.dumps(keys(inner), sort_keys=True) for inner in value}) if isinstance(value, list) else ""


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.add(tag)
        for name, value in attributes:
            self.found.add(f"{tag} {name}")
            if name in ("href", "src", "xlink:href") and not value.startswith("#"):
                self.found.add(f"{tag} {name}={value}")


def compiled(sinter, work, names, strings, weight, program):
    """The files by their paths, and the page; None, and why, of what is refused."""
    text, tensors, folder = work / "in.hlo", work / "in.safetensors", work / "out"
    table = "{" + ", ".join(str(i / 8) for i in range(32)) + "}"
    text.write_bytes(PROGRAM.format(table=table, **names, **{f"s{i}": quoted(s) for i, s in enumerate(strings)})
                     .encode("utf-8", "surrogatepass"))
    write_tensors(tensors, weight)
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run([sinter, "compile", text, "-o", folder, "--weights-of", tensors, "--weights", "embed", "--report",
                           work / "page.html", *(["--name=" + program] if program else [])], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode("utf-8", "backslashreplace")
    if done.returncode != 0:
        return None, (done.returncode, output)
    if "warning" in output:
        raise AssertionError(output)
    stem = json.loads((folder / "manifest.json").read_bytes())["program"]
    files = {}
    for path in folder.rglob("*"):
        if path.is_file():
            name = str(path.relative_to(folder))
            assert re.fullmatch(r"[\w./-]+", name, re.A), f"a file is called {name!r}"
            files[name.replace(stem, "NAME")] = path.read_bytes()
    return files, (work / "page.html").read_text(encoding="utf-8")


def shapes(files, page):
    """What must not depend on strings. Kernels are taken together, since they are called after values."""
    found, kernels = {}, collections.Counter()
    for name, content in files.items():
        if name.endswith((".cu", ".cuh", ".h", ".hpp", ".cpp")):
            content.decode("ascii")
            count = tokens(content.decode())
            if name.startswith("kernels/"):
                kernels += count
            else:
                found[name] = count
        elif name.endswith("CMakeLists.txt"):
            found[name] = cmake_tokens(content.decode("ascii"))
        elif name.endswith(".json"):
            found[name] = keys(json.loads(content.decode("utf-8")))
    found["kernels"] = kernels
    found["page"] = Page(page).found
    return found


def is_longer(kernels, plain):
    """True if all they differ in are statements `const float a = b;` and braces around a statement, since names decide
    where a line is full."""
    more, less = kernels - plain, plain - kernels
    words, equals, ends, begins, closes = [more[kind] - less[kind] for kind in ("word", "=", ";", "{", "}")]
    kinds = set(more) | set(less)
    return kinds <= {"word", "=", ";", "{", "}"} and equals == ends and words == 4 * ends and begins == closes


def main():
    sinter = pathlib.Path(sys.argv[1]).resolve()
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 600
    numbers = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    plain_names = dict(module="jit_model", function="sum_of", entry="entry", x="x0", d="d0")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        files, page = compiled(sinter, work, plain_names, ["value"] * STRINGS, "layer.weight", "")
        assert files is not None, page
        plain, plain_files = shapes(files, page), files
        tried = refused = 0
        while tried < wanted:
            def hostile(pieces, most):
                return "".join(numbers.choice(pieces) for _ in range(numbers.randint(1, most)))
            strings = [hostile(PIECES, 6) for _ in range(STRINGS)]
            weight = hostile(PIECES, 4)
            names = {place: f"{chr(97 + i)}{hostile(NAME_PIECES, 4)}{i}" for i, place in enumerate(plain_names)}
            program = hostile(PIECES, 3).replace("\0", "") if numbers.random() < 0.3 else ""
            tried += STRINGS + 1 + len(names) + bool(program)
            files, page = compiled(sinter, work, names, strings, weight, program)
            said = f"names {names}\nstrings {strings!r}\nweight {weight!r}\nprogram {program!r}"
            if files is None:
                refused += 1
                if page[0] not in (1, 2) or "error" not in page[1]:
                    sys.exit(f"exit status {page[0]}: {page[1]}\n{said}")
                continue
            assert len(files) == len(plain_files), f"other files\n{said}"
            found = shapes({name: content for name, content in files.items() if plain_files.get(name) != content}, page)
            for name, shape in found.items():
                if name == "page":
                    if not shape <= plain[name]:
                        sys.exit(f"the page has {shape - plain[name]}\n{said}")
                elif name == "kernels" and (not shape or is_longer(shape, plain[name])):
                    continue
                elif shape != plain[name]:
                    what = f"{shape - plain[name]} and not {plain[name] - shape}" if hasattr(shape, "elements") else shape
                    sys.exit(f"{name} has {what}\n{said}")
    print(f"{tried} strings, {refused} programs refused: none gets out")


if __name__ == "__main__":
    main()
