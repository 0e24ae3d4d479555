"""How long everything takes: copies, micro-kernels, programs and their kernels; the table has others' times beside it."""
import json

import results as result_files
import time_rivals
import work


def time(context):
    repeat = context.options.repeat or (3 if context.options.dry else 50)
    options = ("--repeat", str(repeat), "--warmup", "1" if context.options.dry else "5")
    _copies(context, options)
    # Micro-kernels first, which fit needs.
    context.run("time", context.programs("micro") + context.programs("time"), seconds=60, options=options)
    if not context.options.ours:
        time_rivals.time_all(context)
    context.results.write_text(time_table(context))
    return all(c["status"] in ("timed", "missing") for c in context.results.cases.values())


def _copies(context, options):
    worker = work.Worker(context.options.bundle, "copies", [], options)
    while line := worker.line(60, context.stop):
        words = line.split(None, 3)
        if words[:1] == ["done"] and not context.results.has(words[1]):
            context.results.add(words[1], words[2], words[3].strip(), group="copies")
    worker.kill()


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


def not_numbers(case):
    """Made-up inputs are to give numbers: what is NaN may take another way."""
    nans = json.loads(case["detail"]).get("nan", 0)
    return f"  {nans} results are NaN" if nans else ""


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
    text += f"\n{'program':44}{'us':>12}{'10 % to 90 %':>24}{'predicted':>12}{'ratio':>10}"
    text += "".join(f"{who:>14}" for who in time_rivals.NAMES) + "\n"
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
                 + "".join(f"{time_rivals.time_of(cases, who, program['name']):>14}" for who in time_rivals.NAMES)
                 + (off(context, ratio) if ratio else "") + not_numbers(case) + "\n")
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
