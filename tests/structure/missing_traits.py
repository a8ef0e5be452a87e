#!/usr/bin/env python3
"""Compiles a parameter of a type that nobody told gxr how to read, and looks for the sentence that helps.

    missing_traits.py --source-dir ROOT --build-dir BUILD --compiler C++
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

SOURCE = """#include <gxr/gxr.hpp>
namespace own {
struct Color { int red = 0; };
enum class Mode { Fast, Exact };
class Taker : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override { interface.parameter(value_, "value", "A value"); }
 private:
  gxr::Parameter<@TYPE@> value_;
};
}  // namespace own
own::Taker* make() { return new own::Taker(); }
"""

ADVICE = "docs/extension-reference.md"
# The parameter's type, and what the compiler must say; nothing: it compiles.
CASES = [
    ("int", None),
    ("std::vector<std::pair<std::string, double>>", None),
    ("Color", "specialize gxr::ParameterTraits<T> with type(), parse() and to_yaml()"),
    ("std::vector<Color>", "specialize gxr::ParameterTraits<T> with type(), parse() and to_yaml()"),
    ("Mode", "specialize gxr::EnumNames<E> with the names of its values"),
]


def compile_with(options, kind):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "taker.cpp"
        source.write_text(SOURCE.replace("@TYPE@", kind), encoding="utf-8")
        return subprocess.run([options.compiler, "-std=c++20", "-fsyntax-only", f"-I{options.source_dir / 'include'}",
                               f"-I{options.build_dir / 'include'}", source], capture_output=True, text=True)


def problem_of(options, kind, sentence):
    run = compile_with(options, kind)
    if sentence is None:
        return f"{kind}: {run.stderr}" if run.returncode else None
    # The sentence may be repeated for each place that uses the type.
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    others = [line for line in errors if ADVICE not in line]
    if run.returncode == 0 or not errors or sentence not in errors[0] or others:
        return f"{kind}: expected only '… {sentence} …', but the compiler ended with {run.returncode}:\n{run.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source-dir", type=pathlib.Path, required=True)
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    problems = [problem for case in CASES if (problem := problem_of(options, *case))]
    print("\n".join(problems) if problems else f"{len(CASES)} types compiled and refused as they should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
