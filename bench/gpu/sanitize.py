"""What compute-sanitizer says of few programs that have every kind of stage and every device helper."""
import os
import shutil

from context import covering

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")


def reports(status, detail, said):
    """What a sanitizer says of a program, between its own lines."""
    lines = [line.lstrip("= ").strip() for line in said if line.startswith("=========")]
    lines = [line for line in lines if line and "SUMMARY" not in line and "COMPUTE-SANITIZER" not in line]
    return ("reported", "; ".join(lines[:4])) if lines else (status, detail)


def sanitize(context):
    programs = covering(context.programs("sample", "op", "module", "loop", "contraction", "attention", "chain"))
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
