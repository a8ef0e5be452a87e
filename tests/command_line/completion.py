#!/usr/bin/env python3
"""Lets a shell complete command lines of gxr: completion.py SHELL --gxr FILE

Skipped (77) where the shell is missing.
"""
import argparse
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

# Of each line what must be offered for its last word, and what must not.
OFFERED = [
    ("gxr r", {"run", "replay-info"}, {"validate", "man"}),
    ("gxr --ver", {"--version"}, {"--help"}),
    ("gxe -app", {"-app", "-app_root"}, {"-manifest"}),
    ("gxe -app ", {"app.yaml"}, {"library.so"}),
    ("gxe -norun -severity ", {"3"}, {"6", "app.yaml"}),
    ("gxr run --log", {"--log-level", "--log-file"}, {"--format"}),
    ("gxr run --format ", {"text", "json"}, {"app.yaml"}),
    ("gxr graph --format ", {"mermaid", "svg"}, {"json"}),
    ("gxr run ", {"app.yaml"}, {"library.so", "notes.txt"}),
    ("gxr run -x ", {"library.so"}, {"app.yaml"}),
    ("gxr run --log-file ", {"notes.txt"}, set()),
    ("gxr new ", {"extension", "operator", "app"}, {"app.yaml"}),
    ("gxr explain unknown-t", {"unknown-type"}, {"unknown-parameter"}),
    ("gxr describe gxr::GreedyS", {"gxr::GreedyScheduler"}, {"gxr::Broadcast"}),
    ("gxr launch Forward :count=3 ! Broadc", {"Broadcast"}, {"gxr::Broadcast"}),
    ("gxr launch Forward ! gxr::B", {"gxr::Broadcast"}, {"Broadcast"}),
    ("gxr launch Gree", set(), {"GreedyScheduler"}),
    ("gxr launch --for", {"--format"}, {"Forward"}),
]

BASH = """
source "$1"
[[ $(complete -p gxr) == 'complete -F _gxr gxr' ]] || { echo "complete -p: $(complete -p gxr)"; exit 1; }
COMP_LINE=$2 COMP_POINT=${#2}
read -ra COMP_WORDS <<<"$2"
[[ $2 == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_gxr gxr "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def output_of(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode or done.stderr:
        sys.exit(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def offered_by_bash(script, line, **where):
    # A colon ends a word: what stands before it is not in the answer.
    answers = output_of(["bash", "--norc", "-c", BASH, "bash", str(script), line], **where).split()
    word = line.split(" ")[-1]
    return {word[:word.rfind(":") + 1] + answer for answer in answers}


def offered_by_fish(script, line, **where):
    lines = output_of(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", str(script), line], **where)
    return {answer.split("\t")[0] for answer in lines.splitlines()}


class Zsh:
    """An interactive zsh, whose completion works at a terminal only."""

    def __init__(self, folder, environment):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**environment, "TERM": "dumb", "PS1": "> "})
        self.heard = ""

    def say(self, text):
        os.write(self.terminal, text.encode())

    def wait_for(self, text, seconds=30):
        end = time.monotonic() + seconds
        while text not in self.heard and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.2)[0]:
                self.heard += os.read(self.terminal, 65536).decode(errors="replace").replace("\r", "")
        if text not in self.heard:
            sys.exit(f"zsh did not say {text!r} but\n{self.heard}")

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def check_open_quote(shell, script, **where):
    """All since an open quote is one word of the line, and so is the answer."""
    line = "gxr launch 'Forward :count=3 ! Broadc"
    if shell == "bash":
        answer = output_of(["bash", "--norc", "-c", BASH, "bash", str(script), line], **where)
    else:
        answer = output_of(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", str(script), line], **where)
    if answer.strip() != "Forward :count=3 ! Broadcast":
        sys.exit(f"{line!r}: offered {answer!r}")


def check_zsh(script, work, environment):
    shutil.copy(script, work / "_gxr")
    shell = Zsh(work, environment)
    shell.say(f"fpath=({work} $fpath); autoload -Uz compinit; compinit -u -D; print rea''dy\n")
    shell.wait_for("\nready\n")
    # A word that one thing completes is completed by the tab; what stands in the line then is printed.
    for typed, completed in [("gxr repl", "gxr replay-info"), ("gxr run --log-fi", "gxr run --log-file"),
                             ("gxr run --format j", "gxr run --format json"), ("gxr run ap", "gxr run app.yaml"),
                             ("gxr run -x l", "gxr run -x library.so"), ("gxr new ext", "gxr new extension"),
                             ("gxr explain unknown-t", "gxr explain unknown-type"), ("gxe -manif", "gxe -manifest"),
                             ("gxe -norun -app ap", "gxe -norun -app app.yaml"),
                             ("gxr describe gxr::GreedyS", "gxr describe gxr::GreedyScheduler"),
                             ("gxr launch Forward ! Broadc", "gxr launch Forward ! Broadcast"),
                             ("gxr launch 'Forward ! Broadc", "gxr launch Forward ! Broadcast")]:
        shell.heard = ""
        quote = "'" * (typed.count("'") % 2)  # closes it, and print shows the line without quotes
        shell.say(f"{typed}\t{quote}\x01print -r -- = \x05 .\n")
        shell.wait_for(f"\n= {completed} .\n")
    shell.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    parser.add_argument("--gxr", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if shutil.which(options.shell) is None:
        print(f"skipped: {options.shell} is missing")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        work = home / "work"
        work.mkdir()
        for file in ("app.yaml", "library.so", "notes.txt"):
            (work / file).touch()
        environment = {**os.environ, "PATH": f"{options.gxr.parent}:{os.environ['PATH']}", "HOME": name,
                       "XDG_CONFIG_HOME": name, "XDG_DATA_HOME": name, "LC_ALL": "C.UTF-8"}
        script = home / f"script.{options.shell}"
        script.write_text(output_of([str(options.gxr), "completion", options.shell]), encoding="utf-8")
        if options.shell == "zsh":
            check_zsh(script, work, environment)
            return
        ask = {"bash": offered_by_bash, "fish": offered_by_fish}[options.shell]
        for line, wanted, unwanted in OFFERED:
            found = ask(script, line, cwd=work, env=environment)
            if not wanted <= found or unwanted & found:
                sys.exit(f"{line!r}: offered {sorted(found)}, wanted {sorted(wanted)} without {sorted(unwanted)}")
        check_open_quote(options.shell, script, cwd=work, env=environment)


main()
