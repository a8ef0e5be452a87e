#!/usr/bin/env python3
"""Video through gxr against GStreamer alone: frames a second when a file is decoded to RGB, and when it is decoded and
encoded again; and how late the frames of a file come that is played in real time. Prints a Markdown table.

    cmake --build --preset release
    bench/media/codecs.py --build build/release

Both sides decode with the same plug-ins and take turns. The transcoding encodes with x264's fastest preset, and gxr's
side has one operator that passes the messages on.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

FRAMES = 240
ROUNDS = 3
RATE = 24
ENCODER = "x264enc speed-preset=ultrafast tune=zerolatency bitrate=8000"


def run(command, folder, environment):
    """Seconds that the command took."""
    begin = time.monotonic()
    subprocess.run(command, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def gst(text):
    return ["gst-launch-1.0", "-q", *text.split()]


def make_file(path, frames, rate, width, height, folder, environment):
    source = f"videotestsrc pattern=ball num-buffers={frames}"
    caps = f"video/x-raw,width={width},height={height},framerate={rate}/1"
    run(gst(f"{source} ! {caps} ! {ENCODER} ! h264parse ! mp4mux ! filesink location={path}"), folder, environment)


class Comparison:
    def __init__(self, build, folder):
        self.gxr = str(build / "gxr")
        self.folder = folder
        self.environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}

    def launch(self, line, *options):
        return [self.gxr, "launch", "--log-level", "warn", "--quiet", "--no-control", *options, line]

    def compare(self, theirs, ours):
        """Frames a second of both, and the ratio of ours to theirs: medians of the rounds."""
        seconds = {"gst": [], "gxr": []}
        for _ in range(ROUNDS):
            seconds["gst"].append(run(theirs, self.folder, self.environment))
            seconds["gxr"].append(run(ours, self.folder, self.environment))
        ratio = statistics.median(a / b for a, b in zip(seconds["gst"], seconds["gxr"]))
        return FRAMES / statistics.median(seconds["gst"]), FRAMES / statistics.median(seconds["gxr"]), ratio

    def decode(self):
        theirs = gst("filesrc location=hd.mp4 ! decodebin ! videoconvert ! video/x-raw,format=RGB ! "
                     "fakesink sync=false")
        return self.compare(theirs, self.launch("media::Source uri=hd.mp4 format=RGB ! testing::Pop"))

    def transcode(self):
        # What gxr's sink makes of RGB, too: x264 takes I420.
        theirs = gst("filesrc location=hd.mp4 ! decodebin ! videoconvert ! video/x-raw,format=RGB ! videoconvert ! "
                     f"video/x-raw,format=I420 ! {ENCODER} ! h264parse ! mp4mux ! filesink location=theirs.mp4")
        sink = f"videoconvert ! video/x-raw,format=I420 ! {ENCODER} ! h264parse ! mp4mux ! filesink location=ours.mp4"
        line = f"media::Source uri=hd.mp4 format=RGB ! Forward ! media::Sink pipeline='{sink}'"
        return self.compare(theirs, self.launch(line))

    def lateness(self, seconds):
        """Milliseconds by which frames of a file in real time were late: median, 99 %, and how many came."""
        make_file("film.mp4", RATE * seconds, RATE, 640, 480, self.folder, self.environment)
        run(self.launch("media::Source :name=film uri=film.mp4 realtime=true ! testing::Pop :name=shown", "--trace",
                        "trace.json"), self.folder, self.environment)
        events = json.loads((self.folder / "trace.json").read_text())
        events = events["traceEvents"] if isinstance(events, dict) else events
        ticks = sorted(each["ts"] for each in events if (each.get("name"), each.get("cat")) == ("shown", "tick"))
        since = [tick - i * 1e6 / RATE for i, tick in enumerate(ticks)]
        late = sorted((each - min(since)) / 1e3 for each in since)
        return statistics.median(late), late[int(0.99 * (len(late) - 1))], len(late)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--seconds", type=int, default=60, help="of the film in real time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        comparison = Comparison(options.build.resolve(), pathlib.Path(name))
        make_file("hd.mp4", FRAMES, 30, 1920, 1080, name, comparison.environment)
        print("| 1920 x 1080, H.264 | GStreamer alone, frames/s | gxr, frames/s | ratio |\n|---|---|---|---|")
        for what, measure in (("decode to RGB", comparison.decode), ("decode, forward, encode", comparison.transcode)):
            theirs, ours, ratio = measure()
            print(f"| {what} | {theirs:.0f} | {ours:.0f} | {ratio:.2f} |", flush=True)
        median, most, count = comparison.lateness(options.seconds)
        print(f"\n{RATE} frames a second in real time, {options.seconds} s: {count} of {RATE * options.seconds} frames, "
              f"late by {median:.2f} ms in the median, {most:.2f} ms at 99 %")


if __name__ == "__main__":
    main()
