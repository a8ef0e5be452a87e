#!/usr/bin/env python3
"""bench/gpu/develop.py against a program in the place of gxr, which writes as many files as it is asked for."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "bench" / "gpu" / "develop.py"
GXR = """#!{python}
import json, sys
options = dict(each.split("=", 1) for each in sys.argv if "=" in each)
way = next((sys.argv[i + 1] for i, each in enumerate(sys.argv) if each == "--executor"))
if way == "{fails}":
    sys.exit("no such way")
for path in (options["writer/path"], options["chart/path"]):
    for number in range(int(options["source/count"]) - (way == "{forgets}")):
        with open(path % number, "w") as file:
            file.write("changed" if way == "{changes}" else options["source/width"])
print(json.dumps(dict(duration_ns=(7 + int(options["source/count"])) * int(options["source/width"]) * 10000)))
"""


class DevelopTest(unittest.TestCase):
    def run_script(self, **mistake):
        with tempfile.TemporaryDirectory() as folder:
            gxr = pathlib.Path(folder) / "gxr"
            gxr.write_text(GXR.format(**({"python": sys.executable, "fails": "", "forgets": "", "changes": ""} | mistake)),
                           encoding="utf-8")
            gxr.chmod(0o755)
            return subprocess.run([sys.executable, str(SCRIPT), "--gxr", str(gxr), "--pictures", "3", "--rounds", "2"],
                                  text=True, capture_output=True, check=False)

    def test_table(self):
        done = self.run_script()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^\| \d+ processors, files in [^|]+ \| 1920 x 1080 \| 3840 x 2160 \|$")
        self.assertEqual(lines[2:], [f"| {way} | 19.20 ms (134 ms) | 38.40 ms (269 ms) |" for way in (
            "CPU threads", "streams", "graph, launched by the host", "graph, looping on the GPU", "streams, source on the CPU",
            "graph, launched by the host, source on the CPU", "graph, looping on the GPU, source on the CPU")])

    def test_a_way_that_fails(self):
        done = self.run_script(fails="graph")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no such way", done.stderr)
        self.assertIn("| graph, launched by the host | failed | failed |\n", done.stdout)
        self.assertIn("| graph, looping on the GPU | 19.20 ms", done.stdout)  # others go on

    def test_a_picture_is_missing(self):
        done = self.run_script(forgets="resident")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: 38 files, not 40\n", done.stderr)

    def test_other_pictures(self):
        done = self.run_script(changes="greedy")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: the pictures of 1920 x 1080 differ\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
