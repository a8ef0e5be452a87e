#!/usr/bin/env python3
"""Keeps what the pages quote equal to the files: after a line `<!-- quote: PATH -->` a fenced block must hold exactly that
file; after `<!-- transcript: PATH.test -->` the first command of that transcript and what it prints. Also checks that
relative links of the pages lead somewhere.

    quotes.py SOURCE_DIR [--accept]
"""
import pathlib
import re
import sys

QUOTE = re.compile(r"(<!-- (quote|transcript): (\S+) -->\n```\w*\n)(.*?)(```\n)", re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def pages(source):
    yield source / "README.md"
    for folder in ("docs", "apps", "bench", "extensions", "tests"):
        yield from sorted((source / folder).rglob("*.md"))


def quoted(path, kind):
    text = path.read_text()
    if kind == "quote":
        return text
    run = re.search(r"^== run (.*\n)((?:(?!== ).*\n)*)", text, re.MULTILINE)
    return "$ " + run.group(1) + run.group(2)


def check_quotes(source, page, accept):
    text = page.read_text()
    problems = []

    def compare(match):
        head, kind, path, held, tail = match.groups()
        wanted = quoted(source / path, kind)
        if held != wanted:
            problems.append(f"{page}: the quote of {path} differs from the file")
        return head + wanted + tail

    mended = QUOTE.sub(compare, text)
    if accept and mended != text:
        page.write_text(mended)
        return []
    return problems


def check_links(page):
    problems = []
    for target in LINK.findall(page.read_text()):
        if "://" in target or target.startswith("mailto:"):
            continue
        if not (page.parent / target).exists():
            problems.append(f"{page}: link to {target}, which does not exist")
    return problems


def main():
    source = pathlib.Path(sys.argv[1])
    problems = []
    quotes = 0
    for page in pages(source):
        quotes += len(QUOTE.findall(page.read_text()))
        problems += check_quotes(source, page, "--accept" in sys.argv)
        problems += check_links(page)
    if quotes == 0:
        problems.append("no page quotes a file: the marker must have changed")
    print("\n".join(problems) if problems else f"{quotes} quotes are equal to their files")
    return 1 if problems else 0


sys.exit(main())
