#!/usr/bin/env python3
"""Keeps what the pages quote equal to the files: after a line `<!-- quote: PATH -->` a fenced block must hold exactly that
file; after `<!-- transcript: PATH.test -->` the first command of that transcript and what it prints. `PATH.test#3` means
the third command, `output:` instead of `transcript:` what it prints alone. Pages have `…` where a transcript has {{regex}}.

    quotes.py SOURCE_DIR [--accept]
"""
import pathlib
import re
import sys

QUOTE = re.compile(r"(<!-- (quote|transcript|output): (\S+) -->\n```\w*\n)(.*?)(```\n)", re.DOTALL)
RUN = re.compile(r"^== run (?:in \S+ )?(.*\n)((?:(?!== ).*\n)*)", re.MULTILINE)


def pages(source):
    yield source / "README.md"
    for folder in ("docs", "apps", "bench", "extensions", "tests"):
        yield from sorted((source / folder).rglob("*.md"))


def quoted(source, path, kind):
    path, _, number = path.partition("#")
    text = (source / path).read_text()
    if kind == "quote":
        return text
    runs = list(RUN.finditer(text))
    command, output = runs[int(number or 1) - 1].groups()
    output = re.sub(r"\{\{.*?\}\}(?!\})", "…", output)
    return output if kind == "output" else "$ " + command + output


def check_quotes(source, page, accept):
    text = page.read_text()
    problems = []

    def compare(match):
        head, kind, path, held, tail = match.groups()
        wanted = quoted(source, path, kind)
        if held != wanted:
            problems.append(f"{page}: the quote of {path} differs from the file")
        return head + wanted + tail

    mended = QUOTE.sub(compare, text)
    if accept and mended != text:
        page.write_text(mended)
        return []
    return problems


def main():
    source = pathlib.Path(sys.argv[1])
    problems = []
    quotes = 0
    for page in pages(source):
        quotes += len(QUOTE.findall(page.read_text()))
        problems += check_quotes(source, page, "--accept" in sys.argv)
    if quotes == 0:
        problems.append("no page quotes a file: the marker must have changed")
    print("\n".join(problems) if problems else f"{quotes} quotes are equal to their files")
    return 1 if problems else 0


sys.exit(main())
