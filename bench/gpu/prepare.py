"""Everything that the parts need, built where the compiler is: a bundle that a machine without it can run."""
import os
import json
import shutil
import subprocess
import tarfile

import micro

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def worker_command(cpu, target):
    """The worker, with the C++ runtime in it: what it runs on may have an older one."""
    source = os.path.join(ROOT, "bench/gpu/worker.cpp")
    includes = ["-I" + ROOT, "-I" + os.path.join(ROOT, "runtime"), "-I" + os.path.join(ROOT, "templates")]
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O2", *includes, "-o", target, source, "-ldl", "-pthread"]
    if cpu:
        return [*command, "-DSINTER_CPU", "-Wno-unknown-pragmas"]
    cuda = cuda_home()
    return [*command, "-I" + os.path.join(cuda, "include"), "-L" + os.path.join(cuda, "lib64"), "-lcudart",
            "-static-libstdc++", "-static-libgcc"]


def cuda_home():
    nvcc = os.environ.get("CUDACXX") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))


def prepare(options):
    build, bundle = options.build, options.bundle
    sources = os.path.join(build, "gpu", "micro")
    shutil.rmtree(sources, ignore_errors=True)
    micro.write(sources, options.short)
    command = [os.path.join(build, "make_bundle"), bundle, "--samples", os.path.join(ROOT, "samples"),
               "--ops", os.path.join(ROOT, "tests/ops"), "--micro", sources, "--gpu", options.gpu]
    environment = dict(os.environ)
    if options.short:
        command += ["--every", "150", "--modules", "20", "--loops", "6"]
        timed = os.path.join(build, "gpu", "timed")
        os.makedirs(timed, exist_ok=True)
        for name in ("softmax", "layernorm"):
            shutil.copy(os.path.join(ROOT, "samples", name, name + ".hlo"), timed)
        command += ["--timed", timed]
    else:
        command += ["--conformance", "--modules", "2000", "--loops", "300"]
        shared = os.path.join(os.environ.get("SINTER_SHARED_DIR", ""), "large")
        for folder in ("bench/programs", "bench/slow", "bench/odd_sizes", shared):
            if os.path.isdir(os.path.join(ROOT, folder)):
                command += ["--timed", os.path.join(ROOT, folder)]
    if options.dry:
        command.append("--cpu")
    else:
        command += ["--arch", options.arch]
        # One CUDA runtime for the worker and all libraries; small libraries.
        environment["NVCC_APPEND_FLAGS"] = "-cudart shared -Xfatbin -compress-all -Xlinker -s"
        environment["PATH"] += ":" + os.path.join(cuda_home(), "bin")
    environment["XDG_CACHE_HOME"] = os.path.abspath(os.path.join(build, "gpu", "cache"))
    subprocess.run(command, env=environment, check=True)
    if not options.dry:
        runtime = os.path.realpath(os.path.join(cuda_home(), "lib64", "libcudart.so"))
        shutil.copy(runtime, os.path.join(bundle, "libcudart.so." + runtime.split(".so.")[1].split(".")[0]))
    subprocess.run(worker_command(options.dry, os.path.join(bundle, "worker")), check=True)
    keep_sources(bundle)
    shutil.copy(os.path.join(ROOT, "templates/gpus", options.gpu + ".json"), os.path.join(bundle, "gpu.json"))
    size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(bundle) for name in names)
    print(f"{bundle}: {size / 2**20:.1f} MiB", flush=True)
    if not options.dry:
        pack(bundle)


def packed(bundle):
    return bundle + ".tar.xz"


def pack(bundle):
    """One file to carry: a third of the size."""
    with tarfile.open(packed(bundle), "w:xz", preset=6) as archive:
        archive.add(bundle, arcname=".")
    print(f"{packed(bundle)}: {os.path.getsize(packed(bundle)) / 2**20:.1f} MiB")


def unpack(bundle):
    """Where it is packed only."""
    if os.path.isdir(bundle) or not os.path.exists(packed(bundle)):
        return
    with tarfile.open(packed(bundle)) as archive:
        archive.extractall(bundle + ".part")
    os.replace(bundle + ".part", bundle)


def keep_sources(bundle):
    """Texts of the programs that are timed, for others to compile."""
    os.makedirs(os.path.join(bundle, "sources"), exist_ok=True)
    with open(os.path.join(bundle, "programs.json")) as file:
        programs = json.load(file)["programs"]
    for program in programs:
        if program["group"] == "time":
            shutil.copy(program["source"], os.path.join(bundle, "sources", program["name"] + ".hlo"))
