#!/usr/bin/env python3
"""Tests skip where something is missing that not every machine has: check_requirements.py REPOSITORY

Python scripts import foreign modules only where they handle ImportError. Left out: what imports the package gxr, and the
files of applications, which only the tests of the package run. Transcripts that call a program which
a plain Debian system may lack name it in a line `== requires`.
"""
import ast
import pathlib
import re
import subprocess
import sys

# What coreutils, grep, sed, gawk or mawk, diffutils, findutils and the shell bring, and gxr itself.
PLAIN = set("""
    awk basename bash cat chgrp chmod chown cmp comm cp cut date dd df diff dirname du env expr false find grep egrep
    head id install join link ln ls md5sum mkdir mkfifo mktemp mv nl nohup nproc od paste printenv pwd python3 readlink
    realpath rm rmdir sed seq sh sha256sum shuf sleep sort split stat stdbuf stty sync tac tail tee timeout touch tr true
    truncate tty uname uniq wc who whoami xargs yes
    gxr gxe gxr-declare
""".split())
DIVIDES = re.compile(r"\$\(|[|;&(`!]")
LEADS = re.compile(r"(^|;)\s*(?:do|then|else|if|while|until|time|exec|nice|setsid|env|timeout [\d.]+)(?=\s)")
COMMAND = re.compile(r"(?:^|;)\s*(?:[A-Za-z_]\w*=\S*\s+)*([a-z][\w+.-]*)(?=\s|$|[;)<>])")


def foreign_imports(path, local):
    """(line, module) of each import outside of a `try` that handles ImportError."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    guarded = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any("ImportError" in ast.dump(each.type) for each in node.handlers if each.type):
            guarded.update(id(inner) for part in node.body for inner in ast.walk(part))
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module]
        for name in names:
            module = name.split(".")[0]
            if module not in sys.stdlib_module_names and module not in local and id(node) not in guarded:
                yield node.lineno, module


def shell_words():
    """The shell's own commands and keywords."""
    return set(subprocess.run(["bash", "-c", "compgen -bk"], capture_output=True, text=True, check=True).stdout.split())


def divided(command):
    """The commands of a line with a semicolon between them, without what may lead them."""
    before, command = None, DIVIDES.sub(";", command)
    while command != before:
        before, command = command, LEADS.sub(r"\1", command)
    return command


def programs(text):
    """(line, program) of each program that a transcript runs, as far as can be seen."""
    for number, line in enumerate(text.split("\n"), 1):
        found = re.match(r"== run (?:in \S+ )?(.*)", line)
        if found:
            command = re.sub(r"'[^']*'|\"[^\"]*\"|\\.", "''", found[1])
            for program in COMMAND.findall(divided(command)):
                yield number, program


def functions(text):
    return set(re.findall(r"\b([a-z]\w*)\(\) *\{", text))


def main(repository):
    root = pathlib.Path(repository)
    tracked = [path for folder in ("tests", "bench", "cmake", "apps", "extensions") for path in (root / folder).rglob("*")]
    scripts = [path for path in tracked if path.suffix == ".py" and not path.is_relative_to(root / "apps")]
    local = {path.stem for path in scripts}
    problems = []
    for path in scripts:
        imports = list(foreign_imports(path, local))
        if any(module == "gxr" for _, module in imports):
            continue
        for line, module in imports:
            problems.append(f"{path}:{line}: '{module}' may be missing: import it where ImportError is handled, and skip")
    known = PLAIN | shell_words()
    for path in tracked:
        if path.suffix != ".test":
            continue
        text = path.read_text(encoding="utf-8")
        required = set(" ".join(re.findall(r"^== requires (.*)", text, re.MULTILINE)).split())
        for line, program in programs(text):
            if program not in known | required | functions(text):
                problems.append(f"{path}:{line}: '{program}' may be missing: add '== requires {program}'")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
