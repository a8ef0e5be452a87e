#!/usr/bin/env python3
"""Draws the time lines of pages of docs/ from traces of their applications, and finds those that are older than what they
show: an SVG file ends with a digest of its application and options. How long ticks took is different in each run, so the
pictures themselves are not compared.

    time_lines.py GXR SOURCE_DIR [--update]
"""
import hashlib
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

NO_WAIT = ["-p", "fast/transmitter_free/min_size=0"]
PICTURES = {
    "backpressure/waits": ("application.yaml", []),
    "backpressure/drops": ("application.yaml", [*NO_WAIT, "-p", "slow/receiver/policy=pop"]),
    "backpressure/fault": ("application.yaml", NO_WAIT),
    "backpressure/fan-out": ("fan-out.yaml", []),
    "backpressure/cycle": ("cycle.yaml", []),
    "schedulers/one-thread": ("branches.yaml", []),
    "schedulers/two-workers": ("branches.yaml", ["--executor", "events"]),
}
DIGEST = re.compile(r"<!-- shows ([0-9a-f]{64}) -->\n\Z")
COLOURS = ("#3b5f94", "#b5622d", "#4a8a4a", "#7a5a9a")
LEFT, TOP, WIDTH, ROW, BAR = 70, 12, 720, 34, 20  # in pixels


def digest(file, options):
    return hashlib.sha256(file.read_bytes() + " ".join(options).encode()).hexdigest()


def ticks_of(gxr, file, options):
    """(entity, number, begin, duration) of all ticks, times in milliseconds from the first one."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        subprocess.run([gxr, "run", file, *options, "--trace", trace], capture_output=True, check=False, timeout=60)
        events = json.loads(trace.read_text())["traceEvents"]
    ticks = [e for e in events if e.get("cat") == "tick"]
    first = min(e["ts"] for e in ticks)
    return sorted(((e["name"], e["args"]["tick"], (e["ts"] - first) / 1000, e["dur"] / 1000) for e in ticks),
                  key=lambda tick: tick[2])


def entities_of(file):
    """Those of the file, in its order."""
    return [name for name in re.findall(r"^name: (\w+)$", file.read_text(), re.MULTILINE) if name != "scheduler"]


def text(x, y, words, anchor="start", size=11, colour="#222222"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">'
            f"{html.escape(words)}</text>")


def axis(end, scale, bottom):
    step = next(s for s in (10, 20, 50, 100, 200, 500) if end / s <= 12)
    for time in range(0, int(end) + 1, step):
        x = LEFT + time * scale
        yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#dddddd"/>'
        yield text(x, bottom + 14, f"{time} ms", "middle", 10, "#666666")


def bar(row, tick, scale):
    name, number, begin, duration = tick
    x, y = LEFT + begin * scale, TOP + row * ROW + (ROW - BAR) / 2
    width = max(duration * scale, 2)
    colour = COLOURS[row % len(COLOURS)]
    yield (f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BAR}" rx="2" fill="{colour}">'
           f"<title>{name}, tick {number}</title></rect>")
    if width >= 7 * len(str(number)):
        yield text(x + width / 2, y + 14, str(number), "middle", 10, "white")


def draw(entities, ticks):
    end = max(begin + duration for _, _, begin, duration in ticks)
    scale = WIDTH / end
    bottom = TOP + ROW * len(entities)
    parts = list(axis(end, scale, bottom))
    for row, name in enumerate(entities):
        parts.append(text(8, TOP + row * ROW + ROW / 2 + 4, name, size=12))
        for tick in ticks:
            if tick[0] == name:
                parts += bar(row, tick, scale)
    width, height = LEFT + WIDTH + 24, bottom + 22
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            'font-family="Helvetica, Arial, sans-serif">')
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>"])


def main():
    gxr, source = sys.argv[1], pathlib.Path(sys.argv[2])
    problems = []
    for name, (application, options) in PICTURES.items():
        picture = source / "docs" / f"{name}.svg"
        file = picture.with_name(application)
        shown = digest(file, options)
        if "--update" in sys.argv:
            drawn = draw(entities_of(file), ticks_of(gxr, file, options))
            picture.write_text(f"{drawn}\n<!-- shows {shown} -->\n")
        found = DIGEST.search(picture.read_text()) if picture.exists() else None
        if found is None or found[1] != shown:
            problems.append(f"{picture.name} does not show {application}: build the target update_time_lines")
    print("\n".join(problems) if problems else f"{len(PICTURES)} time lines")
    return 1 if problems else 0


sys.exit(main())
