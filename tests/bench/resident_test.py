#!/usr/bin/env python3
"""bench/gpu/resident.py against programs that print what the real ones would: the table, and what mistakes become."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parent.parent / "bench" / "gpu" / "resident.py"


class ResidentTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for program in ("gxr", "gpures_bench", "bridge_bench", "inputs_bench", "host_driven_bench"):
            # Each has the name that it is called by; all find the recorded lines beside the one file.
            lines = [f"#!{sys.executable}", "import sys", f"sys.path.insert(0, {str(HERE)!r})",
                     "sys.dont_write_bytecode = True", "import fake_program", "sys.exit(fake_program.main())", ""]
            (self.folder / program).write_text("\n".join(lines), encoding="utf-8")
            (self.folder / program).chmod(0o755)

    def run_script(self, mistake="", **programs):
        paths = {"gxr": "gxr", "gpures": "gpures_bench", "bridge": "bridge_bench",
                 "inputs": "inputs_bench", "host-driven": "host_driven_bench"} | programs
        options = [word for name, file in paths.items() for word in ("--" + name, str(self.folder / file))]
        command = [sys.executable, str(SCRIPT), *options, "--extensions", "here", "--rounds", "2", "--keep", str(self.folder / "keep")]
        environment = os.environ | {"FAKE_MISTAKE": mistake}
        return subprocess.run(command, text=True, capture_output=True, check=False, env=environment)

    def rows(self, output):
        lines = [[cell.strip() for cell in line.split("|")] for line in output.splitlines()]
        return {cells[1]: cells[2:6] for cells in lines if len(cells) == 7}

    def test_table(self):
        done = self.run_script()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        expected = HERE / "resident.md"
        if "ACCEPT" in os.environ:
            expected.write_text(done.stdout, encoding="utf-8")
        self.assertEqual(done.stdout, expected.read_text(encoding="utf-8"))

    def test_keeps_applications_and_outputs(self):
        self.run_script()
        kept = {path.name for path in (self.folder / "keep").iterdir()}
        self.assertLessEqual({"chain-64-auto.yaml", "chain-64-control_at_end.out", "unroll.yaml", "fork-true.yaml", "ping-1-0.json",
                              "gpures_bench.out", "while_ht-4-1.out", "single-4096-1.yaml", "bridge_bench-4096-1.out"}, kept)

    def test_wrong_sum(self):
        done = self.run_script("wrong sum")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: chain-4-auto ended with 1: element 0: last 3, sum 5\n", done.stderr)
        rows = self.rows(done.stdout)
        self.assertEqual(rows["period, 4 kernels"], ["7.33 us", "failed", "-", "1.05"])
        self.assertEqual(rows["period, 1 kernel"][1], "5.50 us")  # others go on

    def test_lost_iteration(self):
        done = self.run_script("lost")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: chain-1-auto: 19999 iterations, not 20000\n", done.stderr)

    def test_report_without_graphs(self):
        done = self.run_script("no graphs")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: chain-1-auto: the report has no graph 'region'\n", done.stderr)

    def test_loops_by_hand_cut_short(self):
        """What they had measured counts; the half line does not."""
        done = self.run_script("killed")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: gpures_bench ended with 1: out of time\n", done.stderr)
        self.assertEqual(self.rows(done.stdout)["period, 1 kernel"][0], "5.97 us")

    def test_missing_program(self):
        done = self.run_script(bridge="nowhere")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: bridge_bench-4096-0: ", done.stderr)
        self.assertEqual(self.rows(done.stdout)["bridge of 4 KiB, ring kept full"][0], "failed")


if __name__ == "__main__":
    unittest.main()
