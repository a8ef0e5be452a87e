#!/usr/bin/env python3
"""Checks how the pages, the public headers and the texts of commands are written: none of the words of avoided_words.txt,
and no sentence whose subject is "who" or "what" without a noun. Code in pages is left out.

    style.py SOURCE_DIR
"""
import pathlib
import re
import sys

FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`\n]*`")
COMMENT = re.compile(r"//[/!]?<?(.*)$", re.MULTILINE)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
# A statement, not a question: the sentence ends with a full stop. Cells of tables in the component reference may begin with
# a label such as "What to say".
BARE_SUBJECT = re.compile(r"(?:^|[.!:] |\*\* |[-|] )((?:Who|What) [^?.!|]*\.)(?=\s|$)", re.MULTILINE)


def blank(match):
    """As many line ends, so that numbers of lines stay."""
    return re.sub(r"[^\n]", " ", match.group(0))


def page_text(text):
    return CODE.sub(blank, FENCE.sub(blank, text))


def only(pattern, text):
    """What the pattern finds, at its place."""
    kept = [" " if c != "\n" else c for c in text]
    for match in pattern.finditer(text):
        kept[match.start():match.end()] = re.sub(r"^//[/!]?<?", lambda m: " " * len(m.group(0)), match.group(0))
    return CODE.sub(blank, "".join(kept))


def texts(source):
    """Each file, and what of it people read."""
    pages = [*source.glob("*.md")]
    for folder in ("docs", "apps", "bench", "editors", "tests/transcripts"):
        pages += (source / folder).rglob("*.md")
    for page in sorted(pages):
        yield page, page_text(page.read_text())
    for header in sorted([*(source / "include").rglob("*.hpp"), *(source / "compat/gxf/include").rglob("*.hpp")]):
        yield header, only(COMMENT, header.read_text())
    for code in sorted([*(source / "runner/commands").glob("*.cpp"), *(source / "runner/document").glob("diagnostic_table*.cpp")]):
        yield code, only(STRING, code.read_text())


def avoided_words(source):
    for line in (source / "tests/docs/avoided_words.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            word, instead = re.split(r" {2,}", line, maxsplit=1)
            yield re.compile(word, re.IGNORECASE), instead


def main():
    source = pathlib.Path(sys.argv[1])
    words = list(avoided_words(source))
    problems = []
    files = 0
    for path, text in texts(source):
        files += 1

        def report(match, advice):
            line = text.count("\n", 0, match.start()) + 1
            problems.append(f"{path.relative_to(source)}:{line}: '{match.group(0).strip()}': {advice}")

        for word, instead in words:
            for match in word.finditer(text):
                report(match, instead)
        if path.suffix != ".cpp":
            for match in BARE_SUBJECT.finditer(text):
                if path.parent.name == "components" and match.group(0).startswith("|"):
                    continue
                report(match, "name the subject by a noun")
    print("\n".join(problems) if problems else f"style: {files} files")
    return 1 if problems else 0


sys.exit(main())
