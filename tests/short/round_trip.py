#!/usr/bin/env python3
"""Every application has a short form that means the same.

For each application file of a folder or transcript that `gxr expand` accepts: what `gxr expand --short` prints is
accepted, and expands to the same graph as the application. Compared are the entities in their order, the types and
parameters of their components, handles by what they lead to, and the connections. Names of codelets and of scheduling
terms may differ, and a Connection may stand in another entity.

--tenth: a tenth of the transcripts; which one goes by the number of commits.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
import lint_sources  # noqa: E402

SKIPPED = 77
TENTH = 10

try:
    import yaml
except ImportError:
    yaml = None

CONNECTIONS = {"gxr::Connection"}
UNSPECIFIED = "<Unspecified>"
# New names for all lines of tables of graphs: those of the short form.
RENAMES = ["memory=gxr.memory", "scheduler=gxr.scheduler", "scheduler/greedy=scheduler"]
# Entities that gxr adds. They have no codelets, so their place among the others has no effect.
ADDED = ("gxr.memory", "gxr.scheduler")
TERM = re.compile(r"SchedulingTerm(Combiner)?$|Combiner$")


class TextLoader(yaml.BaseLoader if yaml else object):
    """All scalars as they are written."""


if yaml:
    TextLoader.add_multi_constructor("", lambda loader, _suffix, node: plain(loader, node))


def plain(loader, node):
    """A value with a tag of its own, without it."""
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [loader.construct_object(item, deep=True) for item in node.value]
    return {loader.construct_object(key, deep=True): loader.construct_object(value, deep=True) for key, value in node.value}


class Graph:
    """What an expanded application says."""

    def __init__(self, text, nameless, names):
        self.nameless = nameless  # types whose components may have any name
        self.entities = []
        self.other = []
        unnamed = 0
        for document in yaml.load_all(text, TextLoader):
            if not isinstance(document, dict):
                continue
            if "components" not in document:
                self.other.append(document)
                continue
            components = document["components"] or []
            for component in components:
                component["type"] = names.get(component["type"], component["type"])
            name = document.get("name")
            if name in (None, "gxr.connections") and all(c.get("type") in CONNECTIONS for c in components):
                name = ""
            elif name is None:
                name = f"#{unnamed}"
                unnamed += 1
            self.entities.append((name, components))
        self.find_types()

    def rename(self, renames):
        """Gives entities ("old") and components ("entity/old", or "entity/type" if without a name) new names, also in
        handles."""
        names = {}
        for entity, components in self.entities:
            for component in components:
                name = component.get("name")
                new = renames.get(f"{entity}/{name or component['type']}", name)
                names[entity, name] = (renames.get(entity, entity), new)
                if name is None and new:
                    component["name"] = new
        for entity, components in self.entities:
            for component in components:
                for key, value in (component.get("parameters") or {}).items():
                    if isinstance(value, str):
                        own = "/" not in value
                        found = names.get((entity, value) if own else tuple(value.split("/", 1)))
                        if found:
                            component["parameters"][key] = found[1] if own else "/".join(found)
        for entity, components in self.entities:
            for component in components:
                if "name" in component:
                    component["name"] = names.get((entity, component["name"]), ("", component["name"]))[1]
        self.entities = [(renames.get(entity, entity), components) for entity, components in self.entities]
        self.find_types()

    def find_types(self):
        self.types = {}
        for entity, components in self.entities:
            for component in components:
                self.types.setdefault((entity, component.get("name")), component["type"])

    def target(self, entity, text):
        """A handle by what it leads to; other texts as they are."""
        if not isinstance(text, str):
            return repr(text)
        name = text.split("/", 1) if "/" in text else [entity, text]
        if (name[0], name[1]) not in self.types:
            return text
        kind = self.types[(name[0], name[1])]
        return f"{name[0]}/{kind if self.may_differ(kind) else name[1]}"

    def may_differ(self, kind):
        return kind in self.nameless or TERM.search(kind) is not None

    def value(self, entity, value):
        if isinstance(value, list):
            return [self.value(entity, item) for item in value]
        if isinstance(value, dict):
            return {key: self.value(entity, item) for key, item in value.items()}
        return self.target(entity, value)

    def meaning(self):
        """Names of entities in order, the components of each, and all connections."""
        order = []
        components = collections.defaultdict(list)
        connections = []
        for entity, entries in self.entities:
            if entity != "":
                order.append(entity)
            for entry in entries:
                kind = entry["type"]
                parameters = {key: self.value(entity, value) for key, value in (entry.get("parameters") or {}).items()
                              if value != UNSPECIFIED}
                text = f"{kind} {sorted(parameters.items())}"
                if kind in CONNECTIONS:
                    connections.append(text)
                    continue
                name = "" if self.may_differ(kind) else entry.get("name", "")
                components[entity].append(f"{name} {text}")
        order.sort(key=lambda name: name if name in ADDED else "")
        return order, {name: sorted(lines) for name, lines in components.items()}, sorted(connections), self.other


class Tester:
    def __init__(self, gxr, options):
        self.gxr, self.options = gxr, options
        self.codelets = None
        self.names = {}
        self.tested = 0
        self.short = 0
        self.failed = []

    def expand(self, folder, *arguments, text=None):
        return subprocess.run([self.gxr, "expand", *arguments, *self.options], cwd=folder, text=True, input=text,
                              capture_output=True, check=False)

    def types_of_codelets(self, folder):
        if self.codelets is None:
            listed = subprocess.run([self.gxr, "list", "types", "--format", "json", *self.options], cwd=folder, text=True,
                                    capture_output=True, check=True).stdout
            types = json.loads(listed)
            base_of = {kind["name"]: kind["base"] for kind in types}
            self.codelets = set()
            self.names = {alias: kind["name"] for kind in types for alias in kind["aliases"]}
            for kind in types:
                base = kind["name"]
                while base and base != "gxr::Codelet":
                    base = base_of.get(base, "")
                if base:
                    self.codelets.update([kind["name"], *kind["aliases"]])
        return self.codelets

    def compare(self, first, second, renames):
        """The graphs of two files are the same, if entities and queues of the first have these new names."""
        texts = [self.expand(".", file) for file in (first, second)]
        if any(text.returncode for text in texts):
            self.failed.append("".join(text.stderr for text in texts))
            return
        nameless = self.types_of_codelets(".")
        wanted, got = (Graph(text.stdout, nameless, self.names) for text in texts)
        wanted.rename(renames)
        self.tested += 1
        self.short += 1
        if sorted(wanted.meaning()[0]) != sorted(got.meaning()[0]) or wanted.meaning()[1:] != got.meaning()[1:]:
            self.failed.append(f"{second} means something else:\n--- wanted\n{wanted.meaning()}\n--- got\n{got.meaning()}")

    def test(self, folder, file):
        whole = self.expand(folder, file)
        if whole.returncode != 0 or "\n---\n" not in whole.stdout:
            return
        self.tested += 1
        short = self.expand(folder, "--short", file)
        again = self.expand(folder, "-", text=short.stdout)
        if short.returncode != 0 or again.returncode != 0:
            self.failed.append(f"{file}: the short form is not accepted:\n{short.stdout}\n{short.stderr}{again.stderr}")
            return
        self.short += "\noperator: " in short.stdout
        nameless = self.types_of_codelets(folder)
        wanted, got = (Graph(text, nameless, self.names).meaning() for text in (whole.stdout, again.stdout))
        if wanted != got:
            self.failed.append(f"{file}: the short form means something else:\n{short.stdout}\n--- wanted\n{wanted}\n--- got\n{got}")


def lines_of_table(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def files_of_transcript(path, folder):
    """Writes the files of a transcript; the names of those that may be applications."""
    names = []
    lines = None
    for line in pathlib.Path(path).read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True):
        started = re.match(r"== file (\S+)", line)
        if started:
            name = pathlib.PurePosixPath(started.group(1))
            if name.is_absolute() or ".." in name.parts:
                lines = None
                continue
            names.append(str(name))
            lines = []
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        elif line.startswith("== "):
            lines = None
        if lines is not None and not started:
            with open(folder / names[-1], "a", encoding="utf-8", errors="surrogateescape") as file:
                file.write(line)
    return [name for name in names if name.endswith((".yaml", ".yml"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="folders with applications, transcripts or folders of them")
    parser.add_argument("--gxr", required=True)
    parser.add_argument("--extensions", help="folder of test extensions")
    parser.add_argument("--same-graphs", help="instead: a table of applications that have the graph of another file")
    parser.add_argument("--tenth", action="store_true", help="only a tenth of the transcripts")
    parser.add_argument("--least", type=int, default=1, help="number of applications that must have entities in the short form")
    arguments = parser.parse_args()
    if yaml is None:
        print("PyYAML is missing")
        return SKIPPED
    if arguments.extensions:
        os.environ["GXR_EXTENSION_PATH"] = os.path.abspath(arguments.extensions)
    tester = Tester(os.path.abspath(arguments.gxr), [])
    if arguments.same_graphs:
        table = pathlib.Path(arguments.same_graphs)
        for line in lines_of_table(table):
            renames = dict(rename.split("=", 1) for rename in [*RENAMES, *line[2:]])
            tester.compare(table.parent / "gxf" / line[1], table.parents[2] / line[0], renames)
    turn = len(lint_sources.git("rev-list", "HEAD")) % TENTH
    place = 0
    for path in map(pathlib.Path, arguments.paths):
        for file in sorted(path.rglob("*.yaml")) if path.is_dir() else []:
            tester.test(file.parent, file.name)
        for transcript in sorted(path.rglob("*.test")) if path.is_dir() else [path]:
            place += 1
            if arguments.tenth and place % TENTH != turn:
                continue
            with tempfile.TemporaryDirectory() as folder:
                for name in files_of_transcript(transcript, pathlib.Path(folder)):
                    before = len(tester.failed)
                    tester.test(folder, name)
                    tester.failed[before:] = [f"{transcript}: {text}" for text in tester.failed[before:]]
    for failure in tester.failed:
        print(failure)
    print(f"{tester.tested} applications, {tester.short} with a short form, {len(tester.failed)} failed")
    return 1 if tester.failed or tester.short < arguments.least else 0


if __name__ == "__main__":
    sys.exit(main())
