#!/usr/bin/env python3
"""Tests of run.py, with shell commands in place of gxr."""

import contextlib
import io
import pathlib
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run  # noqa: E402


class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        (self.path / "gxr").write_text('#!/bin/sh\necho "$(basename "$0") $*"\n')
        (self.path / "gxr").chmod(0o755)

    def transcript(self, text, *arguments):
        """(exit status, what was printed, the file afterwards)"""
        test = self.path / "a.test"
        test.write_text(text)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = run.main([str(test), "--gxr", str(self.path / "gxr"), *arguments])
        return status, printed.getvalue(), test.read_text()

    def assert_passes(self, text, *arguments):
        status, printed, _ = self.transcript(text, *arguments)
        self.assertEqual(status, 0, printed)

    def assert_fails(self, text, *parts):
        status, printed, _ = self.transcript(text)
        self.assertEqual(status, 1, printed)
        for part in parts:
            self.assertIn(part, printed)

    def test_literal_output(self):
        self.assert_passes("# what it shows\n\n== run echo one; echo two >&2\none\ntwo\n")

    def test_difference_is_shown(self):
        self.assert_fails("== run echo two\none\n", "a.test:1: run echo two", "- one", "+ two")

    def test_missing_and_extra_lines(self):
        self.assert_fails("== run true\none\n", "- one")
        self.assert_fails("== run echo one\n", "+ one")

    def test_programs_on_path(self):
        self.assert_passes("== run gxr a\ngxr a\n== run gxe b\ngxe b\n")

    def test_exit_status(self):
        self.assert_passes("== run exit 3\n== exit 3\n\n== run true\n")
        self.assert_fails("== run exit 3\n", "exit status: 3, expected 0")
        self.assert_fails("== run exit 3\n== run true\n", "exit status: 3, expected 0")
        self.assert_fails("== run true\n== exit 1\n", "exit status: 0, expected 1")

    def test_signal_counts_like_in_a_shell(self):
        self.assert_passes("== run kill -TERM $$\n== exit 143\n")

    def test_commands_ignore_and_block_no_signal(self):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        try:
            self.assert_passes("== run grep -E 'Sig(Blk|Ign)' /proc/self/status\nSigBlk:\t{{0+}}\nSigIgn:\t{{0+[01][08]}}0000000\n")
        finally:
            signal.signal(signal.SIGHUP, before)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])

    def test_regex_parts(self):
        self.assert_passes("== run echo 'took 12 ms (ok)'\ntook {{\\d+}} ms (ok)\n")
        self.assert_passes("== run echo 2024\n{{[0-9]{4}}}\n")
        self.assert_fails("== run echo 'took x ms'\ntook {{\\d+}} ms\n", "+ took x ms")

    def test_any_lines(self):
        self.assert_passes("== run seq 9\n1\n...\n8\n9\n")
        self.assert_passes("== run seq 2\n1\n...\n2\n...\n")
        self.assert_fails("== run seq 9\n1\n...\n7\n9\n")
        self.assert_fails("== run seq 3\n1\n...\n4\n", "- 4")

    def test_escapes(self):
        self.assert_passes("== run echo '== run'; echo ...\n\\== run\n\\...\n")
        self.assert_passes("== file a\n\\== b\n== run cat a\n\\== b\n")

    def test_files_and_folders(self):
        self.assert_passes("== file a/b.txt\nx: 1\n\n== run in a cat b.txt\nx: 1\n")

    def test_written_files(self):
        self.assert_passes("== run echo 1 > a\n== output a\n1\n")
        self.assert_fails("== run echo 1 > a\n== output a\n2\n", "- 2", "+ 1")
        self.assert_fails("== run true\n== output a\n", "no file a")

    def test_environment(self):
        self.assert_passes("== run echo $NO_COLOR $TERM $COLUMNS\n1 dumb 80\n")
        self.assert_passes("== run echo $PWD $HOME $GXR_SOURCE_DIR\n<work> <home> <source>\n")

    def test_requires(self):
        text = "== requires cuda\n== run false\n"
        self.assertEqual(self.transcript(text)[0], 77)
        self.assert_passes("== requires !cuda\n== run true\n")
        self.assert_passes("== requires cuda sh\n== run true\n", "--have", "cuda")
        self.assertEqual(self.transcript("== requires !sh\n== run true\n")[0], 77)

    def test_labels_are_for_ctest(self):
        self.assert_passes("== label slow\n== run true\n")
        self.assert_fails("== label slow\ntext\n== run true\n", "nothing may stand under")

    def test_timeout(self):
        status, printed, _ = self.transcript("== run sleep 30\n", "--timeout", "0.2")
        self.assertEqual(status, 1)
        self.assertIn("ended by the test", printed)

    def test_mistakes_in_the_file(self):
        self.assert_fails("hello\n== run true\n", "must start with '#'")
        self.assert_fails("== rum true\n", "'== rum' is none of")
        self.assert_fails("== exit 1\n", "follows a command")
        self.assert_fails("== file a\n", "no '== run' line")
        self.assert_fails("== run\n", "needs something after it")

    def test_accept(self):
        text = "# c\n== run seq 3; echo 7 ms; exit 2\n1\n9\n{{\\d}} ms\n\n== run exit 1\n== exit 4\n"
        status, _, after = self.transcript(text, "--accept")
        self.assertEqual(status, 0)
        self.assertEqual(
            after,
            "# c\n== run seq 3; echo 7 ms; exit 2\n1\n2\n3\n{{\\d}} ms\n== exit 2\n\n"
            "== run exit 1\n== exit 1\n",
        )
        self.assert_passes(after)

    def test_accept_escapes_and_drops_exit_zero(self):
        _, _, after = self.transcript("== run echo '{{a}}'; echo ...\n== exit 1\n", "--accept")
        self.assertEqual(after, "== run echo '{{a}}'; echo ...\n{{\\{\\{}}a}}\n\\...\n")
        self.assert_passes(after)


if __name__ == "__main__":
    unittest.main()
