#!/usr/bin/env python3
"""Pictures to three subscribers: one reliable, one reliable and transient-local that joins late, one best-effort that
is slow and for a while stands still. The reliable ones lose none after they matched, the slow one says how many it lost,
and the publisher's period does not depend on it. Of the pictures from before it came, the late one may miss those that
the publisher has replaced, which it does not with a depth of all."""

import argparse
import re
import sys
from pathlib import Path

from programs import Programs, check, number

CAMERA = """
name: source
operator: gxr::image::Source
parameters: {{pattern: ColorBars, width: {width}, height: {height}, count: {count}}}
period: 30Hz
---
name: publisher
operator: gxr::dds::Publisher
inputs: {{in: source}}
parameters: {{topic: /camera, participant: network/dds, durability: transient_local, depth: {depth}, drain_timeout: 60s}}
"""
VIEWER = """
name: subscriber
operator: gxr::dds::Subscriber
parameters: {{topic: /camera, participant: network/dds, {qualities}}}
---
name: echo
operator: gxr::dds::Echo
inputs: {{in: subscriber}}
parameters: {{values: 1}}
{pace}
"""
RATE = 30  # Hz
RELIABLE = "depth: 0, reliability: reliable"
SLOW = "depth: 2, reliability: best_effort"


def acquired(viewer):
    """The times of the pictures that it has printed, which are the numbers of the source's periods."""
    return [int(each) for each in re.findall(r"acquired: (\d+)", viewer.printed())]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", type=Path, required=True)
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--height", type=int, default=240)
    parser.add_argument("--count", type=int, default=120, help="of pictures")
    parser.add_argument("--depth", type=int, default=120, help="of pictures that the publisher keeps")
    parser.add_argument("--check-period", action="store_true", help="fail if it is a fifth too long")
    options = parser.parse_args()
    with Programs(options.gxr) as test:
        def viewer(name, qualities, pace=""):
            return test.run(name, VIEWER.format(qualities=qualities, pace=pace), "--log-level", "debug")

        reliable = viewer("reliable", RELIABLE)
        slow = viewer("slow", SLOW, "period: 150ms")
        camera = test.run("camera", CAMERA.format(**vars(options)))
        reliable.until(lambda each: len(acquired(each)) >= options.count // 3, "pictures come")
        slow.until(lambda each: len(acquired(each)) >= 2, "pictures come")
        slow.pause()
        late = viewer("late", RELIABLE + ", durability: transient_local")
        late.until_logged("publishers: 1")
        matched = acquired(reliable)[-1]
        # The publisher ends, and those that are reliable have everything, while one stands still.
        log = camera.finish()
        check(f"published {options.count} messages\n" in log and "warning" not in log, log)
        took = number(r"completed after ([0-9.]+) s", camera.printed())
        period = took / (options.count - 1) * 1000
        print(f"published {options.count} pictures with a period of {period:.2f} ms")
        check(not options.check_period or period < 1000 / RATE * 1.2, f"the period was {period:.2f} ms")
        slow.go_on()
        for each, since in ((reliable, 0), (late, matched if options.depth < options.count else 0)):
            each.until_logged("publishers: 0$(?![\\s\\S]*publishers: 1)")
            log = each.interrupt()
            times = acquired(each)
            gaps = [a for a, b in zip(times, times[1:]) if b - a > 1.5e9 / RATE and b > since]
            check(not gaps and (since > 0 or "lost" not in log), f"{each.name} has gaps behind {gaps}: {log}")
            check(round(times[-1] * RATE / 1e9) == options.count - 1, f"{each.name} ends with {times[-1]}")
            print(f"{each.name}: {len(times)} pictures, none lost, first {times[0] / 1e9:.2f} s")
        check(acquired(late)[0] < matched, "the late one has pictures from before it came")
        log = slow.interrupt()
        lost = number(r"of the publisher 'publisher/operator' of gxr [^,]*, (\d+) were lost on the network", log)
        here = number(r"were lost on the network and (\d+) dropped by this subscriber", log)
        came = len(acquired(slow))
        check(lost + here > 0 and came + lost + here <= options.count, f"{came} came, {lost} and {here} lost: {log}")
        print(f"slow: {came} pictures, {lost:.0f} lost on the network and {here:.0f} dropped by it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
