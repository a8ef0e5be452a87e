#!/usr/bin/env python3
"""gxr against Fast DDS: messages of ROS 2 and gxr's own in both directions, qualities that fit and that do not, late
joiners, other definitions of a type, and samples that are none."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from programs import Programs, check  # noqa: E402

ROS_TYPES = ("sensor_msgs/msg/Image", "std_msgs/msg/String", "sensor_msgs/msg/Imu", "tf2_msgs/msg/TFMessage")
OWN = "gxr/v1/Message"
COUNT = 3
GUID = r"([0-9a-f]{2}\.){15}[0-9a-f]{2}"  # in place of a name, which Fast DDS does not tell
KEPT = ("--hold", "--transient-local")

# What comes on /in goes out on /out as other samples of the same value.
RELAY = """
name: from_{name}
operator: gxr::dds::Subscriber
parameters: {{topic: /in/{name}, type: {type}, {common}}}
---
name: parts_{name}
operator: gxr::dds::FromRos
inputs: {{in: from_{name}}}
parameters: {{stamps: epoch}}
---
name: sample_{name}
operator: gxr::dds::ToRos
inputs: {{in: parts_{name}}}
parameters: {{type: {type}, stamps: epoch}}
---
name: to_{name}
operator: gxr::dds::Publisher
inputs: {{in: sample_{name}}}
parameters: {{topic: /out/{name}, type: {type}, {common}}}
"""
OWN_RELAY = """
name: from_own
operator: gxr::dds::Subscriber
parameters: {{topic: /in/Message, {common}}}
---
name: to_own
operator: gxr::dds::Publisher
inputs: {{in: from_own}}
parameters: {{topic: /out/Message, {common}}}
"""
ECHO = """
name: subscriber
operator: gxr::dds::Subscriber
parameters: {{topic: {topic}, type: {type}, participant: network/dds, depth: 50, count: {count}, {qualities}}}
---
name: echo
operator: gxr::dds::Echo
inputs: {{in: subscriber}}
"""
CAMERA = """
name: source
operator: gxr::image::Source
parameters: {pattern: ColorBars, width: 16, height: 8, count: 3}
---
name: publisher
operator: gxr::dds::Publisher
inputs: {in: source}
parameters: {topic: /kept, participant: network/dds, durability: transient_local, depth: 50}
---
name: waits                   # so that the topic stays
operator: gxr::dds::Subscriber
parameters: {topic: /end, type: std_msgs/msg/String, participant: network/dds, durability: transient_local, count: 1}
---
name: end
operator: gxr::sample::PingRx
inputs: {signal: waits}
"""


def short(name):
    return name.rpartition("/")[2]


def wire(topic, type_name):
    return topic.lstrip("/") if type_name == OWN else "rt" + topic


class Test(Programs):
    def __init__(self, options):
        super().__init__(options.gxr)
        self.client_path = options.client.resolve()
        self.number = 0

    def client(self, action, topic, *more, type_name=None, raw=False):
        self.number += 1
        name = f"{action}{self.number}"
        kind = () if raw else ("--type", type_name)
        return self.start(name, [self.client_path, action, "--domain", str(self.domain), "--topic", topic, *kind, *more])

    def publish(self, topic, type_name, *more):
        return self.client("publish", wire(topic, type_name), "--count", str(COUNT), *more, type_name=type_name)

    def subscribe(self, topic, type_name, *more):
        return self.client("subscribe", wire(topic, type_name), "--count", str(COUNT), *more, type_name=type_name)

    def there_and_back(self, relay, reliability):
        """From Fast DDS through gxr, as parts, to Fast DDS."""
        # Without transient-local, what is sent before both ends know each other does not come.
        more = ("--best-effort",) if reliability == "best_effort" else ("--transient-local",)
        for type_name in (*ROS_TYPES, OWN):
            reader = self.subscribe(f"/out/{short(type_name)}", type_name, *more)
            reader.until_printed("^matched$")
            again = ("--repeat", "100") if reliability == "best_effort" else ()
            writer = self.publish(f"/in/{short(type_name)}", type_name, *more, *again)
            reader.finish()
            writer.finish()
            sent, came = writer.printed().splitlines(), reader.printed().splitlines()[1:]
            if reliability == "reliable":
                check(came == sent, f"{type_name} came back as\n{came}, not as\n{sent}")
            else:
                check(set(came) <= set(sent), f"{type_name} came back as\n{came}, not as\n{sent}")
            print(f"{type_name}, {reliability}: {len(came)} samples came back as they were")
        log = relay.interrupt()
        check("warning" not in log, log)

    def relays(self):
        for reliability in ("reliable", "best_effort"):
            durability = "volatile" if reliability == "best_effort" else "transient_local"
            common = f"participant: network/dds, depth: 50, reliability: {reliability}, durability: {durability}"
            parts = [RELAY.format(name=short(each), type=each, common=common) for each in ROS_TYPES]
            relay = self.run(f"relay_{reliability}", "---".join([*parts, OWN_RELAY.format(common=common)]))
            self.there_and_back(relay, reliability)

    def echo(self, name, topic, type_name, qualities="reliability: reliable", count=COUNT):
        return self.run(name, ECHO.format(topic=topic, type=type_name, qualities=qualities, count=count))

    def values(self):
        """What gxr reads, and what Fast DDS reads of gxr's own messages, by the numbers themselves; late joiners."""
        writer = self.publish("/late", "sensor_msgs/msg/Imu", *KEPT)
        writer.until(lambda each: each.printed().count("\n") == COUNT, "it has published")
        echo = self.echo("echo", "/late", "sensor_msgs/msg/Imu", "durability: transient_local")
        echo.finish()
        writer.finish()
        first = echo.printed().split("---\n")[0]
        for text in ("    sec: 1700000001\n    nanosec: 250000000\n  frame_id: \"frame1\"\n",
                     "orientation:\n  x: 0.125\n  y: 0.0625\n  z: -0.03125\n  w: 1\n",
                     "angular_velocity:\n  x: 11.5\n  y: 12.5\n  z: -11\n",
                     "linear_acceleration_covariance: [-0, -1, -2, -3, -4, -5, -6, -7, -8]\n"):
            check(text in first, f"{text}is not in\n{first}")

        camera = self.run("camera", CAMERA)
        reader = self.subscribe("/kept", OWN, "--transient-local")
        reader.finish()
        lines = reader.printed().splitlines()[1:]
        check(len(lines) == COUNT and all(each.startswith("tensor 'image' 2 [8 16 3 ] bfbfbf") for each in lines), lines)
        check(all(len(each.split("] ")[1].split(";")[0]) == 2 * 8 * 16 * 3 for each in lines), lines)
        end = self.publish("/end", "std_msgs/msg/String", *KEPT)
        camera.finish()
        end.finish()
        print("values are as documented; late joiners get the last samples")

    def quarrels(self):
        """Ends that do not meet, and definitions that differ."""
        echo = self.echo("quarrels", "/quarrel", "std_msgs/msg/String")
        faint = self.publish("/quarrel", "std_msgs/msg/String", "--best-effort", "--hold")
        other = self.client("publish", "rt/quarrel", "--hold", type_name="sensor_msgs/msg/Imu")
        for log in (f"^warning subscriber/operator: no messages go from the publisher {GUID} to here on /quarrel: the "
                    "publisher offers reliability best_effort, the subscriber asks for reliable$",
                    f"^warning subscriber/operator: the publisher {GUID} sends sensor_msgs/msg/Imu on /quarrel, and this "
                    "subscriber takes std_msgs/msg/String: no messages go between the two$"):
            echo.until_logged(log)
        hashes = [f"RIHS01_{digit * 64}" for digit in "12"]
        others = [self.publish("/quarrel", "std_msgs/msg/String", "--user-data", f"typehash={each};", *KEPT) for each in hashes]
        for each in hashes:
            echo.until_logged(f"sends std_msgs/msg/String on /quarrel, and this subscriber takes std_msgs/msg/String, by "
                              f"another definition of it: theirs is {each}, ours is RIHS01_df66")
        echo.interrupt()
        for each in (faint, other, *others):
            each.finish()
        print("who does not meet says why")

    def nonsense(self):
        """Samples that are cut off, too long or of no type are dropped; those after them come."""
        name = "std_msgs::msg::dds_::String_"
        samples = {"cut": "0001000005000000616263", "end": "00010000", "huge": "00010000ffffff7f61626300",
                   "long": "000100000400000061626300" + "00" * 64, "unended": "000100000300000061626361",
                   "header": "0001", "encoding": "000700000400000061626300"}
        for what, sample in samples.items():
            echo = self.echo(f"nonsense_{what}", f"/{what}", "std_msgs/msg/String", "durability: transient_local")
            bad = self.client("publish", f"rt/{what}", "--transient-local", "--bytes", sample, "--raw-type", name, raw=True)
            echo.until_logged(f"^warning subscriber/operator: a sample of the publisher {GUID} was dropped: ")
            bad.finish()
            good = self.publish(f"/{what}", "std_msgs/msg/String", *KEPT)
            log = echo.finish()
            good.finish()
            check("received 3 messages; dropped 1 bad sample" in log, log)
            print(what + ": " + log.partition("was dropped: ")[2].partition("; more")[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", type=Path, required=True)
    parser.add_argument("--client", type=Path, required=True)
    with Test(parser.parse_args()) as test:
        test.relays()
        test.values()
        test.quarrels()
        test.nonsense()
    return 0


if __name__ == "__main__":
    sys.exit(main())
