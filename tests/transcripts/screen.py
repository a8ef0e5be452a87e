"""A command on a terminal of its own, and what its screen shows: for transcripts of commands that use a terminal.

It knows the few sequences that gxr writes; others show up in `unknown`.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

SEQUENCE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])")


class Screen:
    """Runs a command until it ends. Its screen is `lines`; `usual` is True while it shows the usual one."""

    def __init__(self, command, columns=80, height=24, **environment):
        self.columns, self.height = columns, height
        self.master, slave = pty.openpty()
        self.resize(columns, height)
        self.settings = termios.tcgetattr(slave)
        self.slave = slave

        def take_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            preexec_fn=take_terminal,
            env={**os.environ, "TERM": "xterm", **environment},
        )
        self.blank()
        self.usual, self.saved, self.cursor_shown = True, None, True
        self.output, self.rest, self.unknown, self.widest = "", "", [], 0

    def resize(self, columns, height):
        self.columns, self.height = columns, height
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, columns, 0, 0))

    def blank(self):
        self.lines, self.row, self.column = [""] * self.height, 0, 0

    def write(self, text):
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[: self.column] + text + line[self.column + len(text) :]
        self.column += len(text)
        self.widest = max(self.widest, self.column)

    def new_line(self):
        if self.row + 1 < self.height:
            self.row += 1
        else:
            self.lines = self.lines[1:] + [""]

    def obey(self, numbers, letter):
        if letter == "H":
            self.row = self.column = 0
        elif letter == "K":
            self.lines[self.row] = self.lines[self.row][: self.column]
        elif letter == "J":
            self.lines[self.row + 1 :] = [""] * (self.height - self.row - 1)
            if numbers == "2":
                self.lines = [""] * self.height
        elif numbers == "?1049":
            if letter == "h":
                self.saved, self.usual = (self.lines, self.row, self.column), False
                self.blank()
            else:
                (self.lines, self.row, self.column), self.usual = self.saved, True
        elif numbers == "?25":
            self.cursor_shown = letter == "h"
        elif letter != "m":
            self.unknown.append(numbers + letter)

    def take(self, text):
        self.output += text
        text = self.rest + text
        self.rest = ""
        while text:
            found = SEQUENCE.match(text)
            if found:
                self.obey(*found.groups())
                text = text[found.end() :]
            elif text[0] == "\x1b":
                if len(text) > 16:
                    self.unknown.append(text[:16])
                self.rest, text = text, ""
            elif text[0] == "\r":
                self.column, text = 0, text[1:]
            elif text[0] == "\n":
                self.new_line()
                text = text[1:]
            else:
                plain = re.match(r"[^\x1b\r\n]+", text).group()
                self.write(plain)
                text = text[len(plain) :]

    def read(self, seconds):
        """Takes what comes; False when nothing will come any more."""
        if select.select([self.master], [], [], seconds)[0]:
            data = os.read(self.master, 65536)
            self.take(data.decode())
        return self.process.poll() is None

    def wait(self, pattern, seconds=20):
        """Until a line of the screen matches."""
        until = time.monotonic() + seconds
        while not any(re.search(pattern, line) for line in self.lines):
            alive = self.read(0.1)
            if time.monotonic() > until or not alive and not self.read(0.1) and not self.read(0.1):
                print(f"'{pattern}' did not come; the screen:", *self.lines, sep="\n")
                self.process.kill()
                sys.exit(1)

    def watch(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.read(0.05):
            pass

    def press(self, keys):
        os.write(self.master, keys.encode())

    def signal(self, number):
        self.process.send_signal(number)

    def end(self, seconds=20):
        """Waits for the end: exit status, and whether the terminal is as before."""
        until = time.monotonic() + seconds
        while self.read(0.05):
            if time.monotonic() > until:
                self.process.send_signal(signal.SIGKILL)
        while select.select([self.master], [], [], 0.05)[0]:
            self.take(os.read(self.master, 65536).decode())
        restored = (
            self.usual and self.cursor_shown and termios.tcgetattr(self.slave) == self.settings and not self.unknown
        )
        return f"exit {self.process.returncode}, terminal {'as before' if restored else 'NOT as before'}"
