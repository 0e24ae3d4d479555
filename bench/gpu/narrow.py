"""Which kernel gives a wrong number: a run's steps on the device beside the same steps of the CPU build (trace.h)."""
import json
import os

import work


def trace_path(context, program):
    return os.path.join(context.options.results, "traces", program["name"] + ".safetensors")


def last_line(bundle, mode, program, trace, seconds, stop, faults=True):
    """What the worker says last of the program, in words: the status, then the detail."""
    worker, last = work.Worker(bundle, mode, [program], ("--trace", trace), faults=faults), ("hung", "")
    while (line := worker.line(seconds, stop)) is not None:
        words = line.split(None, 3)
        if words[:1] == ["done"]:
            last = (words[2], words[3].strip() if len(words) > 3 else "")
        if not line or words[:1] == ["done"]:
            break
    worker.kill()
    return last


def keep_trace(context, program, seconds):
    """What each step of a run on the device writes; "" or why it is not known."""
    path = trace_path(context, program)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    status, detail = last_line(context.options.bundle, "trace", program, path, seconds, context.stop)
    return "" if status == "kept" else f"run step by step it {status}: {detail}"


def compare(context, program, seconds):
    """(kernel, why) of a program that has a trace."""
    beside = context.options.beside
    try:
        with open(os.path.join(beside, "programs.json")) as file:
            others = {other["name"]: other for other in json.load(file)["programs"]}
    except OSError:
        return "", "which kernel, says `./dev gpu narrow` where the CPU build is (prepare --dry)"
    other = others.get(program["name"])
    if other is None or other["writes"] != program["writes"]:
        return "", f"the CPU build in {beside} has not this program with this plan"
    path = trace_path(context, program)
    # The CPU build stands for what is right: it has no faults.
    status, detail = last_line(beside, "beside", other, path, seconds, context.stop, faults=False)
    if status == "differs":
        kernel, why = detail.split(None, 1)
        os.remove(path)
        return kernel, why
    return "", f"beside the CPU build, {status}: {detail}"


def first_wrong(context, program, seconds):
    """(kernel, why): kernel is "" where it is not known."""
    problem = keep_trace(context, program, seconds)
    return ("", problem) if problem else compare(context, program, seconds)


def narrow(context):
    """Of a `right` whose bundle had no CPU build beside it: the kernels of what was wrong, found where there is one."""
    programs = {p["name"]: p for p in context.bundle["programs"]}
    for name, case in list(context.results.cases.items()):
        program = programs.get(name)
        if case["status"] != "wrong" or case.get("kernel") or program is None:
            continue
        if not os.path.exists(trace_path(context, program)):
            continue
        kernel, why = compare(context, program, context.options.seconds or 60)
        more = {key: value for key, value in case.items() if key not in ("case", "status", "detail")}
        detail = f"{case['detail'].split('; which kernel,')[0]}; {why}"
        context.results.add(name, "wrong", detail, **(more | ({"kernel": kernel} if kernel else {})))
    planned = [(name, case["group"]) for name, case in context.results.cases.items()]
    return context.table(planned)
