#!/usr/bin/env python3
"""The words of Grain in editors/ are the lexer's, each once; the JSON files are JSON."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def main() -> int:
    lexer = (ROOT / "frontend/grain/text/lexer.cpp").read_text()
    keywords = sorted(re.findall(r'"(\w+)"', lexer[lexer.index("kKeywords") : lexer.index("};")]))
    vim = (ROOT / "editors/vim/syntax/grain.vim").read_text()
    of_vim = sorted(word for line in re.findall(r"^syntax keyword \w+ (.*)$", vim, re.M) for word in line.split())
    for file in (ROOT / "editors/vscode").rglob("*.json"):
        json.loads(file.read_text())
    grammar = json.loads((ROOT / "editors/vscode/syntaxes/grain.tmLanguage.json").read_text())
    words = grammar["repository"]["words"]["patterns"]
    lists = [re.fullmatch(r"\\b\(\?:([a-z|]+)\)\\b", pattern.get("match", "")) for pattern in words]
    of_grammar = sorted(word for found in lists if found for word in found[1].split("|"))
    good = True
    for name, found in (("vim", of_vim), ("vscode", of_grammar)):
        if found != keywords:
            print(f"editors/{name} has {sorted(set(found) ^ set(keywords))} or has a word twice")
            good = False
    for pattern in words:
        re.compile(pattern["match"])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
