#!/usr/bin/env python3
"""Tests cmake/abi_fingerprint.py on two headers."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "cmake/abi_fingerprint.py"
sys.path.insert(0, str(SCRIPT.parent))
import abi_fingerprint  # noqa: E402

CODELET = """#pragma once
#include <string>
/// Does work.
class Codelet {
 public:
  virtual void tick() = 0;  // in each turn
};
"""


class Headers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "gxr").mkdir()
        self.write("clock.hpp", "#pragma once\nclass Clock;\n")
        self.write("codelet.hpp", CODELET)
        self.before = abi_fingerprint.fingerprint(self.root)

    def write(self, name, code):
        (self.root / "gxr" / name).write_text(code, encoding="utf-8")

    def is_same(self):
        return abi_fingerprint.fingerprint(self.root) == self.before

    def test_shape(self):
        self.assertRegex(self.before, "^[0-9a-f]{16}$")

    def test_comments_and_layout_do_not_count(self):
        self.write("codelet.hpp", "#pragma once\n#include <string>\n\nclass Codelet {\n public:\n"
                   "  /* new text */ virtual void\n      tick() = 0;\n};\n")
        self.assertTrue(self.is_same())

    def test_code_counts(self):
        self.write("codelet.hpp", CODELET.replace("  virtual", "  virtual void start();\n  virtual"))
        self.assertFalse(self.is_same())

    def test_new_and_renamed_headers(self):
        self.write("empty.hpp", "")
        self.assertFalse(self.is_same())
        (self.root / "gxr/empty.hpp").unlink()
        self.assertTrue(self.is_same())
        (self.root / "gxr/codelet.hpp").rename(self.root / "gxr/work.hpp")
        self.assertFalse(self.is_same())

    def test_the_generated_header_does_not_count(self):
        self.write("version.hpp", "class Version;\n")
        self.assertTrue(self.is_same())

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True)

    def test_header_is_written_only_when_it_changes(self):
        header = self.root / "gxr/version.hpp"
        arguments = (self.root, "--header", header, "--version", "1.20.3")
        self.assertEqual(self.run_script(*arguments).returncode, 0)
        text = header.read_text(encoding="utf-8")
        self.assertIn(f'kSdkFingerprint = "{self.before}"', text)
        self.assertIn("kSdkVersionMinor = 20;", text)
        time = header.stat().st_mtime_ns
        self.write("codelet.hpp", CODELET.replace("Does work", "Works"))
        self.run_script(*arguments)
        self.assertEqual(header.stat().st_mtime_ns, time)
        self.write("codelet.hpp", CODELET.replace("tick", "work"))
        self.run_script(*arguments)
        self.assertNotEqual(header.read_text(encoding="utf-8"), text)

    def test_further_folders(self):
        with tempfile.TemporaryDirectory() as name:
            engine = pathlib.Path(name)
            (engine / "loop.hpp").write_text("class Loop;\n", encoding="utf-8")
            both = abi_fingerprint.fingerprint(self.root, engine)
            self.assertNotEqual(both, self.before)
            header = self.root / "interface_version.txt"
            self.assertEqual(self.run_script(self.root, engine, "--device-header", header).returncode, 0)
            self.assertIn(f'kDeviceInterface = "{both}"', header.read_text(encoding="utf-8"))
            of_mpi = self.root / "mpi.txt"
            self.assertEqual(self.run_script(self.root, engine, "--mpi-header", of_mpi).returncode, 0)
            self.assertIn(f'kMpiInterface = "{both}"', of_mpi.read_text(encoding="utf-8"))
            (engine / "loop.hpp").write_text("class Loop { virtual void run(); };\n", encoding="utf-8")
            self.assertNotEqual(abi_fingerprint.fingerprint(self.root, engine), both)
            self.write("clock.hpp", "#pragma once\nclass Clock {};\n")
            self.run_script(self.root, engine, "--device-header", header)
            self.assertIn(abi_fingerprint.fingerprint(self.root, engine), header.read_text(encoding="utf-8"))

    def test_wrong_use(self):
        self.assertEqual(self.run_script(self.root / "nowhere").returncode, 2)
        self.assertEqual(self.run_script(self.root, "--header", self.root / "a.hpp").returncode, 2)
        self.assertEqual(self.run_script(self.root, "--header", self.root / "a.hpp", "--version", "1.2").returncode, 2)
        self.assertFalse((self.root / "a.hpp").exists())


class Tokens(unittest.TestCase):
    def same(self, one, other):
        return list(abi_fingerprint.tokens(one)) == list(abi_fingerprint.tokens(other))

    def test_directives_keep_their_lines(self):
        self.assertFalse(self.same("#define A b\nint c;", "#define A\nb int c;"))
        self.assertFalse(self.same("#define A \nb int c;", "#define A b int c;"))
        self.assertTrue(self.same("#define A \\\n  b\nint c;", "#define A b\nint  c;"))

    def test_texts_are_code(self):
        self.assertFalse(self.same('f("a  b")', 'f("a b")'))
        self.assertFalse(self.same('f("// a")', 'f("// b")'))
        self.assertFalse(self.same('f(R"(" // a)")', 'f(R"(" // b)")'))
        self.assertTrue(self.same("f(1'000); // it's", "f(1'000);"))


if __name__ == "__main__":
    unittest.main()
