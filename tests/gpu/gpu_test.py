#!/usr/bin/env python3
"""`./dev gpu` over a fake device (fake_programs.cpp): each fault is told as what it is, with its kernel, and the rest runs.

    gpu_test.py SOURCE_DIR WORK_DIR
"""
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

SOURCE, WORK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
BUNDLE = os.path.join(WORK, "bundle")
BESIDE = os.path.join(WORK, "beside")  # the same programs without faults
NAMES = ("good", "wrong", "fails", "crashes", "hangs", "unsteady", "last")


def write_tensors(path, tensors):
    header, data = {}, b""
    for name, values in tensors.items():
        raw = struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "U8", "shape": [len(raw)], "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def kernel(name, **more):
    work = dict.fromkeys(("f32", "f64", "integer", "special", "memory", "tensor", "chain"), 1000)
    return {"name": name, "count": 1, "schedules": ["map"], "blocks": 1, "block": 32, "bytes": 32, "flops": 8,
            "predicted_us": 2.0, "bound": "memory", "work": work, **more}


def make_bundle():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(os.path.join(BUNDLE, "sources"))
    sys.path.insert(0, os.path.join(SOURCE, "bench/gpu"))
    import prepare
    library_command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O1", "-DSINTER_CPU", "-Wno-unknown-pragmas",
                       "-shared", "-fPIC", *prepare.INCLUDES, os.path.join(SOURCE, "tests/gpu/fake_programs.cpp"), "-o"]
    library = subprocess.Popen([*library_command, os.path.join(BUNDLE, "00.so")])
    command = prepare.worker_command(True, os.path.join(BUNDLE, "worker"))
    subprocess.run([word.replace("-O2", "-O1") for word in command], check=True)
    assert library.wait() == 0
    x, y = [1.0, 2.0, 3.0, 4.0], [3.0, 5.0, 7.0, 9.0]
    y[2] = 7.0
    # Inputs of which `wrong` gives another third result than 2 x + 1.
    x[2], y[2] = 5.0, 11.0
    write_tensors(os.path.join(BUNDLE, "00.safetensors"), {f"{name}/{i}": v for name in NAMES for i, v in enumerate((x, y))})
    write_tensors(os.path.join(BUNDLE, "floats.safetensors"), {})
    programs = [{"name": name, "group": "sample", "library": "00", "features": ["map", name], "checks": [[0, 0, 0, 0]],
                 "kernels": [kernel("twice"), kernel("one_more")],
                 "writes": dict.fromkeys(("twice", "one_more"), [["o", 0, "f32", 16, "y"]])} for name in NAMES]
    programs += [dict(program, group="time", predicted_us=4.0, name=program["name"]) for program in programs
                 if program["name"] in ("good", "fails", "last")]
    for program in programs:
        open(os.path.join(BUNDLE, "sources", program["name"] + ".hlo"), "w").close()
    with open(os.path.join(BUNDLE, "programs.json"), "w") as file:
        json.dump({"device": "cpu", "programs": programs}, file)
    shutil.copy(os.path.join(SOURCE, "templates/gpus/h200.json"), os.path.join(BUNDLE, "gpu.json"))
    os.makedirs(os.path.join(BUNDLE, "handwritten"))
    with open(os.path.join(BUNDLE, "handwritten", "index.json"), "w") as file:
        json.dump({}, file)
    shutil.copytree(BUNDLE, BESIDE)
    subprocess.run([*library_command, os.path.join(BESIDE, "00.so"), "-DNO_FAULTS"], check=True)


def command(part, results, *options):
    return [sys.executable, os.path.join(SOURCE, "bench/gpu/gpu.py"), part, "--dry", "--bundle", BUNDLE, "--beside", BESIDE,
            "--results", os.path.join(WORK, results), "--seconds", "2", "--jobs", "1", *options]


def run(part, results, *options, **environment):
    done = subprocess.run(command(part, results, *options), capture_output=True, text=True,
                          env={**os.environ, "SINTER_GPU_SANITIZER": "", **environment})
    return done, read(part, results)


def read(part, results):
    import results as result_files
    lines = result_files.read_lines(os.path.join(WORK, results, part + ".jsonl"))
    return {line["case"]: line for line in lines[1:]}


class Gpu(unittest.TestCase):
    def test_right(self):
        done, cases = run("right", "faults")
        self.assertEqual(done.returncode, 1)
        told = {name: (case["status"], case.get("kernel", "")) for name, case in cases.items()}
        self.assertEqual(told, {"good": ("right", ""), "wrong": ("wrong", "one_more"), "fails": ("failed", "one_more"),
                                "crashes": ("crashed", "one_more"), "hangs": ("hung", "one_more"),
                                "unsteady": ("right", ""), "last": ("right", "")})
        self.assertIn("[2] is 7, expected 11", cases["wrong"]["detail"])
        self.assertEqual(cases["wrong"]["kernels"], ["twice", "one_more"])
        self.assertIn("of y 1 of 4 elements; [2] is 7, there 11", cases["wrong"]["detail"])
        self.assertIn("launch failure", cases["fails"]["detail"])
        self.assertIn("SIGABRT", cases["crashes"]["detail"])
        self.assertIn("Dry run", done.stdout)
        for line in ("HUNG hangs in one_more", "FAILED fails in one_more", "CRASHED crashes in one_more",
                     "WRONG wrong in one_more"):
            self.assertIn(line, done.stdout)

    def test_faults_of_the_environment(self):
        """The same of any program, which is how a dry run of real programs tries it."""
        faults = "wrong:good/twice,fail:last/twice,crash:unsteady/one_more"
        _, cases = run("right", "environment", "--only", "good", "--only", "last", "--only", "unsteady",
                       SINTER_GPU_FAULT=faults)
        told = {name: (case["status"], case.get("kernel", "")) for name, case in cases.items()}
        self.assertEqual(told, {"good": ("wrong", "twice"), "last": ("failed", "twice"), "unsteady": ("crashed", "one_more")})

    def test_wrong_result_alone(self):
        """All steps are as they should be, but what is read back is not."""
        _, cases = run("right", "alone", "--only", "good", SINTER_GPU_FAULT="wrong:good")
        self.assertEqual((cases["good"]["status"], cases["good"].get("kernel")), ("wrong", None))
        self.assertIn("none of 2 launches differs", cases["good"]["detail"])

    def test_narrow(self):
        """Where no CPU build was at hand, the kernel is found later, where there is one."""
        nowhere = ["--beside", os.path.join(WORK, "nowhere")]
        _, cases = run("right", "later", "--only", "wrong", "--only", "good", *nowhere)
        self.assertIn("gpu narrow", cases["wrong"]["detail"])
        self.assertNotIn("kernel", cases["wrong"])
        done = subprocess.run(command("narrow", "later"), capture_output=True, text=True)
        self.assertIn("WRONG wrong in one_more", done.stdout)
        self.assertEqual(read("right", "later")["wrong"]["kernel"], "one_more")

    def test_stopped_half_way(self):
        """What is known is kept, a table is printed, and the next call does what is left."""
        process = subprocess.Popen(command("right", "stopped", "--seconds", "60"), stdout=subprocess.PIPE, text=True)
        path = os.path.join(WORK, "stopped", "right.jsonl")
        end = time.monotonic() + 60
        while time.monotonic() < end and not (os.path.exists(path) and "crashes" in read("right", "stopped")):
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)  # while `hangs` hangs
        text = process.communicate()[0]
        self.assertIn("Stopped: interrupted", text)
        kept = read("right", "stopped")
        self.assertIn("good", kept)
        self.assertNotIn("last", kept)
        with open(path, "a") as file:
            file.write('{"case": "las')  # as a machine that went away leaves it
        done, cases = run("right", "stopped")
        self.assertEqual(set(cases), set(NAMES))
        self.assertNotIn("Stopped", done.stdout)

    def test_no_time(self):
        done, _ = run("right", "no_time", "--minutes", "0")
        self.assertIn("the time given is over", done.stdout)

    def test_stress(self):
        _, cases = run("stress", "stress", "--only", "good", "--only", "unsteady", "--only", "last")
        self.assertEqual({name: case["status"] for name, case in cases.items()},
                         {"good": "right", "unsteady": "wrong", "last": "right"})
        self.assertIn("in run", cases["unsteady"]["detail"])

    def test_sanitize(self):
        done, cases = run("sanitize", "missing", "--only", "good")
        if not shutil.which("compute-sanitizer"):
            self.assertEqual({case["status"] for case in cases.values()}, {"missing"})
            self.assertEqual(done.returncode, 0)
        fake = os.path.join(SOURCE, "tests/gpu/fake_sanitizer.py")
        done, cases = run("sanitize", "sanitize", "--only", "good", "--only", "wrong", "--only", "fails",
                          SINTER_GPU_SANITIZER=fake)
        self.assertEqual(cases["memcheck:good"]["status"], "right")
        self.assertEqual(cases["memcheck:wrong"]["status"], "reported")
        self.assertIn("Invalid __global__ read", cases["memcheck:wrong"]["detail"])
        self.assertEqual(cases["racecheck:fails"]["status"], "failed")
        self.assertEqual(len(cases), 12)

    def test_time_and_fit(self):
        empty = os.path.join(WORK, "no_modules")
        os.makedirs(empty, exist_ok=True)
        # A Python without JAX and torch, whatever this machine has.
        for module in ("jax", "torch"):
            with open(os.path.join(empty, module + ".py"), "w") as file:
                file.write(f"raise ModuleNotFoundError(\"No module named '{module}'\")\n")
        done, cases = run("time", "time", PYTHONPATH=empty)
        self.assertEqual(cases["good"]["status"], "timed")
        self.assertEqual(cases["fails"]["status"], "failed")
        self.assertEqual(cases["last"]["status"], "timed")
        for rival, module in (("xla", "jax"), ("unrolled", "jax"), ("torch", "torch")):
            self.assertEqual(cases["rival:" + rival]["status"], "missing")
            self.assertIn(f"No module named '{module}'", done.stdout)
        self.assertEqual(json.loads(cases["good"]["detail"])["nan"], 0)
        import timing
        self.assertEqual(timing.not_numbers({"detail": '{"nan": 4}'}), "  4 results are NaN")
        self.assertIn("good: one_more", done.stdout)
        self.assertIn("copy_1", done.stdout)

    def test_rival_stopped(self):
        """One that takes too long has times already: the next call goes on with what is left."""
        python = os.path.join(WORK, "slow_python")
        with open(python, "w") as file:
            file.write("#!/bin/sh\ncase \"$*\" in\n  *time_xla*--skip\ good*) echo last 3.5;;\n"
                       "  *time_xla*) echo good 2.5; exec sleep 60;;\n  *) echo No module named x >&2; exit 1;;\nesac\n")
        os.chmod(python, 0o755)
        done, cases = run("time", "slow", "--only", "good", "--only", "last", PYTHON=python)
        self.assertIn("Stopped: xla did not finish", done.stdout)
        self.assertEqual(json.loads(cases["xla:good"]["detail"])["run_us"]["median"], 2.5)
        self.assertNotIn("rival:xla", cases)
        done, cases = run("time", "slow", "--only", "good", "--only", "last", PYTHON=python)
        self.assertNotIn("Stopped", done.stdout)
        self.assertEqual(cases["rival:xla"]["status"], "timed")
        self.assertEqual(json.loads(cases["xla:last"]["detail"])["run_us"]["median"], 3.5)

    def test_micro_kernels(self):
        """What a loop takes of each of its steps is little beside the operations that are counted."""
        from texts import micro
        for short, total, in_step in ((False, 2048, 64), (True, 32, 8)):
            texts = micro.modules(short)
            for name, operation in (("f32", "add(m"), ("f64", "add(m"), ("integer", "add(m"), ("special", "rsqrt("),
                                    ("latency", "add(m")):
                text = texts[f"{name}_{total}"]
                self.assertEqual(text.count(operation), in_step)
                self.assertIn(f"n = s32[] constant({total // in_step})", text)

    def test_least_squares(self):
        import fit
        launch, per_unit = fit.least_squares([(w, 2.5 + w / 3000) for w in (1000, 30000, 90000)])
        self.assertAlmostEqual(launch, 2.5, 3)
        self.assertAlmostEqual(1 / per_unit, 3000, 0)


if __name__ == "__main__":
    make_bundle()
    unittest.main(argv=sys.argv[:1], verbosity=2)
