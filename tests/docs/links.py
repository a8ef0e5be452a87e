#!/usr/bin/env python3
"""Relative links of the pages lead to files, and their anchors to headings. Comments and texts of the sources that name a
page, `docs/NAME.md` or `docs/NAME.md#ANCHOR`, name one that is there. The text of a link stands on one line.

    links.py SOURCE_DIR
"""
import pathlib
import re
import sys

FOLDERS = ("docs", "apps", "bench", "extensions", "kernels", "tests", "include", "runner")
SOURCES = (".hpp", ".cpp", ".cu", ".cuh", ".yaml", ".in")
FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
BROKEN = re.compile(r"\[([^\[\]]*\n[^\[\]]*)\]\(")
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)
NAMED = re.compile(r"\bdocs/[\w.-]+\.md(?:#([\w-]+))?")


def anchors(page, known={}):
    """The anchors of a page's headings, as the usual servers of Markdown make them."""
    if page not in known:
        known[page] = set()
        for heading in HEADING.findall(FENCE.sub("", page.read_text())):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
            anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            known[page].add(anchor)
    return known[page]


def wrong(target, anchor):
    """Why nothing is there; empty if something is."""
    if not target.exists():
        return "which does not exist"
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return f"which has no heading '#{anchor}'"
    return ""


def links_of_page(page):
    for name, anchor in LINK.findall(FENCE.sub("", page.read_text())):
        if "://" not in name and not name.startswith("mailto:"):
            yield name or page.name, (page.parent / name).resolve() if name else page, anchor


def links_of_source(source, file):
    for match in NAMED.finditer(file.read_text(errors="replace")):
        yield match.group(0), source / match.group(0).partition("#")[0], match.group(1)


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    files = sorted(source.glob("*.md"))
    for folder in FOLDERS:
        files += sorted(each for each in (source / folder).rglob("*") if each.suffix in (".md", *SOURCES))
    count = 0
    problems = []
    for file in files:
        links = links_of_page(file) if file.suffix == ".md" else links_of_source(source, file)
        for text in BROKEN.findall(FENCE.sub("", file.read_text())) if file.suffix == ".md" else []:
            problems.append(f"{file.relative_to(source)}: link '{' '.join(text.split())}' goes over two lines")
        for name, target, anchor in links:
            count += 1
            reason = wrong(target, anchor)
            if reason:
                problems.append(f"{file.relative_to(source)}: link to {name}, {reason}")
    if count < 100:
        problems.append(f"only {count} links were found: the pages must have changed their form")
    print("\n".join(problems) if problems else f"{count} links lead somewhere")
    return 1 if problems else 0


sys.exit(main())
