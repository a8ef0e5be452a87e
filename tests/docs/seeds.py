#!/usr/bin/env python3
"""The page about the seeds names tests, cases of tests and files that are there, and says why where it names no test.

    seeds.py REPOSITORY BUILD [--no-cuda]

Without CUDA there are no tests for GPUs; their cases are looked for all the same.
"""
import argparse
import pathlib
import re
import subprocess
import sys

PAGE = "docs/seeds.md"
REASONS = ("not yet", "no:", "not needed", "not tried", "no test:")
FOLDERS = {"gpu/graphs": "tests/gpu/device/graphs"}  # of tests whose cases are not in the folder of their name
CASE = re.compile(r'\b(?:TEMPLATE_)?(?:LIST_)?TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')


def rows_of(text):
    """Number and cells of the rows that tell a capability."""
    in_table = False
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if line.startswith("| capability |"):
            in_table = True
        elif not line.startswith("|"):
            in_table = False
        elif in_table and not line.startswith("|---"):
            yield number, cells


def test_names(build):
    listed = subprocess.run(["ctest", "-N"], cwd=build, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^ *Test *#\d+: (.+)$", listed, re.MULTILINE))


def cases_of(folder):
    texts = (file.read_text(encoding="utf-8") for file in folder.rglob("*") if file.suffix in {".cpp", ".cu"})
    found = (match for text in texts for match in CASE.findall(text))
    return {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)) for literals in found}


class Checker:
    def __init__(self, root, tests, cuda):
        self.root = root
        self.tests = tests
        self.cuda = cuda
        self.cases = {}
        self.folders = {path.name for path in root.iterdir() if path.is_dir()}

    def flaws(self, cells):
        if len(cells) != 3 or not all(cells[:2]):
            yield "the row needs a capability, a place and a test"
            return
        yield from self.flaws_of_place(cells[1])
        names = re.findall(r"`([^`]+)`", cells[2])
        if re.sub(r"`[^`]+`", "", cells[2]).strip(" ,"):
            yield f"there is more than names of tests in '{cells[2]}'"
        if not names and not any(reason in cells[1] for reason in REASONS):
            yield f"no test, and no reason ({', '.join(REASONS)})"
        for name in names:
            yield from self.flaws_of_test(*name.partition(": ")[::2])

    def flaws_of_place(self, text):
        for path in re.findall(r"`([\w.-]+/[\w./-]+)`", text):
            if path.split("/")[0] in self.folders and not (self.root / path).exists():
                yield f"there is no {path}"

    def flaws_of_test(self, test, case):
        if test.endswith(".py"):
            yield from self.flaws_of_python(test, case)
            return
        is_left_out = not self.cuda and test.startswith("gpu/")
        if test not in self.tests and not is_left_out:
            yield f"there is no test {test}"
        if not case:
            return
        if test not in self.cases:
            self.cases[test] = cases_of(self.root / FOLDERS.get(test, f"tests/{test}"))
        if case not in self.cases[test]:
            yield f"{test} has no case '{case}'"


    def flaws_of_python(self, test, case):
        file = self.root / test
        if not file.exists():
            yield f"there is no {test}"
        elif not re.search(rf"^def {re.escape(case)}\(", file.read_text(encoding="utf-8"), re.MULTILINE):
            yield f"{test} has no case '{case}'"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--no-cuda", action="store_true")
    options = parser.parse_args()
    checker = Checker(options.root, test_names(options.build), not options.no_cuda)
    rows = list(rows_of((options.root / PAGE).read_text(encoding="utf-8")))
    flaws = [f"{PAGE}:{number}: {flaw}" for number, cells in rows for flaw in checker.flaws(cells)]
    if len(rows) < 100:
        flaws.append(f"{PAGE} has {len(rows)} rows: the form of its tables must have changed")
    print("\n".join(flaws) or f"{len(rows)} rows name tests and files that are there")
    sys.exit(1 if flaws else 0)


main()
