"""The parts: what is run of a bundle, how, and what its table says."""
import fnmatch
import json
import os
import shutil
import subprocess
import sys

import results as result_files
import work

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")


class Context:
    def __init__(self, options, bundle, results, stop, watch):
        self.options, self.bundle, self.results, self.stop, self.watch = options, bundle, results, stop, watch

    def programs(self, *groups):
        """Those of the groups that are asked for."""
        asked = self.options.only or ["*"]
        return [p for p in self.bundle["programs"]
                if p["group"] in groups and any(fnmatch.fnmatch(p["name"], one) for one in asked)]

    def run(self, mode, programs, seconds, options=(), jobs=1, prefix=(), case=lambda p: p["name"], judge=None):
        """Those that have no result yet; `judge` turns (status, detail, said) into what is written."""
        def told(program, status, detail, took, kernel, said):
            if judge is not None:
                status, detail = judge(status, detail, said)
            more = {"group": program["group"], "seconds": round(took, 3)}
            if kernel:
                more["kernel"] = kernel
            if status == "wrong":
                more["kernels"] = [k["name"] for k in program["kernels"]]
            if self.watch.state:
                more["state"] = self.watch.state
            self.results.add(case(program), status, detail, **more)

        left = [p for p in programs if not self.results.has(case(p))]
        seconds = self.options.seconds or seconds
        work.Runner(self.options.bundle, mode, self.stop, told, seconds, options, prefix).run(left, jobs)

    def table(self, planned):
        self.results.write_text(result_files.counts_table(self.results, planned, self.stop.why))
        return all(self.results.cases.get(case, {}).get("status") in ("right", "missing") for case, _ in planned)


def right(context):
    programs = context.programs("sample", "op", "conformance", "module", "loop")
    context.run("right", programs, seconds=30, jobs=context.options.jobs)
    return context.table([(p["name"], p["group"]) for p in programs])


def covering(programs, twice=1):
    """Few programs that have every feature: kinds of stages, helpers, libraries; each so many times."""
    left = {}
    for program in programs:
        for feature in program["features"]:
            left[feature] = twice
    chosen = []
    # Rare features first: who has them has common ones, too.
    while any(left.values()):
        best = max((p for p in programs if p not in chosen), default=None,
                   key=lambda p: sum(left[f] > 0 for f in p["features"]))
        if best is None or not any(left[f] > 0 for f in best["features"]):
            break
        chosen.append(best)
        for feature in best["features"]:
            left[feature] = max(0, left[feature] - 1)
    return chosen


def reports(status, detail, said):
    """What a sanitizer says of a program, between its own lines."""
    lines = [line.lstrip("= ").strip() for line in said if line.startswith("=========")]
    lines = [line for line in lines if line and "SUMMARY" not in line and "COMPUTE-SANITIZER" not in line]
    return ("reported", "; ".join(lines[:4])) if lines else (status, detail)


def sanitize(context):
    programs = covering(context.programs("sample", "op", "module", "loop"))
    planned = [(f"{tool}:{p['name']}", tool) for tool in TOOLS for p in programs]
    tool_path = os.environ.get("SINTER_GPU_SANITIZER") or shutil.which("compute-sanitizer")
    for tool in TOOLS:
        case = lambda program, tool=tool: f"{tool}:{program['name']}"
        if tool_path is None:
            for program in programs:
                if not context.results.has(case(program)):
                    context.results.add(case(program), "missing", "compute-sanitizer is not installed")
            continue
        # A program that fails under one tool says nothing of the next.
        context.run("right", programs, seconds=120, prefix=(tool_path, "--tool", tool, "--print-limit", "5"), case=case,
                    judge=reports, jobs=min(4, context.options.jobs))
    return context.table(planned)


def stress(context):
    # On the CPU samples take long, and say nothing that right does not.
    chosen = {} if context.options.dry else {p["name"]: p for p in context.programs("sample")}
    chosen |= {p["name"]: p for p in covering(context.programs("op", "module", "loop", *["sample"] * bool(context.options.only)))}
    programs = [p for p in context.bundle["programs"] if p["name"] in chosen]
    repeat = context.options.repeat or (3 if context.options.dry else 1000)
    context.run("stress", programs, seconds=60, options=("--repeat", str(repeat)), jobs=min(2, context.options.jobs))
    return context.table([(p["name"], p["group"]) for p in programs])


# --- time ----------------------------------------------------------------------------------------

def time(context):
    repeat = context.options.repeat or (3 if context.options.dry else 50)
    options = ("--repeat", str(repeat), "--warmup", "1" if context.options.dry else "5")
    _copies(context, options)
    context.run("time", context.programs("micro", "time"), seconds=60, options=options)
    rivals(context)
    context.results.write_text(time_table(context))
    return all(c["status"] in ("timed", "missing") for c in context.results.cases.values())


def _copies(context, options):
    worker = work.Worker(context.options.bundle, "copies", [], options)
    while line := worker.line(60, context.stop):
        words = line.split(None, 3)
        if words[:1] == ["done"] and not context.results.has(words[1]):
            context.results.add(words[1], words[2], words[3].strip(), group="copies")
    worker.kill()


def rivals(context):
    """Others' times of the same programs: each a script that prints "NAME MICROSECONDS" lines, or is missing something."""
    scripts = [("xla", [os.path.join(HERE, "time_xla.py"), context.options.bundle]),
               ("torch", [os.path.join(HERE, "time_torch.py")])]
    for rival, command in scripts:
        if context.stop.due() or context.results.has("rival:" + rival):
            continue
        python = os.environ.get("PYTHON", sys.executable)
        command = [python, *command, *(["--short"] if context.options.dry else [])]
        limit = min(120, context.stop.end - work.time.monotonic())
        if limit < 20:
            context.stop.stop("the time given is over")
            return
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
            text, error = done.stdout, done.stderr.strip().splitlines()[-1:] if done.returncode else []
        except subprocess.TimeoutExpired as late:
            text, error = (late.stdout or b"").decode(), [f"not finished after {limit:.0f} s"]
        times = dict(line.split() for line in text.splitlines() if len(line.split()) == 2)
        for name, us in times.items():
            context.results.add(f"{rival}:{name}", "timed", json.dumps({"run_us": {"median": float(us)}}), group=rival)
        if times and not error:
            context.results.add("rival:" + rival, "timed", "", group="rivals")
        else:
            status = "missing" if "No module named" in "".join(error) or not error else "failed"
            context.results.add("rival:" + rival, status, "".join(error) or "it timed nothing", group="rivals")


def least_us(kernel, gpu):
    """Of the device: to move the bytes once, or to do the operations."""
    lanes = {"f64": gpu["f64_lanes"], "tensor": gpu.get("tensor_fma", gpu["f32_lanes"])}.get(
        kernel["bound"], gpu["f32_lanes"])
    rate = 2 * lanes * gpu["multiprocessors"] * gpu["clock_ghz"] * 1e3
    return max(kernel["bytes"] / (gpu["memory_gb_per_s"] * 1e3), kernel["flops"] / rate)


def measured_kernels(context):
    """(program, kernel of the bundle, what was measured of it, microseconds without its event)"""
    for program in context.programs("micro", "time"):
        case = context.results.cases.get(program["name"], {})
        if case.get("status") != "timed":
            continue
        kernels = {k["name"]: k for k in program["kernels"]}
        detail = json.loads(case["detail"])
        for step in detail["steps"]:
            if step["name"] in kernels:
                yield program, kernels[step["name"]], step, step["us"]["median"] - detail["event_us"]


def off(context, ratio):
    """Predictions are a GPU's."""
    return "  off" if not context.options.dry and (ratio > 2 or ratio < 0.5) else ""


def time_table(context):
    gpu, cases = context.options.gpu_data, context.results.cases
    text = result_files.heading(context.results)
    for name, case in cases.items():
        if case.get("group") == "copies" and case["status"] == "timed":
            text += f"{name + ' MB':24}{json.loads(case['detail'])['gb_per_s']:10.1f} GB/s\n"
    text += (f"\n{'program: kernel':52}{'count':>6}{'us':>12}{'10 % to 90 %':>24}{'GB/s':>9}{'GFLOP/s':>10}"
             f"{'roofline':>9}{'predicted':>10}{'ratio':>10}\n")
    for program, kernel, step, _ in measured_kernels(context):
        us = step["us"]["median"] or 1e-3
        ratio = us / kernel["predicted_us"]
        text += (f"{(program['name'] + ': ' + kernel['name'])[:51]:52}{step['count']:>6}{us:>12.2f}"
                 f"{step['us']['low']:>12.2f}{step['us']['high']:>12.2f}{kernel['bytes'] / us / 1e3:>9.1f}"
                 f"{kernel['flops'] / us / 1e3:>10.1f}{100 * least_us(kernel, gpu) / us:>7.1f} %"
                 f"{kernel['predicted_us']:>10.2f}{ratio:>10.2f}{off(context, ratio)}\n")
    text += f"\n{'program':44}{'us':>12}{'10 % to 90 %':>24}{'predicted':>12}{'ratio':>10}{'XLA':>12}{'torch':>12}\n"
    rival = lambda who, name: _rival_us(cases, f"{who}:{name}")
    for program in context.programs("time"):
        case = cases.get(program["name"])
        if case is None or case["status"] != "timed":
            text += f"{program['name'][:43]:44}{case['status'] + ': ' + case['detail'][:120] if case else 'left':>12}\n"
            continue
        us = json.loads(case["detail"])["run_us"]
        predicted = program.get("predicted_us")
        ratio = us["median"] / predicted if predicted else None
        text += (f"{program['name'][:43]:44}{us['median']:>12.2f}{us['low']:>12.2f}{us['high']:>12.2f}"
                 f"{f'{predicted:.2f}' if predicted else '-':>12}{f'{ratio:.2f}' if ratio else '-':>10}"
                 f"{rival('xla', program['name']):>12}{rival('torch', program['name']):>12}"
                 f"{off(context, ratio) if ratio else ''}\n")
    for name, case in cases.items():
        if case["status"] in ("missing", "failed") and name.startswith("rival:"):
            text += f"{case['status'].upper()} {name.removeprefix('rival:')}: {case['detail']}\n"
        elif case["status"] not in ("timed", "missing"):
            kernel = f" in {case['kernel']}" if case.get("kernel") else ""
            text += f"{case['status'].upper()} {name}{kernel}: {case['detail'][:300]}\n"
    state = next((c["state"] for c in reversed(cases.values()) if c.get("state")), None)
    if state:
        text += "at the end: " + ", ".join(f"{key} {value}" for key, value in state.items()) + "\n"
    if context.stop.why:
        text += f"Stopped: {context.stop.why}. The same call goes on with what is left.\n"
    return text


def _rival_us(cases, name):
    case = cases.get(name)
    return f"{json.loads(case['detail'])['run_us']['median']:.2f}" if case and case["status"] == "timed" else "-"
