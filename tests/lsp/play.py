#!/usr/bin/env python3
"""Plays the sessions of this folder to `sinter lsp`, and compares what it sends with what they say.

  play.py [--bless] SINTER
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent.parent / "samples" / "grain"


def framed(message: dict) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def requests(lines: list) -> list:
    """A message for each line behind `>`; those with an answer have an id, their number."""
    messages = []
    for line in lines:
        method, _, text = line.partition(" ")
        for sample in SAMPLES.glob("*.grain"):
            text = text.replace(f'"@{sample.name}"', json.dumps(sample.read_text()))
        text = text.replace("%s", SAMPLES.as_uri())
        message = {"jsonrpc": "2.0", "method": method}
        if text:
            message["params"] = json.loads(text)
        if "/did" not in method and method not in ("initialized", "exit"):
            message["id"] = len(messages)
        messages.append(message)
    return messages


def replies(output: bytes) -> list:
    """What the server sent, a line each."""
    lines = []
    while output:
        header, _, rest = output.partition(b"\r\n\r\n")
        length = int(header.split(b":")[1])
        message = json.loads(rest[:length])
        output = rest[length:]
        message.pop("jsonrpc")
        message.get("result") and isinstance(message["result"], dict) and message["result"].pop("serverInfo", None)
        lines.append(json.dumps(message, sort_keys=True).replace(SAMPLES.as_uri(), "%s"))
    return lines


def play(sinter: str, session: pathlib.Path, bless: bool) -> bool:
    sent = [line[2:] for line in session.read_text().splitlines() if line.startswith("> ")]
    comments = [line for line in session.read_text().splitlines() if line.startswith("#")]
    done = subprocess.run([sinter, "lsp"], input=b"".join(map(framed, requests(sent))), capture_output=True, timeout=120)
    status = f"= exit status {done.returncode}"
    text = "\n".join(comments + ["> " + line for line in sent] + ["< " + line for line in replies(done.stdout)] +
                     [status]) + "\n"
    if bless:
        session.write_text(text)
    if text == session.read_text():
        return True
    print(f"{session.name}: the server sends\n{text}{done.stderr.decode()}")
    return False


def main() -> int:
    bless = sys.argv[1] == "--bless"
    good = [play(sys.argv[-1], session, bless) for session in sorted((HERE / "sessions").glob("*.txt"))]
    return 0 if good and all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
