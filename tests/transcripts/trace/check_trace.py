#!/usr/bin/env python3
"""Checks a file of `gxr run --trace` against the Trace Event Format, and against the report of the same run.

    check_trace.py TRACE [REPORT]

TRACE is the file, REPORT what `gxr run --format json` printed. Prints what is on the tracks, without times. The end of a file
may be missing when its process was killed while it wrote.

Exit status: 0 all right, 1 something is wrong, 2 wrong usage.
"""

import bisect
import collections
import datetime
import json
import re
import sys

NUMBER = (int, float)
# Fields that an event must have beside ph, pid, tid and name, by phase.
FIELDS = {
    "M": {"args": dict},
    "X": {"ts": NUMBER, "dur": NUMBER, "cat": str, "args": dict},
    "B": {"ts": NUMBER, "cat": str, "args": dict},
    "i": {"ts": NUMBER, "s": str, "args": dict},
    "s": {"ts": NUMBER, "cat": str, "id": (int, str)},
    "f": {"ts": NUMBER, "cat": str, "id": (int, str)},
    "C": {"ts": NUMBER, "args": dict},
}
METADATA = {"process_name": ("name", str), "thread_name": ("name", str), "thread_sort_index": ("sort_index", int)}


def ns(microseconds):
    return round(microseconds * 1000)


def check_fields(event):
    fields = {"ph": str, "pid": int, "tid": int, "name": str}
    fields |= FIELDS.get(event.get("ph"), {})
    if event.get("ph") not in FIELDS:
        yield "unknown phase"
    for field, kind in fields.items():
        if not isinstance(event.get(field), kind) or isinstance(event.get(field), bool):
            yield f"'{field}' is missing or of the wrong type"
    if event.get("dur", 0) < 0 or event.get("ts", 0) < 0:
        yield "a time is negative"
    if event.get("ph") == "M":
        key, kind = METADATA.get(event.get("name"), (None, None))
        if key is None or not isinstance(event.get("args", {}).get(key), kind):
            yield "unknown metadata"


def check_order(track, events):
    """The events of a track contain each other or follow each other, and those that contain others come first."""
    open_ends = []
    last = 0
    for event in events:
        begin = ns(event["ts"])
        end = begin + ns(event["dur"])
        if begin < last:
            yield f"track {track}: '{event['name']}' begins before the event in front of it"
        last = begin
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        if open_ends and end > open_ends[-1]:
            yield f"track {track}: '{event['name']}' ends behind the event that contains it"
        open_ends.append(end)


def check_flows(events):
    """Each arrow has one beginning and one end behind it, both inside of slices of their tracks."""
    ends = collections.defaultdict(list)
    slices = collections.defaultdict(list)
    for event in events:
        if event["ph"] in "sf":
            ends[event["id"]].append(event)
        elif event["ph"] == "X":
            slices[event["tid"]].append((ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])))
    has_open_slices = any(event["ph"] == "B" for event in events)
    begins = {track: [begin for begin, _ in on_track] for track, on_track in slices.items()}
    for number, found in ends.items():
        if [event["ph"] for event in found] != ["s", "f"]:
            yield f"flow {number} has not one start and one end behind it"
            continue
        if found[1]["ts"] < found[0]["ts"]:
            yield f"flow {number} ends before it starts"
        if any(found[0][key] != found[1][key] for key in ("name", "cat")):
            yield f"flow {number} has two names"
        for event in found:
            time = ns(event["ts"])
            place = bisect.bisect_right(begins.get(event["tid"], []), time)
            nearby = slices[event["tid"]][max(place - 4, 0):place]
            if not has_open_slices and all(end < time for _, end in nearby):
                yield f"flow {number}: no slice is at its '{event['ph']}'"


def check_counters(events):
    for event in events:
        if event["ph"] == "C" and any(not isinstance(value, int) or value < 0 for value in event["args"].values()):
            yield f"counter '{event['name']}' is no number of messages"


def check_names(events):
    named = {event["tid"] for event in events if event["name"] == "thread_name"}
    for track in sorted({event["tid"] for event in events if event["ph"] != "M"} - named):
        yield f"track {track} has no name"
    if [event["name"] for event in events].count("process_name") != 1:
        yield "the process has not one name"


def check_other_data(trace):
    other = trace.get("otherData", {})
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z", other.get("begin", "")):
        yield "'begin' is no time in UTC"
    else:
        datetime.datetime.fromisoformat(other["begin"][:19])
    if other.get("events") != sum(event["ph"] == "X" for event in trace["traceEvents"]):
        yield "'events' is not the number of complete events"
    if trace.get("displayTimeUnit") != "ns":
        yield "'displayTimeUnit' is not ns"


def check_report(events, report):
    """Each tick that succeeded is in the report, and no other."""
    ticks = collections.Counter(
        event["name"] for event in events if event.get("cat") == "tick" and "failure" not in event["args"])
    counted = collections.Counter()
    for entity in report["entities"]:
        counted[entity["entity"]] += entity["ticks"]
    for name in sorted(set(ticks) | set(counted)):
        if ticks[name] != counted[name]:
            yield f"'{name}': {ticks[name]} ticks in the trace, {counted[name]} in the report"


def check(trace, report):
    events = trace["traceEvents"]
    for number, event in enumerate(events):
        for problem in check_fields(event):
            yield f"event {number}: {problem}: {json.dumps(event)}"
            return
    tracks = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            tracks[event["tid"]].append(event)
    for track, on_track in tracks.items():
        yield from check_order(track, on_track)
    yield from check_flows(events)
    yield from check_counters(events)
    yield from check_names(events)
    yield from check_other_data(trace)
    if report is not None:
        yield from check_report(events, report)


def summary(trace):
    """Lines "CATEGORY NAME: NUMBER[, FAILED failed]"."""
    found = collections.defaultdict(lambda: [0, 0])
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            count = found[event["cat"], event["name"]]
            count[0] += 1
            count[1] += "failure" in event["args"]
    for (category, name), (all_of_them, failed) in sorted(found.items()):
        yield f"{category} {name}: {all_of_them}" + (f", {failed} failed" if failed else "")


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(text[:text.rindex("},\n") + 1] + "]}")


def main(arguments):
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    trace = read(arguments[0])
    problems = list(check(trace, read(arguments[1]) if len(arguments) == 2 else None))
    for line in problems or summary(trace):
        print(line)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
