#!/usr/bin/env python3
"""Qualities of topics between processes: each case starts publishers that are told apart by the width of their
pictures, and subscribers that print what they hear."""

import argparse
import re
import sys
import time
from pathlib import Path

from programs import Programs, check, number

LIFESPAN = 0.5  # seconds

PUBLISHER = """
name: source
operator: gxr::image::Source
parameters: {{pattern: ColorBars, width: {width}, height: {height}, count: {count}}}
period: {period}
---
name: publisher
operator: gxr::dds::Publisher
inputs: {{in: source}}
parameters: {{topic: /topic, participant: network/dds, drain_timeout: 60s, {qualities}}}
"""
SUBSCRIBER = """
name: subscriber
operator: gxr::dds::Subscriber
parameters: {{topic: {topic}, participant: network/dds, {qualities}}}
---
name: echo
operator: gxr::dds::Echo
inputs: {{in: subscriber}}
parameters: {{values: 1}}
{pace}
"""
# What comes on /topic is kept for late joiners: with and without a lifespan.
RELAY = """
name: from
operator: gxr::dds::Subscriber
parameters: {{topic: /topic, participant: network/dds}}
---
name: echo
operator: gxr::dds::Echo
inputs: {{in: from}}
parameters: {{values: 1}}
---
name: short
operator: gxr::dds::Publisher
inputs: {{in: from}}
parameters: {{topic: /short, participant: network/dds, durability: transient_local, depth: 50, lifespan: {lifespan}ms}}
---
name: long
operator: gxr::dds::Publisher
inputs: {{in: from}}
parameters: {{topic: /long, participant: network/dds, durability: transient_local, depth: 50}}
"""


class Test(Programs):
    def publisher(self, name, qualities, width=16, height=8, count=0, period="100Hz"):
        return self.run(name, PUBLISHER.format(width=width, height=height, count=count, period=period, qualities=qualities))

    def subscriber(self, name, qualities, topic="/topic", pace=""):
        return self.run(name, SUBSCRIBER.format(topic=topic, qualities=qualities, pace=pace), "--log-level", "debug")


def widths(viewer):
    """Of the pictures that it has printed."""
    return [int(width) for width in re.findall(r"shape: \[\d+, (\d+), 3\]", viewer.printed())]


def hears(viewer, width, count=20):
    """Until that many more of that width have come, and the last one is such."""
    before = widths(viewer).count(width)
    viewer.until(lambda each: widths(each).count(width) >= before + count and widths(each)[-1] == width,
                 f"{count} pictures of width {width} came")


def ownership(test):
    """The strongest publisher is heard; when it ends or is killed, the next one takes over."""
    viewer = test.subscriber("viewer", "ownership: exclusive, depth: 1000")
    weak = test.publisher("weak", "ownership: exclusive, strength: 1", width=16)
    hears(viewer, 16)
    for end in ("interrupt", "kill"):
        strong = test.publisher("strong", "ownership: exclusive, strength: 2", width=24)
        hears(viewer, 24)
        hears(viewer, 24)
        getattr(strong, end)()
        hears(viewer, 16)
    changes = re.sub(r"(.)\1*", r"\1", "".join("w" if each == 16 else "s" for each in widths(viewer)))
    check(changes == "wswsw", f"heard in turns: {changes}")
    check("lost" not in (log := viewer.interrupt()), log)
    weak.interrupt()


def lifespan(test):
    """Late joiners do not get samples that are older than it."""
    relay = test.run("relay", RELAY.format(lifespan=int(LIFESPAN * 1000)))
    old = test.publisher("old", "depth: 8", width=16)
    hears(relay, 16, 3)
    old.interrupt()
    time.sleep(3 * LIFESPAN)
    late = test.subscriber("late", "durability: transient_local", "/short")
    control = test.subscriber("control", "durability: transient_local", "/long")
    hears(control, 16, 1)
    late.until_logged("publishers: 1")
    fresh = test.publisher("fresh", "depth: 8", width=24)
    hears(late, 24, 3)
    check(16 not in widths(late), widths(late))
    for each in (fresh, late, control, relay):
        each.interrupt()


def deadline(test):
    """Both sides say that it was missed."""
    viewer = test.subscriber("viewer", "deadline: 200ms")
    patient = test.subscriber("patient", "deadline: 60s")
    camera = test.publisher("camera", "deadline: 200ms", period="700ms")
    viewer.until_logged("^warning subscriber/operator: no sample came within 'deadline'; that may happen again$")
    camera.until_logged("^warning publisher/operator: no message was published within 'deadline'; that may happen again$")
    hears(patient, 16, 1)
    number(r"missed its deadline (\d+) times?\n", camera.interrupt())
    number(r"missed the deadline (\d+) times?\n", viewer.interrupt())
    check("deadline" not in (log := patient.interrupt()), log)


def partitions(test):
    """Only those meet that have one in common; nobody complains."""
    one = test.subscriber("one", "partitions: [left]")
    every = test.subscriber("every", "partitions: ['*t']")
    none = test.subscriber("none", "depth: 8")
    cameras = [test.publisher(name, f"partitions: [{name}, other]", width=width)
               for name, width in (("left", 16), ("right", 24))]
    every.until_logged("publishers: 2")
    hears(one, 16)
    hears(every, 24)
    check(set(widths(every)) == {16, 24}, set(widths(every)))
    check(set(widths(one)) == {16}, set(widths(one)))
    for each in (*cameras, one, every, none):
        check("no messages go" not in (log := each.interrupt()), log)
    check("received 0 messages" in none.logged() and "publishers: 1" not in none.logged(), none.logged())


def all_kept(test):
    """With `depth: 0`, a slow subscriber gets everything, and a publisher waits for it."""
    count = 6000  # more than the queue, the reader and the writer hold
    viewer = test.subscriber("viewer", "depth: 0, durability: transient_local", pace="period: 250us")
    camera = test.publisher("camera", "depth: 0, durability: transient_local, max_blocking: 60s", count=count, period="100us")
    log = camera.finish()
    check(f"published {count} messages\n" in log and "warning" not in log, log)
    viewer.until(lambda each: len(widths(each)) == count, "all have come")
    log = viewer.interrupt()
    check(f"received {count} messages\n" in log and "warning" not in log, log)


def blocked(test):
    """A publisher with `depth: 0` waits for a subscriber that takes nothing, and after `max_blocking` drops and says so."""
    viewer = test.subscriber("viewer", "depth: 0")
    camera = test.publisher("camera", "depth: 0, max_blocking: 20ms", period="100us")
    hears(viewer, 16)
    viewer.pause()
    camera.until_logged("^warning publisher/operator: a message was dropped, because reliable subscribers did not take those "
                        "before it within 'max_blocking'; more may follow$")
    viewer.go_on()
    log = camera.interrupt()
    number(r"published \d+ messages, dropped (\d+)", log)
    published = number(r"published (\d+) messages", log)
    log = viewer.interrupt()
    check(number(r"received (\d+) messages\n", log) <= published and "lost" not in log, log)


def losses(test, qualities, height, period):
    """Two publishers, and a subscriber that stands still for a while: both lose samples, each its own number."""
    viewer = test.subscriber("viewer", qualities)
    cameras = {width: test.publisher(f"camera{width}", qualities, width=width, height=height, period=period)
               for width in (16, 24)}
    for width in cameras:
        hears(viewer, width, 5)
    viewer.pause()
    time.sleep(2)
    viewer.go_on()
    for width in cameras:
        hears(viewer, width, 5)
    published = {each.process.pid: number(r"published (\d+) messages", each.interrupt()) for each in cameras.values()}
    log = viewer.interrupt()
    check("got lost; more may follow" in log, log)
    received = {cameras[width].process.pid: widths(viewer).count(width) for width in cameras}
    check(sum(received.values()) == number(r"received (\d+) messages;", log), (received, log))
    for process, count in received.items():
        found = re.search(rf"of the publisher 'publisher/operator' of gxr {process} at [^,]*, (\d+) were lost on the network and "
                          r"(\d+) dropped by this subscriber", log)
        check(found, log)
        lost = int(found.group(1)) + int(found.group(2))
        check(lost > 0 and count + lost <= published[process], f"{count} came, {lost} lost, of {published[process]}: {log}")


def last_kept(test):
    losses(test, "depth: 4", height=8, period="100Hz")


def best_effort(test):
    losses(test, "depth: 4, reliability: best_effort", height=256, period="100Hz")


CASES = {each.__name__: each
         for each in (ownership, lifespan, deadline, partitions, all_kept, blocked, last_kept, best_effort)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", type=Path, required=True)
    parser.add_argument("cases", nargs="*", choices=[[], *CASES], help="all by default")
    options = parser.parse_args()
    for name in options.cases or CASES:
        with Test(options.gxr, lease="2s" if name == "ownership" else "60s") as test:
            begin = time.monotonic()
            CASES[name](test)
            print(f"{name}: {time.monotonic() - begin:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
