#!/usr/bin/env python3
"""Plays an editor that talks to `gxr lsp`, and prints what comes back.

    session.py [--gxr FILE] [--options JSON] < SESSION

Each line of the session is a command. A place is `LINE:CHARACTER` from 1, in UTF-16 units, or the text in front of which
the cursor stands: `before "text"`, `after "text"`, in the file as it is by then.

    open FILE               show a file
    type FILE PLACE TEXT    write at a place, "\\n" for a new line
    erase FILE COUNT before|after "text"   remove so many units there
    complete FILE PLACE     labels of what may stand there
    hover FILE PLACE
    definition FILE PLACE
    references FILE PLACE
    rename FILE PLACE NAME  the edits, applied to the files that are open
    symbols FILE
    fixes FILE PLACE
    problems FILE           the last diagnostics that came
    show FILE               the text
    close FILE
    send JSON               any message; prints the answer to a request
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys


def units(text):
    """UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


class Client:
    def __init__(self, command):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.problems = {}

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = None
        while (line := self.server.stdout.readline().strip()):
            name, value = line.split(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if length is None:
            raise SystemExit(f"the server ended with {self.server.wait()}")
        message = json.loads(self.server.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.problems[message["params"]["uri"]] = message["params"]
        return message

    def request(self, method, parameters):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        while (message := self.receive()).get("id") != self.number:
            pass
        return message

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})


class Session:
    def __init__(self, client):
        self.client = client
        self.texts = {}
        self.versions = {}

    @staticmethod
    def uri(file):
        return pathlib.Path(file).resolve().as_uri()

    def text(self, file):
        return self.texts[file]

    def position_of(self, file, offset):
        lines = re.split("\r\n|\r|\n", self.text(file)[:offset])
        return {"line": len(lines) - 1, "character": units(lines[-1])}

    def offset_of(self, file, position):
        line = 0
        start = 0
        for match in re.finditer("\r\n|\r|\n", self.text(file)):
            if line == position["line"]:
                break
            line, start = line + 1, match.end()
        rest = self.text(file)[start:]
        return start + len(rest.encode("utf-16-le")[:2 * position["character"]].decode("utf-16-le"))

    def place(self, file, words):
        """Takes the words of a place away."""
        first = words.pop(0)
        if first in ("before", "after"):
            sought = words.pop(0).replace("\\n", "\n")
            offset = self.text(file).index(sought) + (len(sought) if first == "after" else 0)
            return self.position_of(file, offset)
        line, character = first.split(":")
        return {"line": int(line) - 1, "character": int(character) - 1}

    def edit(self, file, start, end, text):
        whole = self.text(file)
        begin, finish = self.offset_of(file, start), self.offset_of(file, end)
        self.texts[file] = whole[:begin] + text + whole[finish:]

    def change(self, file, start, end, text):
        self.edit(file, start, end, text)
        self.versions[file] += 1
        self.client.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri(file), "version": self.versions[file]},
            "contentChanges": [{"range": {"start": start, "end": end}, "text": text}]})

    def ask(self, method, file, words=None, **more):
        parameters = {"textDocument": {"uri": self.uri(file)}, **more}
        if words is not None:
            parameters["position"] = self.place(file, words)
        answer = self.client.request("textDocument/" + method, parameters)
        if "error" in answer:
            print(f"error {answer['error']['code']}: {answer['error']['message']}")
        return answer.get("result")

    def describe(self, uri, place):
        start, end = place["start"], place["end"]
        name = pathlib.PurePosixPath(uri).name
        return f"{name}:{start['line'] + 1}:{start['character'] + 1}-{end['line'] + 1}:{end['character'] + 1}"

    # --- the commands

    def do_open(self, file):
        self.texts[file] = pathlib.Path(file).read_bytes().decode()
        self.versions[file] = self.versions.get(file, 0) + 1
        self.client.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(file), "languageId": "yaml", "version": self.versions[file], "text": self.text(file)}})

    def do_close(self, file):
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(file)}})

    def do_type(self, file, *words):
        words = list(words)
        place = self.place(file, words)
        self.change(file, place, place, words[0].replace("\\n", "\n"))

    def do_erase(self, file, count, *words):
        place = self.place(file, list(words))
        self.change(file, place, {**place, "character": place["character"] + int(count)}, "")

    def do_complete(self, file, *words):
        for item in self.ask("completion", file, list(words)) or []:
            print(item["label"] + (f"  {item['detail']}" if "detail" in item else ""))

    def do_hover(self, file, *words):
        answer = self.ask("hover", file, list(words))
        print(answer["contents"]["value"] if answer else "nothing")

    def places(self, method, file, words, **more):
        answer = self.ask(method, file, list(words), **more) or []
        print("\n".join(self.describe(each["uri"], each["range"]) for each in answer) or "nothing")

    def do_definition(self, file, *words):
        self.places("definition", file, words)

    def do_references(self, file, *words):
        self.places("references", file, words, context={"includeDeclaration": True})

    def do_rename(self, file, *words):
        words = list(words)
        answer = self.ask("rename", file, words, newName=words[-1])
        for uri, edits in sorted((answer or {"changes": {}})["changes"].items()):
            for each in edits:
                print(self.describe(uri, each["range"]), each["newText"])
            opened = next((file for file in self.texts if self.uri(file) == uri), None)
            for each in sorted(edits, key=lambda each: -self.offset_of(opened, each["range"]["start"])):
                self.change(opened, each["range"]["start"], each["range"]["end"], each["newText"])

    def do_symbols(self, file):
        for each in self.ask("documentSymbol", file):
            print(each["name"] + (f" ({each['detail']})" if each["detail"] else ""), self.describe(self.uri(file), each["range"]))
            for child in each["children"]:
                print("  " + child["name"] + (f" ({child['detail']})" if child["detail"] else ""))

    def do_fixes(self, file, *words):
        place = self.place(file, list(words))
        for each in self.ask("codeAction", file, range={"start": place, "end": place}, context={"diagnostics": []}):
            print(each["title"])
            for edit in each["edit"]["changes"][self.uri(file)]:
                self.change(file, edit["range"]["start"], edit["range"]["end"], edit["newText"])

    def do_problems(self, file):
        uri = self.uri(file)
        while self.client.problems.get(uri, {}).get("version") != self.versions.get(file):
            self.client.receive()
        found = self.client.problems[uri]["diagnostics"]
        for each in found:
            severity = {1: "error", 2: "warning"}[each["severity"]]
            print(f"{self.describe(uri, each['range'])} {severity}[{each['code']}] {each['message']}")
            for related in each.get("relatedInformation", []):
                print("  " + self.describe(related["location"]["uri"], related["location"]["range"]), related["message"])
        if not found:
            print("none")

    def do_show(self, file):
        print(self.text(file), end="")

    def do_send(self, message):
        parsed = json.loads(message)
        self.client.send(parsed)
        if "id" in parsed:
            while (answer := self.client.receive()).get("id") != parsed["id"]:
                pass
            print(json.dumps({key: answer[key] for key in ("result", "error") if key in answer}, sort_keys=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gxr", default="gxr")
    parser.add_argument("--options", default="{}", help="initializationOptions")
    arguments = parser.parse_args()
    client = Client([arguments.gxr, "lsp"])
    session = Session(client)
    client.request("initialize", {"processId": None, "rootUri": pathlib.Path.cwd().as_uri(), "capabilities": {},
                                  "initializationOptions": json.loads(arguments.options)})
    client.notify("initialized", {})
    for line in sys.stdin:
        line = line.strip()
        if line and not line.startswith("#"):
            print("> " + line)
            command, *words = [line[:4], line[5:]] if line.startswith("send ") else shlex.split(line)
            getattr(session, "do_" + command)(*words)
    client.request("shutdown", None)
    client.notify("exit", None)
    status = client.server.wait()
    if status != 0:
        print(f"the server ended with {status}")


if __name__ == "__main__":
    main()
