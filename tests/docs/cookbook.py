#!/usr/bin/env python3
"""Keeps the cookbook together: every application has a picture that is not older than it, every page shows the picture of
its application and is in the index, and every page has a transcript. An SVG file ends with a digest of what it shows, so
that another version of Graphviz makes no difference.

    cookbook.py GXR SOURCE_DIR [--update]

With --update it draws all pictures again.
"""
import hashlib
import pathlib
import re
import subprocess
import sys

DIGEST = re.compile(r"<!-- shows ([0-9a-f]{64}) -->\n\Z")
SHORTEST, LONGEST = 30, 100
NO_PYTHON = 4  # exit code


def graph(gxr, application, *options):
    command = [gxr, "graph", "--plan", application.name, *options]
    return subprocess.run(command, cwd=application.parent, check=True, capture_output=True, text=True).stdout


def lacks_python(gxr, application):
    """Are operators of it written in Python, for which no interpreter with the package is there?"""
    done = subprocess.run([gxr, "validate", application.name], cwd=application.parent, capture_output=True, text=True)
    return done.returncode == NO_PYTHON


def digest(gxr, application):
    return hashlib.sha256(graph(gxr, application, "--format", "dot").encode()).hexdigest()


def draw(gxr, application):
    svg = graph(gxr, application, "--format", "svg")
    application.with_suffix(".svg").write_text(f"{svg.rstrip()}\n<!-- shows {digest(gxr, application)} -->\n")


def problems_of_picture(gxr, application):
    picture = application.with_suffix(".svg")
    found = DIGEST.search(picture.read_text()) if picture.exists() else None
    if found is None or found[1] != digest(gxr, application):
        yield f"{picture.name} does not show {application.name}: build the target update_cookbook"


def problems_of_page(page, index, transcripts):
    text = page.read_text()
    name = page.stem
    if f"]({name}.svg)" not in text:
        yield f"{page.name} does not show {name}.svg"
    if f"quote: docs/cookbook/{name}.yaml " not in text:
        yield f"{page.name} does not quote {name}.yaml"
    if f"]({page.name})" not in index:
        yield f"README.md does not name {page.name}"
    if not (transcripts / f"{name}.test").exists():
        yield f"{page.name} has no transcript"
    lines = text.count("\n")
    if not SHORTEST <= lines <= LONGEST:
        yield f"{page.name} has {lines} lines, not {SHORTEST} to {LONGEST}"


def main():
    gxr, source = sys.argv[1], pathlib.Path(sys.argv[2])
    folder = source / "docs" / "cookbook"
    applications = []
    for application in sorted(folder.glob("*.yaml")):
        if lacks_python(gxr, application):
            print(f"SKIP {application.name}: no interpreter with the package gxr (GXR_PYTHON)")
        else:
            applications.append(application)
    if "--update" in sys.argv:
        for application in applications:
            draw(gxr, application)
    pages = [page for page in sorted(folder.glob("*.md")) if page.name != "README.md"]
    index = (folder / "README.md").read_text()
    problems = []
    for application in applications:
        problems += problems_of_picture(gxr, application)
    for page in pages:
        problems += problems_of_page(page, index, source / "tests" / "transcripts" / "cookbook")
    for picture in sorted(folder.glob("*.svg")):
        if not picture.with_suffix(".yaml").exists():
            problems.append(f"{picture.name} shows no application")
    if len(pages) < 20:
        problems.append(f"only {len(pages)} recipes were found")
    print("\n".join(problems) if problems else f"{len(pages)} recipes, {len(applications)} pictures")
    return 1 if problems else 0


sys.exit(main())
