"""Everything that the parts need, built where the compiler is: a bundle that a machine without it can run."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

from texts import contractions, micro, tiles

# Random programs of each kind.
RANDOM = {"modules": 2000, "mixed": 400, "rows": 400, "loops": 300, "contractions": 800}

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


INCLUDES = ["-I" + os.path.join(ROOT, folder) for folder in ("", "runtime", "templates")]


def worker_command(cpu, target):
    """The worker, with the C++ runtime in it: what it runs on may have an older one."""
    source = os.path.join(ROOT, "bench/gpu/worker.cpp")
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O2", *INCLUDES, "-o", target, source, "-ldl", "-pthread"]
    if cpu:
        return [*command, "-DSINTER_CPU", "-Wno-unknown-pragmas"]
    cuda = cuda_home()
    return [*command, "-I" + os.path.join(cuda, "include"), "-L" + os.path.join(cuda, "lib64"), "-lcudart",
            "-static-libstdc++", "-static-libgcc"]


def handwritten_command(cpu, arch, source, target):
    if cpu:
        return [os.environ.get("CXX", "c++"), "-std=c++20", "-O2", "-DSINTER_CPU", "-Wno-unknown-pragmas", "-x", "c++",
                *INCLUDES, "-I" + os.path.dirname(source), "-o", target, source, "-pthread"]
    command = [os.path.join(cuda_home(), "bin", "nvcc"), "-std=c++20", "-O3", "-gencode",
               f"arch=compute_{arch},code=sm_{arch}", *INCLUDES, "-I" + os.path.dirname(source), "-o", target, source]
    if os.path.exists(os.path.join(cuda_home(), "include", "cublasLt.h")):
        command += ["-DSINTER_CUBLASLT", "-lcublasLt"]
    return command


def build_handwritten(options, environment):
    """Each .cu whose first line says what it is for, `// times GLOB, GLOB: ...`. One that does not build is left out."""
    folder = os.path.join(options.bundle, "handwritten")
    os.makedirs(folder, exist_ok=True)
    index = {}
    for place in (os.path.join(ROOT, "bench/handwritten"), *options.handwritten):
        for source in sorted(glob.glob(os.path.join(os.path.abspath(place), "*.cu"))):
            with open(source) as file:
                first = re.match(r"// times ([^:]*):", file.readline())
            name = os.path.basename(source).removesuffix(".cu")
            if first is None:
                print(f"{source} is left out: its first line does not say what it times", file=sys.stderr)
                continue
            command = handwritten_command(options.dry, options.arch, source, os.path.join(folder, name))
            if subprocess.run(command, env=environment).returncode == 0:
                index[name] = [words.strip() for words in first[1].split(",")]
            else:
                print(f"{source} is left out: it does not build", file=sys.stderr)
    with open(os.path.join(folder, "index.json"), "w") as file:
        json.dump(index, file)


def cuda_home():
    nvcc = os.environ.get("CUDACXX") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))


def fresh(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def write_odd_sizes(folder):
    """The programs of bench/odd_sizes at their round sizes."""
    sys.path.insert(0, os.path.join(ROOT, "bench"))
    import odd_sizes
    for path in glob.glob(os.path.join(ROOT, "bench/odd_sizes/*.hlo")):
        with open(path) as file:
            first, text = file.read().split("\n", 1)
        sizes = odd_sizes.sizes_of(first.split(";")[0])
        with open(os.path.join(folder, os.path.basename(path)), "w") as file:
            file.write(odd_sizes.at_sizes(text, sizes))


def write_large_samples(folder):
    """The samples at benchmark size: where JAX is here, of their models; else those of the shared folder, or none."""
    script = os.path.join(ROOT, "bench/gpu/rivals/sample_models.py")
    done = subprocess.run([os.environ.get("PYTHON", sys.executable), script, folder], capture_output=True, text=True)
    shared = os.path.join(os.environ.get("SINTER_SHARED_DIR", ""), "large")
    if done.returncode != 0 and os.path.isdir(shared):
        for path in glob.glob(os.path.join(shared, "*", "*.hlo")):
            shutil.copy(path, folder)
    elif done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["?"])[-1]
        print(f"no samples at benchmark size: {why}", file=sys.stderr)


# Samples with products of f32, which XLA multiplies in TF32 where nobody says otherwise.
TF32 = ("gpt2", "gpt2_block", "vit_block", "resnet18", "inverted_residual", "convnet_train_step", "lstm", "llama_decode",
        "mlp_mnist", "mlp_train_step")


def write_tf32(large, folder):
    for name in TF32:
        if os.path.exists(os.path.join(large, name + ".hlo")):
            shutil.copy(os.path.join(large, name + ".hlo"), folder)
    return folder


# Programs that made-up numbers have run without an end, and why.
ENDLESS = {"slow/sandpile": "topples until each of 1,048,576 places has less than four grains, of which made-up ones have more"}


def with_an_end(folder, made):
    """A copy of the folder without these."""
    target = fresh(os.path.join(made, os.path.basename(folder)))
    for path in glob.glob(os.path.join(folder, "*")):
        program = os.path.basename(folder) + "/" + os.path.basename(path).removesuffix(".hlo")
        if program in ENDLESS:
            print(f"{program} is not timed: it {ENDLESS[program]}", file=sys.stderr)
        elif os.path.isfile(path):
            shutil.copy(path, target)
    return target


def timed_folders(options):
    """Folders of programs to time; a program's name begins with its folder's."""
    made = os.path.join(options.build, "gpu", "timed")
    if options.short:
        folder = fresh(os.path.join(made, "short"))
        for name in ("softmax", "layernorm", "resnet18", "ppo_update"):
            shutil.copy(os.path.join(ROOT, "samples", name, name + ".hlo"), folder)
        return [folder]
    if options.tiles:
        folder = fresh(os.path.join(made, "tiles"))
        tiles.write(folder)
        return [folder]
    odd, large, products = (fresh(os.path.join(made, name)) for name in ("odd_sizes", "large", "contractions"))
    write_odd_sizes(odd)
    write_large_samples(large)
    contractions.write(products)
    return [os.path.join(ROOT, "bench/programs"), with_an_end(os.path.join(ROOT, "bench/slow"), made), odd, large, products,
            write_tf32(large, fresh(os.path.join(made, "large_tf32")))]


def random_programs(options):
    """Of each kind, op tests and cases: how many."""
    if options.short:
        return ["--every", "150", "--modules", "20", "--loops", "6", "--contractions", "6"]
    words = ["--conformance", "--attention", "--chains", "--every", str(options.every)]
    for kind, count in RANDOM.items():
        words += ["--" + kind, str(count // options.every)]
    return words


def prepare(options):
    build, bundle = options.build, options.bundle
    sources = fresh(os.path.join(build, "gpu", "micro"))
    micro.write(sources, options.short)
    command = [os.path.join(build, "make_bundle"), bundle, "--gpu", options.gpu]
    environment = dict(os.environ)
    if options.tiles:
        # Whether the forms are right, too: what templates/verified.json records.
        command += ["--contractions", "40", "--chains"]
        for form in ("wgmma 3xtf32", "wgmma tf32", "wgmma int8"):
            command += ["--form", form]
    else:
        command += ["--samples", os.path.join(ROOT, "samples"), "--ops", os.path.join(ROOT, "tests/ops"), "--micro", sources]
        command += random_programs(options)
    for folder in timed_folders(options):
        command += ["--timed", folder]
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
    build_handwritten(options, environment)
    keep_sources(bundle)
    shutil.copy(os.path.join(ROOT, "templates/gpus", options.gpu + ".json"), os.path.join(bundle, "gpu.json"))
    size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(bundle) for name in names)
    print(f"{bundle}: {size / 2**20:.1f} MiB", flush=True)
    if not options.short:
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
    """Texts of the programs that are timed, for others (sources.py)."""
    os.makedirs(os.path.join(bundle, "sources"), exist_ok=True)
    with open(os.path.join(bundle, "programs.json")) as file:
        programs = json.load(file)["programs"]
    for program in programs:
        if program["group"] in ("time", "micro"):
            shutil.copy(program["source"], os.path.join(bundle, "sources", program["name"] + ".hlo"))
