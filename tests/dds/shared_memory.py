#!/usr/bin/env python3
"""Topics in shared memory, with a daemon of iceoryx that the test starts."""

import argparse
import re
import signal
import sys
from pathlib import Path

from programs import Programs, check, number, skip, until

WIDTH = 640
BYTES = WIDTH * 480 * 3
DEPTH = 30
SHARED = "shared_memory: auto"
SOURCE = """
name: source
operator: gxr::image::Source
parameters: {{pattern: ColorBars, width: {width}, height: 480, count: {count}}}
period: {period}
---
name: publisher
operator: gxr::dds::Publisher
inputs: {{in: source}}
parameters: {{topic: /topic, participant: network/dds, drain_timeout: 60s, {qualities}}}
"""
SINK = """
name: subscriber
operator: gxr::dds::Subscriber
parameters: {{topic: /topic, participant: network/dds, count: {count}, {qualities}}}
---
name: echo
operator: gxr::dds::Echo
inputs: {{in: subscriber}}
parameters: {{values: 1}}
{pace}
"""
STAYS = """
---
name: stays
operator: gxr::dds::Subscriber
parameters: {topic: /nothing, participant: network/dds}
---
name: nothing
operator: gxr::dds::Echo
inputs: {in: stays}
"""


class Test(Programs):
    def __init__(self, options):
        super().__init__(options.gxr)
        self.roudi = options.roudi.resolve()
        if Path("/tmp/roudi").exists() or Path("/dev/shm/iceoryx_mgmt").exists():
            daemon = self.daemon()  # cleans up behind one that was killed
            if daemon is None:
                skip("another daemon of iceoryx runs")
            daemon.interrupt()

    def daemon(self, largest=2 * BYTES):
        """None: there is one already."""
        daemon = self.start("roudi", [self.roudi, str(largest)])
        until(lambda: "RouDi is ready" in daemon.printed() or daemon.process.poll() is not None, daemon.said)
        return daemon if daemon.process.poll() is None else None

    def publisher(self, name="publisher", count=0, qualities="depth: 8", width=WIDTH, shared=SHARED, period="100Hz"):
        return self.run_with(shared, name, SOURCE.format(width=width, count=count, qualities=qualities, period=period))

    def subscriber(self, name="subscriber", count=0, qualities="depth: 8", shared=SHARED, pace=""):
        return self.run_with(shared, name, SINK.format(count=count, qualities=qualities, pace=pace))

    def run_with(self, shared, name, text):
        network = f"""
---
name: network
components:
- name: dds
  type: gxr::dds::Participant
  parameters: {{domain: {self.domain}, interfaces: [lo], lease: 60s, {shared}}}
"""
        return self.run_alone(name, text + network, "--log-level", "debug")


def shared(viewer):
    """How many it received in all, and how many of these through shared memory, as it says at its end."""
    found = re.search(r"received (\d+) messages?(?:, (\d+) of them through shared memory)?", viewer.logged())
    check(found, viewer.said())
    return int(found.group(1)), int(found.group(2) or 0)


def pictures(viewer):
    return viewer.printed().count("shape: [480")


def meets(viewer, count=10):
    before = pictures(viewer)
    viewer.until(lambda each: pictures(each) >= before + count, f"{count} more pictures came")


def through(test):
    test.daemon()
    viewer = test.subscriber(count=50)
    publisher = test.publisher()
    viewer.finish()
    check(shared(viewer) == (50, 50), viewer.said())
    check("got lost" not in viewer.logged(), viewer.said())
    check(f"shape: [480, {WIDTH}, 3]" in viewer.printed(), viewer.said())
    publisher.interrupt()


def beside_network(test):
    """Two subscribers in shared memory, and one over the network; none loses a picture."""
    test.daemon()
    viewers = [test.subscriber("first", 50), test.subscriber("second", 50),
               test.subscriber("network", 50, shared="shared_memory: off")]
    publisher = test.publisher()
    for viewer in viewers:
        viewer.finish()
    check([shared(viewer) for viewer in viewers] == [(50, 50), (50, 50), (50, 0)],
          "\n".join(viewer.said() for viewer in viewers))
    publisher.interrupt()


def late(test):
    """Kept pictures go over the network, so one that comes late gets all of them."""
    test.daemon()
    kept = f"durability: transient_local, depth: {DEPTH}"
    early = test.subscriber("early", DEPTH, kept)
    publisher = test.run_with(SHARED, "publisher", SOURCE.format(width=WIDTH, count=DEPTH, qualities=kept, period="100Hz") +
                              STAYS)
    early.finish()
    for number_of in range(3):
        viewer = test.subscriber(f"late{number_of}", DEPTH, kept)
        viewer.finish()
        check(shared(viewer)[0] == DEPTH, viewer.said())
    publisher.interrupt()


def without_daemon(test):
    viewer = test.subscriber(count=20)
    publisher = test.publisher()
    viewer.finish()
    check(shared(viewer) == (20, 0), viewer.said())
    check("samples go over the network, not through shared memory: the daemon of iceoryx, iox-roudi, does not run" in
          viewer.logged(), viewer.said())
    publisher.interrupt()


def daemon_ends(test):
    """Those that share memory go on, and end in order."""
    daemon = test.daemon()
    viewer = test.subscriber()
    publisher = test.publisher()
    meets(viewer)
    daemon.kill()
    meets(viewer, 50)
    for each in (publisher, viewer):
        each.process.send_signal(signal.SIGINT)
    for each in (publisher, viewer):
        each.finish((0, 130))
    received, by_memory = shared(viewer)
    check(received == by_memory, viewer.said())
    test.daemon().interrupt()  # cleans up


def too_large(test):
    test.daemon(BYTES // 2)
    viewer = test.subscriber()
    publisher = test.publisher()
    publisher.until(lambda each: each.process.poll() is not None or "smaller pieces" in each.logged(), "its error")
    log = publisher.finish((1,))
    check("give it larger ones" in log, log)
    viewer.interrupt()


def all_in_use(test):
    """A subscriber that stands still holds pieces; the publisher says what it drops, and goes on after that."""
    test.daemon()
    viewer = test.subscriber(qualities="depth: 60")
    publisher = test.publisher(qualities="depth: 8, max_blocking: 10ms")
    meets(viewer)
    viewer.pause()
    publisher.until_logged("a message was dropped")
    viewer.go_on()
    meets(viewer, 100)
    publisher.interrupt()
    check(number(r"published \d+ messages, dropped (\d+)", publisher.logged()) > 0, publisher.said())
    viewer.interrupt()


def restarts(test):
    """A publisher ends and starts again. One that is killed may leave a lock of iceoryx closed."""
    test.daemon()
    viewer = test.subscriber()
    for time in range(4):
        publisher = test.publisher(f"publisher{time}")
        meets(viewer, 20)
        publisher.interrupt()
    viewer.interrupt()
    received, by_memory = shared(viewer)
    check(received == by_memory, viewer.said())


def same_process(test):
    test.daemon()
    both = test.run_with(SHARED, "both", SOURCE.format(width=WIDTH, count=0, qualities="depth: 8", period="100Hz") + "---" +
                         SINK.format(count=40, qualities="depth: 8", pace=""))
    both.until(lambda each: pictures(each) >= 40, "40 pictures came")
    both.interrupt()
    check(shared(both)[0] == 40, both.said())


def main():
    cases = {each.__name__: each for each in (through, beside_network, late, without_daemon, daemon_ends, too_large,
                                              all_in_use, restarts, same_process)}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", type=Path, required=True)
    parser.add_argument("--roudi", type=Path, required=True)
    parser.add_argument("case", choices=cases)
    options = parser.parse_args()
    with Test(options) as test:
        cases[options.case](test)
    return 0


if __name__ == "__main__":
    sys.exit(main())
