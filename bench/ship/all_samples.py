#!/usr/bin/env python3
"""All samples as libraries of one CMake project: how long it builds, what it does again after a change, how large it is.

    all_samples.py SINTER_BUILD WORK [--device cuda|cpu] [--architectures 80-real 90a-real] [--samples NAME ...] [-j N]

SINTER_BUILD is a build folder of Sinter, which is installed into WORK; samples are those of samples/, and those of
$SINTER_SHARED_DIR/samples that have other names. Then, in the same project: a build in which nothing changed; one after
another constant in one model; one after a comment in it. If there is a cuobjdump, it says which libraries have PTX,
which a driver would compile when the program starts. With nvcc for two architectures on two cores it takes about half
an hour.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHANGED = "cartpole_soa"  # the model that is changed
PROJECT = """cmake_minimum_required(VERSION 3.24)
project(all_samples LANGUAGES {languages})
find_package(Sinter REQUIRED)
{libraries}
"""


def find_samples(wanted):
    folders = [ROOT / "samples"]
    if os.environ.get("SINTER_SHARED_DIR"):
        folders.append(pathlib.Path(os.environ["SINTER_SHARED_DIR"]) / "samples")
    samples = {}
    for folder in folders:
        for path in sorted(folder.glob("*/*.hlo")):
            if path.stem == path.parent.name and (not wanted or path.stem in wanted):
                samples.setdefault(path.stem, path)
    return samples


def timed(what, command):
    begin = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"{what}:\n{done.stdout[-4000:]}")
    compiled = len(re.findall(r"^\[\d+/\d+\] Building", done.stdout, re.M))
    print(f"| {what} | {seconds:.1f} | {compiled} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinter_build")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--architectures", nargs="+", default=["80-real", "90a-real"])
    parser.add_argument("--samples", nargs="*")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    options = parser.parse_args()
    samples = find_samples(options.samples)
    work = options.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    subprocess.run(["cmake", "--install", options.sinter_build, "--prefix", work / "sinter"], check=True,
                   stdout=subprocess.DEVNULL)
    libraries = []
    for name, path in samples.items():
        shutil.copy(path, work / f"{name}.hlo")
        libraries.append(f"sinter_add_library({name} {name}.hlo)")
    (work / "CMakeLists.txt").write_text(PROJECT.format(
        languages="C CXX CUDA" if options.device == "cuda" else "C CXX", libraries="\n".join(libraries)))

    print(f"{len(samples)} samples for {options.device}"
          + (f" {' '.join(options.architectures)}" if options.device == "cuda" else "") + f", {options.j} jobs\n")
    print("| | seconds | objects |\n|---|---|---|")
    build = work / "build"
    timed("configuring: Sinter compiles each text",
          ["cmake", "-S", work, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={work / 'sinter'}",
           "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CUDA_ARCHITECTURES={';'.join(options.architectures)}"])
    again = ["cmake", "--build", build, "-j", str(options.j)]
    timed("the first build", again)
    timed("nothing changed", again)
    if CHANGED in samples:
        text = work / f"{CHANGED}.hlo"
        content = text.read_text().replace("constant(9.8)", "constant(9.81)", 1)
        assert content != text.read_text()
        text.write_text(content)
        timed("another constant in one model", again)
        text.write_text(content + "\n// a comment\n")
        timed("a comment more in it", again)

    archives = {path.stem[3:]: path for path in build.rglob("lib*.a")}
    sizes = {name: path.stat().st_size for name, path in archives.items()}
    largest = sorted(sizes, key=sizes.get, reverse=True)[:5]
    print(f"\n{len(sizes)} libraries, {sum(sizes.values()) / 1e6:.1f} MB; the largest: "
          + ", ".join(f"{name} {sizes[name] / 1e6:.2f}" for name in largest)
          + f"; the median {sorted(sizes.values())[len(sizes) // 2] / 1e3:.0f} kB")
    cuobjdump = shutil.which("cuobjdump")
    if options.device == "cuda" and cuobjdump:
        with_ptx, code = [], set()
        for name, path in sorted(archives.items()):
            listed = subprocess.run([cuobjdump, "--list-elf", "--list-ptx", path], capture_output=True, text=True).stdout
            code |= set(re.findall(r"\.(sm_\w+)\.cubin", listed))
            if ".ptx" in listed:
                with_ptx.append(name)
        print(f"code for {', '.join(sorted(code))}; PTX in {', '.join(with_ptx) or 'none'}")


if __name__ == "__main__":
    main()
