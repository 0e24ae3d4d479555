"""Parts of emitted kernels that are left out in turn: in the CPU build, in shuffled orders, some run must end otherwise."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

SEEDS = [str(seed) for seed in range(1, 9)]
# A run may not end where blocks disagree about the end of a loop.
SECONDS = 180


def is_right(sinter, folder, seed, settings):
    environment = dict(os.environ, SINTER_CPU_ORDER=seed, **settings)
    command = [sinter, "verify", str(folder), "--random", "3", "--rtol", "1e-4", "--atol", "1e-4"]
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(command, env=environment, stdout=nothing, stderr=nothing, start_new_session=True)
    try:
        return process.wait(timeout=SECONDS) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # what it runs, too
        process.wait()
        return False


def check(sinter, programs, mark, parts_of, options=(), seeds=None, **settings):
    """Ends with status 0 if each is missed. `mark`: what kernels have that are tried. `parts_of`: of a kernel's text,
    what each part is called, and the text without it."""
    seeds = seeds or SEEDS
    unseen = count = 0
    for program in programs:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "out"
            command = [sinter, "compile", program, "-o", str(folder), *options]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            kernels = [path for path in sorted(folder.glob("kernels/*.cu")) if mark in path.read_text()]
            if not kernels or not all(is_right(sinter, folder, seed, settings) for seed in seeds[:2]):
                sys.exit(f"{program}: no kernel with {mark}, or wrong as it is")
            for kernel in kernels:
                text = kernel.read_text()
                for part, without in parts_of(text):
                    kernel.write_text(without)
                    count += 1
                    if all(is_right(sinter, folder, seed, settings) for seed in seeds):
                        unseen += 1
                        print(f"{program}: nothing shows that {part} of {kernel.name} is missing")
                kernel.write_text(text)
    print(f"{count} parts left out, {count - unseen} of them seen")
    sys.exit(unseen > 0 or count == 0)
