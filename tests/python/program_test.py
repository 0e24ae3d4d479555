"""The program's calls: options, diagnostics, the command line."""

import os
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

import sinter
from built import TEXT
from sinter.program import find_program, flags


class Program(unittest.TestCase):
    def test_options_are_flags(self):
        options = dict(name="policy", arch=["80", "90a"], no_fma=True, verify=False, plan=None, unroll=4,
                       sources=pathlib.Path("src"))
        self.assertEqual(flags(options),
                         ["--name=policy", "--arch=80,90a", "--no-fma", "--unroll=4", "--sources=src"])
        self.assertEqual(flags({"dims": {"n": 64, "m": 3}}), ["--dims=n=64,m=3"])
        self.assertEqual(flags({"dims": [{"n": 1}, {"n": 8}], "entry": ["blur", "box"]}),
                         ["--dims=n=1", "--dims=n=8", "--entry=blur", "--entry=box"])

    def test_errors_are_the_diagnostics(self):
        pathlib.Path("wrong.hlo").write_text("ENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[3] negate(x)\n}\n")
        with self.assertRaisesRegex(sinter.Error, r"^wrong\.hlo:3:\d+: error\[E0204\]: .*\n.*ROOT y = f32\[3\]"):
            sinter.compile("wrong.hlo", "wrong")
        with self.assertRaisesRegex(sinter.Error, "has no option --arhc; did you mean --arch"):
            sinter.compile(TEXT, "scores", arhc="80")

    def test_compile_gives_the_folder(self):
        folder = sinter.compile(TEXT, pathlib.Path("points"), name="points", no_verify=True)
        self.assertEqual(folder, pathlib.Path("points"))
        self.assertTrue((folder / "include" / "points" / "points.h").exists())

    def test_a_folder_that_somebody_changed(self):
        sinter.compile(TEXT, "changed", no_verify=True)
        pathlib.Path("changed/manifest.json").write_text("{}")
        with self.assertRaisesRegex(sinter.Error, "changed/manifest.json is not as sinter wrote it"):
            sinter.build("changed")

    def test_explain_of_a_file(self):
        plan = sinter.explain(TEXT, gpu="h100")
        self.assertIn("launches per run", plan)
        self.assertIn("on h100", plan)
        self.assertEqual(repr(plan), plan)
        self.assertTrue(plan._repr_html_().startswith("<pre>program scores {"))
        self.assertNotIn("< 0.1 us", plan._repr_html_())
        with self.assertRaisesRegex(TypeError, "the shapes of .*scores.hlo are in its text"):
            sinter.explain(TEXT, 1)

    def test_module_is_the_command_line(self):
        def call(*arguments):
            return subprocess.run([*arguments], capture_output=True, text=True)

        ours, theirs = call(sys.executable, "-m", "sinter", "help", "E0130"), call(find_program(), "help", "E0130")
        self.assertEqual((ours.returncode, ours.stdout), (0, theirs.stdout))
        self.assertEqual(call(sys.executable, "-m", "sinter", "compile").returncode, 2)

    def test_docs_show_the_ten_lines(self):
        here = pathlib.Path(__file__).parent
        program = (here / "ten_lines.py").read_text().split('"""\n', 1)[1]
        self.assertIn(f"```python\n{program}```\n", (here.parent.parent / "docs" / "python.md").read_text())

    def test_no_program(self):
        with mock.patch.dict(os.environ, {"SINTER_PROGRAM": "", "PATH": ""}):
            with self.assertRaisesRegex(sinter.Error, "no sinter in this package, on the PATH, or in SINTER_PROGRAM"):
                find_program()
        with mock.patch.dict(os.environ, {"SINTER_PROGRAM": "nowhere/sinter"}):
            with self.assertRaisesRegex(sinter.Error, "SINTER_PROGRAM=nowhere/sinter is no program"):
                find_program()


if __name__ == "__main__":
    unittest.main()
