#!/usr/bin/env python3
"""Prints the program of a CUDA graph that `gxr plan --format json` tells on standard input: a line for each node, buffer, port and doorbell. With a
name, that of this region."""
import json
import sys

# Traits have a transcript of their own.
LEFT_OUT = {"kind", "body", "entity", "codelet", "component", "branch", "traits"}


def words(pairs):
    return ", ".join(f"{key} {json.dumps(value)}" for key, value in pairs if value is not None and value is not False and value != [])


def show_nodes(nodes, body, depth):
    for number, node in enumerate(nodes):
        if (node["body"] or {"branch": None, "number": 0}) != body:
            continue
        name = node.get("entity") or node.get("branch") or ""
        more = words((key, value) for key, value in node.items() if key not in LEFT_OUT)
        print(f"{'  ' * depth}node {number} {node['kind']} {name}: {more}".replace(" :", ":"))
        for i in range(node.get("bodies", 0)):
            print(f"{'  ' * depth}  body {i}")
            show_nodes(nodes, {"branch": number, "number": i}, depth + 2)


def main():
    plan = json.load(sys.stdin)
    graphs = [region["graph"] for region in plan["regions"] if "graph" in region and region["name"] in (sys.argv[1:] or [region["name"]])]
    for graph in graphs:
        show_nodes(graph["nodes"], {"branch": None, "number": 0}, 0)
        for number, buffer in enumerate(graph["buffers"]):
            name = buffer.get("transmitter") or (buffer.get("receivers") or [""])[0]
            known = words((key, buffer.get(key)) for key in ("bytes", "offset", "same_as", "delays", "in_turn", "memory_of", "lasts"))
            print(f"buffer {number} {buffer['place']} {name}: {known}".replace(" :", ":"))
        for kind in ("inputs", "outputs"):
            for port in graph[kind]:
                print(f"{kind[:-1]} buffer {port['buffer']}: {port['links'][0]['transmitter']} to {port['links'][0]['receiver']}")
        for bell in graph["doorbells"]:
            print(f"doorbell {bell['component']}: " + words((key, bell[key]) for key in ("node", "source")))


if __name__ == "__main__":
    main()
