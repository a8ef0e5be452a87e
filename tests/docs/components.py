#!/usr/bin/env python3
"""Keeps the component reference equal to the declarations: docs/components has a page for each extension, as `gxr describe
EXTENSION --format markdown` prints it, with an example for each type that an application or a test of the repository uses.
With --accept it writes the pages.

    components.py GXR SOURCE_DIR [--accept]
"""
import json
import pathlib
import re
import subprocess
import sys

# Where examples come from, the best first: what people read before what only tests read.
APPLICATIONS = ("apps/**/*.yaml", "docs/**/*.yaml", "extensions/**/*.yaml")
TRANSCRIPTS = tuple(f"tests/{folder}/**/*.test" for folder in (
    "transcripts/std", "transcripts/image", "transcripts/recording", "transcripts/schedulers", "transcripts/cuda",
    "transcripts/sample", "transcripts/arithmetic", "conformance"))
LONGEST = 18  # lines of an example
FILE = re.compile(r"^== file \S+\.yaml\n(.*?)(?=^== )", re.DOTALL | re.MULTILINE)
USE = re.compile(r"\b(?:operator|type): *\"?([\w:<>]+)")


def documents_of(text):
    for document in re.split(r"^---.*\n", text, flags=re.MULTILINE):
        lines = [line.rstrip() for line in document.strip("\n").splitlines()]
        while lines and (not lines[0] or lines[0].startswith(("#", "%"))):
            lines.pop(0)
        if lines and len(lines) <= LONGEST and all(len(line) <= 120 for line in lines):
            yield "\n".join(lines)


def texts(source):
    """Rank, path and YAML of everything that may hold an example."""
    for pattern in APPLICATIONS:
        for path in sorted(source.glob(pattern)):
            yield 0, path, path.read_text()
    for pattern in TRANSCRIPTS:
        for path in sorted(source.glob(pattern)):
            for text in FILE.findall(path.read_text()):
                yield 1, path, text


def examples(source):
    """The best example of each type: the shortest one, in the best place."""
    best = {}
    for rank, path, text in texts(source):
        for document in documents_of(text):
            for name in set(USE.findall(document)):
                found = (rank, document.count("\n"), path, document)
                if name not in best or found[:2] < best[name][:2]:
                    best[name] = found
    return best


def example_text(source, found):
    _, _, path, document = found
    name = path.relative_to(source)
    return f"Example, from [{name}](../../{name}):\n\n```yaml\n{document}\n```\n\n"


def with_examples(source, page, types, best):
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    for i, part in enumerate(parts):
        names = next(([t["name"], *t.get("aliases", [])] for t in types if part.startswith(f"## {t['name']}\n")), [])
        found = [best[name] for name in names if name in best]
        if found:
            parts[i] = part + example_text(source, min(found, key=lambda f: f[:2]))
    return "".join(parts).rstrip("\n") + "\n"


def ask(gxr, *words):
    return subprocess.run([gxr, *words], check=True, capture_output=True, text=True).stdout


def pages(gxr, source):
    best = examples(source)
    index = ["# Components", "", "One page for each extension that comes with gxr. `gxr describe TYPE` shows the same in a terminal, and",
             "`gxr describe EXTENSION --format markdown` makes such a page of an extension of your own.", "",
             "| extension | types | purpose |", "|---|---|---|"]
    for extension in json.loads(ask(gxr, "list", "extensions", "--format", "json")):
        name = extension["name"]
        facts = json.loads(ask(gxr, "describe", name, "--format", "json"))
        yield f"{name}.md", with_examples(source, ask(gxr, "describe", name, "--format", "markdown"), facts["types"], best)
        index.append(f"| [{name}]({name}.md) | {len(facts['types'])} | {facts['description']} |")
    yield "README.md", "\n".join(index) + "\n"


def main():
    gxr, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folder = source / "docs/components"
    wanted = dict(pages(gxr, source))
    if "--accept" in sys.argv:
        folder.mkdir(exist_ok=True)
        for name, text in wanted.items():
            (folder / name).write_text(text)
    held = {path.name: path.read_text() for path in folder.glob("*.md")}
    stale = sorted(name for name in held.keys() | wanted.keys() if held.get(name) != wanted.get(name))
    for name in stale:
        print(f"docs/components/{name} is not what the declarations say: build the target update_components")
    if not stale:
        print(f"{len(wanted)} pages are equal to the declarations")
    return 1 if stale else 0


sys.exit(main())
