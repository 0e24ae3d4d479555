"""Models as libraries of a Bazel build, for the CPU: docs/cmake.md, "With Bazel".

    load("@sinter//:share/sinter/sinter.bzl", "sinter_library")

    sinter_library(
        name = "classify",
        src = "classify.hlo",
    )

`#include "classify/classify.h"` is the interface, as for every other build.
"""

# What the meaning of emitted sources needs of a compiler (docs/cmake.md, "Without CMake").
_COPTS = ["-std=c++20", "-DSINTER_CPU", "-ffp-contract=off", "-frounding-math", "-fwrapv", "-Wno-unknown-pragmas"]

def _sources_impl(ctx):
    # Which files there are is known when Sinter has run: they are one folder, and a source that includes them.
    program = ctx.attr.program
    folder = ctx.actions.declare_directory(program)
    unit = ctx.actions.declare_file(program + "_sources.cc")
    arguments = ctx.actions.args()
    arguments.add(ctx.executable._sinter)
    arguments.add(folder.path)
    arguments.add(unit)
    arguments.add(program)
    arguments.add_all(ctx.files.srcs)
    arguments.add_all(ctx.attr.flags)
    ctx.actions.run_shell(
        outputs = [folder, unit],
        inputs = ctx.files.srcs + ctx.files.data,
        tools = [ctx.executable._sinter],
        arguments = [arguments],
        mnemonic = "Sinter",
        progress_message = "Compiling " + program,
        command = """
set -e
sinter=$1 folder=$2 unit=$3 program=$4
shift 4
"$sinter" compile "$@" --name "$program" -o "$folder" --color never
for source in "$folder"/kernels/*.cu "$folder/$program.cu" "$folder"/*.cpp; do
  case $source in
    */main.cpp) ;;
    *) echo "#include \\"$program/${source#"$folder/"}\\"" ;;
  esac
done >"$unit"
""",
    )
    return [
        DefaultInfo(files = depset([folder])),
        OutputGroupInfo(unit = depset([unit])),
    ]

_sinter_sources = rule(
    implementation = _sources_impl,
    attrs = {
        "program": attr.string(mandatory = True),
        "srcs": attr.label_list(allow_files = True, mandatory = True),
        "data": attr.label_list(allow_files = True),
        "flags": attr.string_list(),
        "_sinter": attr.label(
            default = Label("@sinter//:bin/sinter"),
            allow_single_file = True,
            cfg = "exec",
            executable = True,
        ),
    },
)

def sinter_library(name, src, flags = [], data = [], copts = [], **kwargs):
    """A cc_library of a model.

    Args:
      name: the library's, and the program's.
      src: HLO text, or a Grain file.
      flags: of `sinter compile`: ["--no-fma"].
      data: files that flags name.
      copts: added to those that the sources need.
      **kwargs: of cc_library.
    """
    _sinter_sources(
        name = name + "_emitted",
        program = name,
        srcs = [src],
        data = data,
        flags = flags,
    )
    native.filegroup(
        name = name + "_unit",
        srcs = [name + "_emitted"],
        output_group = "unit",
    )
    package = "$(BINDIR)/" + native.package_name()
    native.cc_library(
        name = name,
        srcs = [name + "_unit"],
        hdrs = [name + "_emitted"],
        includes = [name + "/include"],
        copts = _COPTS + ["-I" + package, "-I" + package + "/" + name] + copts,
        **kwargs
    )
