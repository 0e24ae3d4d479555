"""Others' times of the same programs: XLA of the same HLO text, JAX with its best unrolling, torch.compile, and kernels
written by hand. Each is a command that prints "NAME MICROSECONDS [HOW]" lines; one that is not installed is `missing`."""
import json
import os
import re
import subprocess
import sys
import time

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rivals")
NAMES = ("xla", "unrolled", "torch", "by hand")
MOST_SECONDS = 120  # for one of them, or of what one program of ours may take ten times


def commands(context):
    python = os.environ.get("PYTHON", sys.executable)
    short = ["--short"] if context.options.dry else []
    for rival, script in (("xla", "time_xla.py"), ("unrolled", "time_unrolled.py"), ("torch", "time_torch.py")):
        yield rival, [python, os.path.join(FOLDER, script), context.options.bundle, *short]
    yield "by hand", [sys.executable, os.path.join(FOLDER, "time_handwritten.py"), context.options.bundle, *short]


def time_all(context):
    for rival, command in commands(context):
        if context.stop.due() or context.results.has("rival:" + rival):
            continue
        limit = min(10 * context.options.seconds or MOST_SECONDS, context.stop.end - time.monotonic())
        if limit < 20:
            context.stop.stop("the time given is over")
            return
        time_one(context, rival, command, limit)


def time_one(context, rival, command, limit):
    known = [case.removeprefix(rival + ":") for case in context.results.cases if case.startswith(rival + ":")]
    asked = {p["name"] for p in context.programs("time", "micro")}
    skipped = known + [p["name"] for p in context.bundle["programs"] if p["name"] not in asked]
    late = False
    try:
        done = subprocess.run([*command, "--skip", ",".join(skipped)], capture_output=True, text=True, timeout=limit)
        text, said = done.stdout, done.stderr.strip().splitlines()
        problem = "; ".join(said[-3:] or [f"exit status {done.returncode}"])[-400:] if done.returncode else ""
    except subprocess.TimeoutExpired as expired:
        late, text, said = True, (expired.stdout or b"").decode(), []
        problem = f"not finished after {limit:.0f} s"
    timed = 0
    for line in text.splitlines():
        words = line.split(None, 2)
        if len(words) < 2 or not re.fullmatch(r"[0-9.]+", words[1]):
            continue
        timed += 1
        how = words[2] if len(words) > 2 else ""
        context.results.add(f"{rival}:{words[0]}", "timed", json.dumps({"run_us": {"median": float(words[1])}, "how": how}),
                            group=rival)
    if late and timed:  # the next call goes on with the rest
        context.stop.stop(f"{rival} did not finish in {limit:.0f} s")
    elif problem or not timed and not known:
        status = "missing" if not problem or "No module named" in problem else "failed"
        context.results.add("rival:" + rival, status, problem or "it timed nothing", group="rivals")
    else:
        # Of programs that it refused, each has a line.
        context.results.add("rival:" + rival, "timed", "; ".join(said)[:2000], group="rivals")


def time_of(cases, rival, name):
    case = cases.get(f"{rival}:{name}")
    if case is None or case["status"] != "timed":
        return "-"
    detail = json.loads(case["detail"])
    how = f" ({detail['how']})" if detail.get("how") else ""
    return f"{detail['run_us']['median']:.2f}{how}"
