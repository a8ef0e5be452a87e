#!/usr/bin/env python3
"""Random graphs with branches are planned by gxr and then run in thought: lists and numbers of trips at random, what may run at the same time in random
order. No step may find that somebody else has written what it reads, what it works with or what it has just written."""
import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

CELL = 256  # the alignment of all offsets


# ------------------------------------------------------------------------------------------ random applications

class Maker:
    """Writes an application; tensors that are wide differ from those that are not."""

    def __init__(self, rng):
        self.rng = rng
        self.entities, self.connections, self.branches = [], [], []

    def entity(self, kind, reads, output=True, **parameters):
        """Its name. `reads`: names of entities, by receiver."""
        name = f"e{len(self.entities)}"
        lines = [f"name: {name}", "components:"]
        for port, source in reads.items():
            lines += [f"- {{name: {port}, type: gxr::DoubleBufferReceiver}}",
                      f"- {{type: gxr::MessageAvailableSchedulingTerm, parameters: {{receiver: {port}}}}}"]
            self.connections.append(f"- {{type: gxr::Connection, parameters: {{source: {source}/out, target: {name}/{port}}}}}")
        if output:
            lines.append("- {name: out, type: gxr::DoubleBufferTransmitter}")
            parameters["out"] = "out"
        listed = ", ".join(f"{key}: {value}" for key, value in {**{port: port for port in reads}, **parameters}.items())
        lines.append(f"- {{type: test::{kind}, parameters: {{{listed}}}}}")
        self.entities.append("\n".join(lines))
        return name

    def stage(self, seen):
        """An operator with one input or two, of which it knows the width."""
        rng = self.rng
        name, width = rng.choice(seen)
        same = [other for other, its_width in seen if its_width == width and other != name]
        if same and rng.random() < 0.4:
            return self.entity("Join", {"first": name, "second": rng.choice(same)}), width
        factor = rng.choice([1, 1, 1, 2]) if width < 512 else 1
        made = self.entity("Stage", {"in": name}, factor=factor, scratch=rng.choice([0, 0, 300, 5000]))
        return made, width * factor

    def block(self, seen, depth):
        """Names of all entities of a new list, and what it has written, always or perhaps."""
        rng = self.rng
        names, written = [], []
        for _ in range(rng.randint(1, 4)):
            if depth < 3 and rng.random() < 0.45:
                more, made = self.branch(seen + written, depth)
                names += more
            else:
                made = [self.stage(seen + written)]
                names += [name for name, _ in made]
            written += made
        return names, written

    def branch(self, seen, depth):
        rng = self.rng
        kind = rng.choice(["If", "If", "Switch", "While", "Every"])
        if kind == "Every":
            names, written = self.block(seen, depth + 1)
            if any(each == "Every" and set(other["body"]) == set(names) for each, other in self.branches):
                more = self.stage(seen + written)
                names.append(more[0])
                written.append(more)
            self.add_branch(kind, count=rng.randint(1, 3), first=rng.choice([0, 0, 1, 2]), body=names)
            return names, written
        if kind == "While":
            names, written = self.block(seen, depth + 1)
            condition = self.entity("Measure", {"in": rng.choice(written)[0]}) if rng.random() < 0.5 else None
            condition = condition or self.entity("Measure", {"in": rng.choice(seen)[0]})
            names.append(condition)
            self.add_branch(kind, condition=f"{condition}/out", body=names)
            return names, written
        selector = self.entity("Measure", {"in": rng.choice(seen)[0]})
        lists = [self.block(seen, depth + 1) for _ in range(rng.choice([1, 2, 2]) if kind == "If" else rng.randint(1, 3))]
        self.select(kind, selector, [names for names, _ in lists])
        written = [made for _, in_list in lists for made in in_list]
        all_names = [selector] + [name for names, _ in lists for name in names]
        if len(lists) > 1 and rng.random() < 0.6:
            extra, shared = self.in_turn(seen, lists)
            all_names += extra
            written += shared
        return all_names, written

    def in_turn(self, seen, lists):
        """An operator more in each list, which all send to one behind the branch."""
        source, width = self.rng.choice(seen)
        ends = [self.entity("Stage", {"in": source}) for _ in lists]
        for (names, _), end in zip(lists, ends):
            names.append(end)
        reader = self.entity("Stage", {"in": ends[0]})
        for end in ends[1:]:
            self.connections.append(f"- {{type: gxr::Connection, parameters: {{source: {end}/out, target: {reader}/in}}}}")
        return ends + [reader], [(reader, width)]

    def select(self, kind, selector, lists):
        if kind == "Switch":
            self.add_branch(kind, selector=f"{selector}/out", cases=lists)
        else:
            self.add_branch(kind, selector=f"{selector}/out", then=lists[0], **({"else": lists[1]} if len(lists) > 1 else {}))

    def add_branch(self, kind, **parameters):
        self.branches.append((kind, parameters))  # lists may still grow

    def application(self):
        sources = [(self.entity("Produce", {}, columns=width), width) for width in self.rng.choice([(64,), (64, 64), (64, 128)])]
        names, written = self.block(sources, 0)
        names += [name for name, _ in sources]
        for name, _ in self.rng.sample(written, min(len(written), 2)):
            names.append(self.entity("Absorb", {"in": name}, output=False))
        listed = [f"- {{type: gxr::cuda::{kind}, parameters: "
                  + json.dumps(parameters).replace('"', "") + "}" for kind, parameters in self.branches]
        self.rng.shuffle(listed)
        executor = "- {name: executor, type: gxr::cuda::GraphExecutor, parameters: {entities: [" + ", ".join(names) + "]}}"
        scheduler = "- {name: clock, type: gxr::RealtimeClock}\n- {type: gxr::GreedyScheduler, parameters: {clock: clock}}"
        parts = self.entities + ["components:\n" + "\n".join(part) for part in (self.connections, [executor] + listed, [scheduler]) if part]
        return "\n---\n".join(parts) + "\n"


# ------------------------------------------------------------------------------------------------- imagined runs

class Broken(Exception):
    pass


class Run:
    """Iterations of a planned graph. Each cell of the arena knows who wrote it last."""

    def __init__(self, graph, rng):
        self.nodes, self.buffers, self.rng = graph["nodes"], graph["buffers"], rng
        self.in_body = {}  # by branch and number; (None, 0): the iteration
        for number, node in enumerate(self.nodes):
            body = node["body"] or {"branch": None, "number": 0}
            self.in_body.setdefault((body["branch"], body["number"]), []).append(number)
        self.cells = {}
        self.current = {}  # of a buffer: who wrote it last, and in which iteration
        self.iteration = 0
        self.count = 0

    def write(self, offset, size, tag):
        for cell in range(offset // CELL, (offset + size + CELL - 1) // CELL):
            self.cells[cell] = tag

    def require(self, offset, size, tag, what):
        for cell in range(offset // CELL, (offset + size + CELL - 1) // CELL):
            if self.cells.get(cell) != tag:
                raise Broken(f"{what}: at {cell * CELL} is {self.cells.get(cell)}, not {tag}")

    def read(self, buffer, who):
        """Who wrote it; it must be of this iteration, unless it lasts."""
        at = self.buffers[buffer]
        tag, iteration = self.current.get(buffer, (None, self.iteration if at["lasts"] else -1))
        if iteration != self.iteration and not at["lasts"]:
            raise Broken(f"{who} reads {at['transmitter']}, which nobody has written, and which does not last")
        self.require(at["offset"], at["bytes"], tag, f"{who} reads {at['transmitter']}")
        return tag

    def run_operator(self, node):
        """Begins, lets others go on, and ends."""
        name = node["entity"]
        tags = {buffer: self.read(buffer, name) for buffer in node["reads"]}
        self.count += 1
        mine = []
        for buffer in node["writes"]:
            at = self.buffers[buffer]
            tag = (name, "out", self.count)
            self.write(at["offset"], at["bytes"], tag)
            self.current[buffer] = (tag, self.iteration)
            mine.append((at["offset"], at["bytes"], tag))
        if node["scratch"] is not None:
            at = self.buffers[node["scratch"]]
            tag = (name, "scratch", self.count)
            self.write(at["offset"], at["bytes"], tag)
            mine.append((at["offset"], at["bytes"], tag))
        yield
        for buffer, tag in tags.items():
            at = self.buffers[buffer]
            self.require(at["offset"], at["bytes"], tag, f"{name} still reads {at['transmitter']}")
        for offset, size, tag in mine:
            self.require(offset, size, tag, f"{name} has just written")

    def run_branch(self, number):
        branch = self.nodes[number]
        if branch["branch"] == "while":
            for _ in range(self.rng.randint(1, 3)):
                yield from self.run_body(number, 0)
                self.read(branch["selector"], branch["component"])
            return
        if branch["branch"] == "every":
            yield
            if self.iteration >= branch["first"] and (self.iteration - branch["first"]) % branch["count"] == 0:
                yield from self.run_body(number, 0)
            return
        self.read(branch["selector"], branch["component"])
        yield
        chosen = self.rng.randrange(branch["bodies"] + (1 if branch["branch"] == "switch" else 0))
        if chosen < branch["bodies"]:
            yield from self.run_body(number, chosen)

    def run_body(self, branch, body):
        """Each node begins when those that it is said to follow have ended; the rest is chance."""
        nodes = self.in_body.get((branch, body), [])
        running, done = {}, set()
        while len(done) < len(nodes):
            for number in nodes:
                node = self.nodes[number]
                if number not in running and number not in done and set(node["after"]) <= done:
                    running[number] = self.run_operator(node) if node["kind"] == "operator" else self.run_branch(number)
            if not running:
                raise Broken("nothing can go on")
            number = self.rng.choice(list(running))
            try:
                next(running[number])
            except StopIteration:
                done.add(number)
                del running[number]
            yield

    def run(self, iterations):
        for at in self.buffers:
            if at["lasts"]:
                self.write(at["offset"], at["bytes"], None)
        for self.iteration in range(iterations):
            for _ in self.run_body(None, 0):
                pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gxr", required=True)
    parser.add_argument("--extensions", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    library = str(Path(arguments.extensions) / "graph_operators.so")
    with_branches, steps = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            rng = random.Random(seed)
            application = Maker(rng).application()
            file = Path(folder) / "app.yaml"
            file.write_text(application, encoding="utf-8")
            done = subprocess.run([arguments.gxr, "plan", "-x", library, str(file), "--format", "json"], text=True, capture_output=True,
                                  check=False)
            try:
                if done.returncode != 0:
                    raise Broken(f"gxr plan ended with {done.returncode}: {done.stderr or done.stdout}")
                (graph,) = [each["graph"] for each in json.loads(done.stdout)["regions"] if "graph" in each]
                for _ in range(10):
                    Run(graph, rng).run(4)
            except Broken as broken:
                print(application)
                sys.exit(f"seed {seed}: {broken}")
            with_branches += any(node["kind"] == "branch" for node in graph["nodes"])
            steps += sum(node["kind"] == "operator" for node in graph["nodes"])
    print(f"{arguments.count} graphs of {steps / arguments.count:.1f} steps, {with_branches} with branches: nothing was overwritten")
    if with_branches < arguments.count // 2:
        sys.exit("too few graphs had branches")


if __name__ == "__main__":
    main()
