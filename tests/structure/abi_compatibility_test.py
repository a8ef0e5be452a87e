#!/usr/bin/env python3
"""Tests abi_compatibility.py on a library of one class, with one change of its header each."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import abi_compatibility
import abi_fingerprint

STUB = pathlib.Path(__file__).resolve().parent / "stub"


@unittest.skipUnless(shutil.which("abidiff"), "abidiff is not installed")
class Changes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.before = self.build("before", "", "")

    def build(self, name, text, replacement):
        """A library whose header has `replacement` in the place of `text`."""
        folder = self.root / name
        folder.mkdir()
        code = (STUB / "codelet.hpp").read_text(encoding="utf-8")
        self.assertIn(text, code)
        (folder / "codelet.hpp").write_text(code.replace(text, replacement, 1), encoding="utf-8")
        (folder / "codelet.cpp").write_text((STUB / "codelet.cpp").read_text(encoding="utf-8"), encoding="utf-8")
        # Debugging information by which abidiff finds that two classes are of the same header.
        subprocess.run(["c++", "-g", "-fPIC", "-shared", "codelet.cpp", "-o", "libstub.so"], cwd=folder, check=True)
        return folder

    def judge(self, text, replacement):
        """(the same fingerprint, no difference for abidiff)"""
        after = self.build("after", text, replacement)
        stored = self.root / "before.abi.gz"
        abi_compatibility.store(self.before / "libstub.so", self.before, stored)
        return (abi_fingerprint.fingerprint(self.before) == abi_fingerprint.fingerprint(after),
                not abi_compatibility.differences(stored, after / "libstub.so", after))

    def test_virtual_function(self):
        change = ("virtual void tick()", "virtual void stop() {}\n  virtual void tick()")
        self.assertEqual(self.judge(*change), (False, False))

    def test_member(self):
        change = ("std::int64_t count_ = 0;", "std::int64_t time_ = 0;\n  std::int64_t count_ = 0;")
        self.assertEqual(self.judge(*change), (False, False))

    def test_default(self):
        self.assertEqual(self.judge("= 1000", "= 2000"), (False, True))

    def test_comment(self):
        self.assertEqual(self.judge("A class as extensions", "What extensions"), (True, True))


class Repository(unittest.TestCase):
    def test_listed_and_not_stored(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "runner/registry").mkdir(parents=True)
            header = root / abi_compatibility.LIST
            header.write_text("std::array<std::string_view, 0> kCompatibleSdks{};\n", encoding="utf-8")
            self.assertEqual(list(abi_compatibility.check(root)), [])
            header.write_text('std::array<std::string_view, 1> kCompatibleSdks{"0123456789abcdef"};\n', encoding="utf-8")
            abi_compatibility.build_library = lambda root: root
            self.assertEqual(len(list(abi_compatibility.check(root))), 1)


if __name__ == "__main__":
    unittest.main()
