"""Are results the same in every run, on several streams, in a graph, and under load?"""
from context import covering


def stress(context):
    samples = context.programs("sample")
    programs = samples + covering(context.programs("op", "module", "loop", "contraction", "attention", "chain"))
    repeat = context.options.repeat or (3 if context.options.dry else 1000)
    context.run("stress", programs, seconds=60, options=("--repeat", str(repeat)), jobs=min(2, context.options.jobs))
    return context.table([(p["name"], p["group"]) for p in programs])
