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
WAIT = "(wait)"


def framed(message: dict) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def requests(lines: list) -> list:
    """A message for each line behind `>`, None where the client waits; those with an answer have an id, their number."""
    messages = []
    for line in lines:
        if line == WAIT:
            messages.append(None)
            continue
        method, _, text = line.partition(" ")
        for sample in SAMPLES.glob("*.grain"):
            text = text.replace(f'"@{sample.name}"', json.dumps(sample.read_text()))
        text = text.replace("%s", SAMPLES.as_uri())
        message = {"jsonrpc": "2.0", "method": method}
        if text:
            message["params"] = json.loads(text)
        if "/did" not in method and method not in ("initialized", "$/cancelRequest", "exit"):
            message["id"] = len(messages) - messages.count(None)
        messages.append(message)
    return messages


def receive(server: subprocess.Popen) -> dict:
    """The next message that the server sends; None after the last."""
    header = server.stdout.readline()
    if not header:
        return None
    server.stdout.readline()
    return json.loads(server.stdout.read(int(header.split(b":")[1])))


def replies(server: subprocess.Popen, messages: list) -> list:
    """What the server sends. All is sent at once up to where the client waits, until all that it asked is answered."""
    received = []
    asked = set()
    while messages:
        now = messages[:messages.index(None)] if None in messages else messages
        messages = messages[len(now) + 1:]
        asked |= {message["id"] for message in now if "id" in message}
        server.stdin.write(b"".join(map(framed, now)))
        server.stdin.flush()
        while asked and messages:
            received.append(receive(server))
            asked.discard(received[-1].get("id"))
    while message := receive(server):
        received.append(message)
    return received


def shown(message: dict) -> str:
    message.pop("jsonrpc")
    message.get("result") and isinstance(message["result"], dict) and message["result"].pop("serverInfo", None)
    return json.dumps(message, sort_keys=True).replace(SAMPLES.as_uri(), "%s")


def play(sinter: str, session: pathlib.Path, bless: bool) -> bool:
    sent = [line[2:] for line in session.read_text().splitlines() if line.startswith("> ")]
    comments = [line for line in session.read_text().splitlines() if line.startswith("#")]
    with subprocess.Popen([sinter, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        received = replies(server, requests(sent))
    text = "\n".join(comments + ["> " + line for line in sent] + ["< " + shown(message) for message in received] +
                     [f"= exit status {server.returncode}"]) + "\n"
    if bless:
        session.write_text(text)
    if text == session.read_text():
        return True
    print(f"{session.name}: the server sends\n{text}")
    return False


def main() -> int:
    bless = sys.argv[1] == "--bless"
    good = [play(sys.argv[-1], session, bless) for session in sorted((HERE / "sessions").glob("*.txt"))]
    return 0 if good and all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
