#!/usr/bin/env python3
"""Checks that no source calls what follows the locale of the process, which any library may set.

gxr/plain_text.hpp has functions that do not.
"""

import pathlib
import re
import sys

FOLDERS = ("include", "runner", "extensions", "compat", "kernels")
SUFFIXES = (".hpp", ".cpp", ".cu", ".cuh")
# Names of functions and classes, and what stands for them.
FORBIDDEN = {
    r"\b(std::|::)?(strto[dflu]\w*|sto[dfil]\w*|ato[fil]\w*)\s*\(": "std::from_chars or plain_number",
    r"\bstd::(is(alpha|alnum|digit|space|upper|lower|print|punct|xdigit)|to(lower|upper))\s*\(":
        "is_digit, is_letter, lower_case",
    r"\bstd::[io]?stringstream\b": "strings, std::to_chars or fmt",
    r"\b(std::)?s?n?printf\s*\([^;]*%[-+ #0-9.*]*l?[fFeEgGaA]": "fixed_text or general_text",
    r"\b(std::|::)?strerror\s*\(|\b(generic|system)_category\(\)\.message": "system_error_text",
    r"\bstd::(setprecision|put_time|get_time|put_money|get_money|regex)\b": "std::to_chars or fmt",
    r"\bstd::to_string\s*\(\s*(static_cast<(double|float)>|[0-9]+\.[0-9])": "shortest_text or fixed_text",
    r"\{:[^}]*L\}": "a format without L",
    r"\b(std::)?setlocale\s*\(|\bstd::locale::global": "no locale at all",
}
# An error code's message, in the function that declares the code.
MESSAGE_OF_CODE = r"std::error_code (\w+);(?:(?!\n}).)*?\b\1\.message\(\)"


def without_comments(text):
    """The same lines, with comments blanked."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)


def problems_of(path, root):
    text = without_comments(path.read_text(encoding="utf-8"))
    for pattern, instead in [*FORBIDDEN.items(), (MESSAGE_OF_CODE, "system_error_text(error.value())")]:
        for match in re.finditer(pattern, text, flags=re.S):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(root)}:{line}: {match.group(0).strip().splitlines()[0]!r} follows the locale; use {instead}"


def main(arguments):
    root = pathlib.Path(arguments[0]).resolve()
    problems = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.name != "plain_text.hpp":
                problems.extend(problems_of(path, root))
    print("\n".join(problems) or "no source follows the locale")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
