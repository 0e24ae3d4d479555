"""The constants of a GPU's data file (templates/gpus) from times of micro-kernels, each bound by one thing: least squares
over what the cost model says (passes/schedule/cost/estimate.h), time = launch + work / rate."""
import json
import os

import results as result_files
import timing

REACHABLE = 0.9   # kReachable of estimate.cpp: what is measured is the bandwidth that is reached
SCHEDULERS, WARP, MEMORY_LANES = 4, 32, 32
UNITS = ("f32", "f64", "integer", "special", "memory")


def work_of(kernel, bound, gpu):
    """Microseconds that a rate of one would take, and the constant whose rate it is."""
    work, cycles = kernel["work"], gpu["clock_ghz"] * 1e3
    busy = min(gpu["multiprocessors"], kernel["blocks"])
    # As many floats a cycle as instructions: what is nearly all floats is bound by both.
    if bound == "issue" and work["f32"] > 0.8 * sum(work[unit] for unit in UNITS):
        bound = "f32"
    if bound == "memory":
        in_l2 = kernel["bytes"] <= gpu["l2_bytes"] / 2
        return kernel["bytes"] / (REACHABLE * 1e3), "l2_gb_per_s" if in_l2 else "memory_gb_per_s"
    if bound in ("f32", "f64", "integer", "special"):
        return work[bound] / (busy * cycles), bound + "_lanes"
    if bound == "tensor":
        rounds = -(-kernel["blocks"] // busy)
        return work["tensor"] / kernel["blocks"] * rounds / cycles, "tensor_fma"
    return None, None


def least_squares(points):
    """(launch, 1/rate) of t = launch + w/rate, each point weighted by its time: what counts is the relative error."""
    sums = [0.0] * 5
    for w, t in points:
        weight = 1 / (t * t)
        for i, value in enumerate((1, w, w * w, t, w * t)):
            sums[i] += weight * value
    n, sw, sww, st, swt = sums
    determinant = n * sww - sw * sw
    if len(points) < 2 or determinant <= 1e-9 * n * sww:
        return 0.0, swt / sww if sww else 0.0
    return (st * sww - sw * swt) / determinant, (n * swt - sw * st) / determinant


def measured(context):
    return list(timing.measured_kernels(context))


def fit_functions(context, f32_lanes, gpu):
    """{name: measured / counted}: what a step more takes, as instructions at the rate of floats, beside those that the cost
    model counts for it (the op table's)."""
    points = {}
    for program, kernel, _, t in measured(context):
        name = program["name"].removeprefix("m_function_").rsplit("_", 1)[0]
        if program["name"].startswith("m_function_") and t > 0:
            counted = sum(kernel["work"][unit] for unit in UNITS)
            points.setdefault(name, []).append((counted, t, kernel))
    functions = {}
    for name, list_of in points.items():
        (few, short, _), (many, long, kernel) = min(list_of, key=lambda p: p[0]), max(list_of, key=lambda p: p[0])
        if many <= few or long <= short:
            continue
        rate = min(gpu["multiprocessors"], kernel["blocks"]) * f32_lanes * gpu["clock_ghz"] * 1e3
        functions[name] = round((long - short) * rate / (many - few), 2)
    return functions


def fit(context):
    """Writes NAME.json beside the results. True if there was something to fit."""
    old = context.options.gpu_data
    points, launches, spreads = {}, [], {}
    for program, kernel, step, t in measured(context):
        if program["group"] != "micro" or t <= 0:
            continue
        if program["name"].startswith("m_launch"):
            launches.append(t)
        work, constant = work_of(kernel, kernel["bound"], old)
        if constant is not None:
            points.setdefault(constant, []).append((work, t))
            spreads.setdefault(constant, []).append((step["us"]["high"] - step["us"]["low"]) / t)
    new, facts = dict(old), {}
    for constant, list_of in points.items():
        launch, per_unit = least_squares(list_of)
        if per_unit <= 0:
            continue
        worst = max(abs(t - launch - w * per_unit) / t for w, t in list_of)
        new[constant] = float(f"{1 / per_unit:.4g}")
        facts[constant] = {"value": new[constant], "kernels": len(list_of), "worst_residual": round(worst, 3),
                           "spread": round(max(spreads[constant]), 3), "launch_us": round(launch, 2)}
    if launches:
        new["launch_us"] = round(min(launches), 2)
        facts["launch_us"] = {"value": new["launch_us"], "kernels": len(launches)}
    for constant in facts:
        facts[constant]["document"] = old[constant]
    machine = context.results.machine
    functions = fit_functions(context, new["f32_lanes"], old)
    new["measured"] = {"date": machine["date"], "device": machine["device"], "dry_run": machine["dry"],
                       "constants": facts, "functions": functions}
    new["sources"] = [*old["sources"], "measured: by ./dev gpu fit, the constants listed there; all others from documents"]
    path = os.path.join(context.options.results, old["name"] + ".json")
    with open(path, "w") as file:
        json.dump(new, file, indent=1)
        file.write("\n")
    context.results.write_text(fit_table(context, facts, functions, new, path))
    return bool(facts)


def predict(kernel, gpu):
    """As estimate.cpp does, of what the bundle knows of a kernel; None of those bound by something else."""
    times = [0.0]
    for bound in ("memory", "f32", "f64", "integer", "special", "tensor"):
        work, constant = work_of(kernel, bound, gpu)
        if work and gpu.get(constant):
            times.append(work / gpu[constant])
    work, cycles = kernel["work"], gpu["clock_ghz"] * 1e3
    busy = min(gpu["multiprocessors"], kernel["blocks"])
    issued = sum(work[unit] for unit in UNITS)
    times += [issued / (busy * SCHEDULERS * WARP * cycles), work["memory"] / (busy * MEMORY_LANES * cycles),
              work["chain"] / cycles]
    return gpu["launch_us"] + max(times)


def fit_table(context, facts, functions, new, path):
    text = result_files.heading(context.results).replace("\ntime on", "\nfit on")
    text += f"{'constant':24}{'documents':>12}{'measured':>12}{'kernels':>9}{'worst residual':>16}{'spread':>9}\n"
    for constant, fact in facts.items():
        text += (f"{constant:24}{fact['document']:>12}{fact['value']:>12}{fact['kernels']:>9}"
                 f"{fact.get('worst_residual', '-'):>16}{fact.get('spread', '-'):>9}\n")
    text += "\nfunctions, by what ir/op_rows says that they cost: measured / counted, as f32 instructions\n"
    for name, ratio in functions.items():
        text += f"{name:24}{ratio:>12}\n"
    ratios = {}
    for _, kernel, _, t in measured(context):
        if t > 0:
            for word in kernel["schedules"] or ["-"]:
                ratios.setdefault(word, []).append((kernel["predicted_us"] / t, predict(kernel, new) / t))
    text += f"\npredicted by measured, median by kind of kernel: before, after\n"
    middle = lambda values: sorted(values)[len(values) // 2]
    for word, pairs in sorted(ratios.items()):
        before, after = middle([p[0] for p in pairs]), middle([p[1] for p in pairs])
        text += f"{word:24}{before:>12.2f}{after:>12.2f}{len(pairs):>9} kernels\n"
    return text + f"\n{path} has them, with date and device. What it changes in plans: build/plan_changes.\n"
