#!/usr/bin/env python3
"""Prints a page as Doxygen 1.9.4 wants it: with labels for headings, and links that name these labels. The pages of an
index below the main page are its subpages. Pictures are those that cmake/docs.sh copies. A link to a file that is not in
the reference becomes the path of that file. Run in the root of the repository.

    doxygen_page.py FOLDER/PAGE.md
    doxygen_page.py --order             prints the pages in the order of the main page's links
"""
import pathlib
import posixpath
import re
import sys

MAIN_PAGE = "docs/README.md"
# Pages with subpages: those of the same folder to which they link.
INDEXES = ("docs/cookbook/README.md", "docs/components/README.md")
# As INPUT in the Doxyfile.
FOLDERS = ("docs/", "apps/")
FILES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md", "bench/gpu/README.md")
FENCE = re.compile(r"^\s*```")
HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*$")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CODE_OR_TAG = re.compile(r"(?<!`)`([^`]+)`(?!`)|<([A-Z]\w*)>")


def slug(text):
    """The part of a link behind '#', as GitHub makes it from a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def label(page, anchor=""):
    """A name for a page or one of its headings."""
    if page == MAIN_PAGE and not anchor:
        return "index"
    return re.sub(r"\W", "_", f"page-{page.removesuffix('.md')}" + (f"-{anchor}" if anchor else ""))


def path_of(page, target):
    """The path of a link's target, from the root of the repository."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page


def in_reference(path):
    return path.endswith(".md") and (path.startswith(FOLDERS) or path in FILES)


def linked(page):
    """The pages to which a page links, in order, each once."""
    paths = (path_of(page, m.group(2).partition("#")[0]) for m in LINK.finditer(pathlib.Path(page).read_text()))
    return list(dict.fromkeys(path for path in paths if in_reference(path)))


def subpages(page):
    """Pages that are subpages of this one."""
    folder = posixpath.dirname(page)
    return {path for path in linked(page) if posixpath.dirname(path) == folder} if page in INDEXES else set()


def link(page, unclaimed, match):
    text, target = match.group(1).replace("`", ""), match.group(2)
    if "://" in target or target.startswith("mailto:"):
        return match.group()
    file, _, anchor = target.partition("#")
    path = path_of(page, file)
    if not in_reference(path):
        return f"{text} (`{path}`)"
    if path in unclaimed and not anchor:
        unclaimed.remove(path)
        return f'@subpage {label(path)} "{text}"'
    return f"[{text}](@ref {label(path, anchor)})"


def image(page, match):
    text, target = match.groups()
    return f'<img src="pictures/{path_of(page, target)}" alt="{text}"/>'


def shown(match):
    """Doxygen ends `code` at a single quote, and takes <Words> for HTML."""
    code, word = match.groups()
    return f"&lt;{word}&gt;" if word else f"``{code}``" if "'" in code else match.group()


def converted(page, text):
    fenced = False
    unclaimed = subpages(page)
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
            line = CODE_OR_TAG.sub(shown, LINK.sub(lambda match: link(page, unclaimed, match), line))
            yield IMAGE.sub(lambda match: image(page, match), line)


def main():
    if sys.argv[1] == "--order":
        print(" ".join([MAIN_PAGE, *linked(MAIN_PAGE)]))
        return
    page = posixpath.normpath(posixpath.relpath(sys.argv[1]))
    print("\n".join(converted(page, pathlib.Path(page).read_text())))


main()
