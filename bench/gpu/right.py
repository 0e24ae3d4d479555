"""Are results right?"""


def right(context):
    programs = context.programs("sample", "op", "conformance", "module", "loop", "contraction", "attention", "chain")
    context.run("right", programs, seconds=30, jobs=context.options.jobs)
    return context.table([(p["name"], p["group"]) for p in programs])
