#!/usr/bin/env python3
"""Checks the JSON Schemas of schemas/.

current: `gxr schema` writes the same files again.
apps:    every YAML document of apps/ and extensions/ is accepted (parameter files and manifests by their schemas),
         but for those with operators in Python.
invalid: every document of tests/schemas/invalid is refused, at the place that its first line names.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys

SKIPPED = 77
KINDS = ("app", "manifest", "parameters")

try:
    import jsonschema
    import yaml
except ImportError as error:
    jsonschema = None
    MISSING = error.name


def load_documents(path):
    """The documents of a YAML file, read by the rules of YAML 1.2 as gxr reads them."""

    class Loader(yaml.SafeLoader):
        pass

    Loader.yaml_implicit_resolvers = {}
    rules = [
        ("null", r"~|null|Null|NULL|", "~nN\0"),
        ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("int", r"[-+]?[0-9]+|0x[0-9a-fA-F]+", "-+0123456789"),
        (
            "float",
            r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
            "-+0123456789.",
        ),
    ]
    for tag, pattern, first in rules:
        characters = [c if c != "\0" else "" for c in first]
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"^(?:{pattern})$"), characters)
    Loader.add_multi_constructor("!", lambda loader, _suffix, node: plain(loader, node))
    Loader.add_constructor("tag:yaml.org,2002:int", whole_number)
    with open(path, encoding="utf-8") as file:
        return list(yaml.load_all(file, Loader))


def whole_number(_loader, node):
    return int(node.value, 16 if "x" in node.value else 10)


def plain(loader, node):
    """A value with a tag of its own, without it."""
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True)


def validator(schemas, kind):
    import json

    schema = json.loads((schemas / f"{kind}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def deepest(error):
    """The most telling of the errors below one."""
    return jsonschema.exceptions.best_match([error])


def kind_of(path, documents):
    """What a YAML file of the repository is, by its name and content."""
    maps = [d for d in documents if isinstance(d, dict)]
    if "manifest" in path.name:
        return "manifest"
    if any(isinstance(key, str) and "/" in key for d in maps for key in d):
        return "parameters"
    entries = [c for d in maps for c in d.get("components") or [] if isinstance(c, dict)]
    if entries and not any("type" in c for c in entries):
        return "parameters"
    return "app"


def has_types_of_python(documents):
    """Types that the schemas of schemas/ do not know."""
    named = [str(name) for d in documents if isinstance(d, dict) for name in d.get("extensions") or []]
    return any(name.endswith(".py") or name == "gxr.nn" for name in named)


def problems_of(path, checks):
    documents = load_documents(path)
    if has_types_of_python(documents):
        return
    check = checks[kind_of(path, documents)]
    for number, document in enumerate(documents, 1):
        for error in check.iter_errors(document):
            found = deepest(error)
            place = "/".join(str(step) for step in found.absolute_path)
            yield f"{path}: document {number}: {place}: {found.message[:300]}"


def check_current(options):
    differences = []
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GXR_")}
    for kind in KINDS:
        path = options.schemas / f"{kind}.schema.json"
        written = subprocess.run(
            [options.gxr, "schema", kind], check=True, capture_output=True, text=True, env=environment
        ).stdout
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        differences += difflib.unified_diff(
            kept.splitlines(), written.splitlines(), str(path), f"gxr schema {kind}", lineterm="", n=1
        )
    if differences:
        print("\n".join(differences[:60]))
        print("schemas/ is not what gxr writes: build the target update_schemas, then look at the difference")
    return 1 if differences else 0


def check_apps(options):
    checks = {kind: validator(options.schemas, kind) for kind in KINDS}
    files = []
    for folder in ("apps", "extensions"):
        found = sorted((options.source_dir / folder).rglob("*.yaml"))
        files += [path for path in found if not path.name.endswith("ranks.yaml")]  # files of --place
    problems = [problem for path in files for problem in problems_of(path, checks)]
    print("\n".join(problems))
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or not files else 0


def check_invalid(options):
    """Each file begins with `# KIND: place`, the place of the one value that its schema must refuse."""
    failures = []
    files = sorted((pathlib.Path(__file__).parent / "invalid").glob("*.yaml"))
    for path in files:
        kind, place = re.match(r"# (\w+): (.*)", path.read_text(encoding="utf-8")).groups()
        check = validator(options.schemas, kind)
        found = [deepest(error) for document in load_documents(path) for error in check.iter_errors(document)]
        places = {"/".join(str(step) for step in error.absolute_path) for error in found}
        if places != {place.strip()}:
            failures.append(f"{path}: must be refused at '{place.strip()}' only, is at {sorted(places)}")
    print("\n".join(failures))
    print(f"{len(files)} files, {len(failures)} failures")
    return 1 if failures or not files else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["current", "apps", "invalid"])
    parser.add_argument("--schemas", type=pathlib.Path, required=True)
    parser.add_argument("--gxr", type=pathlib.Path, required=True)
    parser.add_argument("--source-dir", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if options.what == "current":
        return check_current(options)
    if jsonschema is None:
        print(f"skipped: the Python module {MISSING} is missing (packages python3-jsonschema and python3-yaml)")
        return SKIPPED
    return check_apps(options) if options.what == "apps" else check_invalid(options)


if __name__ == "__main__":
    sys.exit(main())
