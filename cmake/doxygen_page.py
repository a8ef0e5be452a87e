#!/usr/bin/env python3
"""Prints a page of docs/ as Doxygen 1.9.4 wants it: with labels for headings, and links that name these labels. A link to
a file outside of docs/ becomes the path of that file, which the reference does not hold.

    doxygen_page.py docs/[FOLDER/]PAGE.md
"""
import pathlib
import posixpath
import re
import sys

MAIN_PAGE = "README.md"
FENCE = re.compile(r"^\s*```")
HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*$")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CODE_OR_TAG = re.compile(r"(?<!`)`([^`]+)`(?!`)|<([A-Z]\w*)>")


def slug(text):
    """The part of a link behind '#', as GitHub makes it from a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def label(page, anchor=""):
    """A name for a page or one of its headings; pages go by their path in docs/."""
    if page == MAIN_PAGE and not anchor:
        return "index"
    return re.sub(r"\W", "_", f"page-{page.removesuffix('.md')}" + (f"-{anchor}" if anchor else ""))


def link(page, match):
    text, target = match.group(1).replace("`", ""), match.group(2)
    if "://" in target or target.startswith("mailto:"):
        return match.group()
    file, _, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), file)) if file else page
    if path.startswith("../") or not path.endswith(".md"):
        return f"{text} (`{posixpath.normpath(posixpath.join('docs', path))}`)"
    return f"[{text}](@ref {label(path, anchor)})"


def shown(match):
    """Doxygen ends `code` at a single quote, and takes <Words> for HTML."""
    code, word = match.groups()
    return f"&lt;{word}&gt;" if word else f"``{code}``" if "'" in code else match.group()


def converted(page, text):
    fenced = False
    for line in text.splitlines():
        if FENCE.match(line):
            fenced = not fenced
        heading = HEADING.match(line)
        if fenced or FENCE.match(line) or line.startswith("    "):
            yield line
        elif heading and len(heading.group(1)) == 1:
            title = heading.group(2).replace("`", "")
            yield f"# {title} {{#{'mainpage' if page == MAIN_PAGE else label(page)}}}"
        elif heading:
            yield f"{heading.group(1)} {heading.group(2)} {{#{label(page, slug(heading.group(2)))}}}"
        else:
            yield CODE_OR_TAG.sub(shown, LINK.sub(lambda match: link(page, match), line))


def main():
    path = pathlib.PurePosixPath(sys.argv[1])
    page = posixpath.join(*path.parts[path.parts.index("docs") + 1:])
    print("\n".join(converted(page, pathlib.Path(path).read_text())))


main()
