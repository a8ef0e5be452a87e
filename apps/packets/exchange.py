#!/usr/bin/env python3
"""Sends frames to packets.yaml as a bad network would, and checks what comes back.

A frame is a number of 8 bytes, least significant first, and 16 whole numbers of 4 bytes, all of which are the frame's
number. The application adds 1000 to each.

    gxr run apps/packets/packets.yaml --executor greedy &
    apps/packets/exchange.py --frames 1000 --lose 10 20-29 --repeat 40 --delay 50 --spoil 60
"""

import argparse
import socket
import struct
import sys

ELEMENTS = 16
ADDED = 1000
WINDOW = 128  # frames that may be on the way: the sockets' buffers hold them
PATIENCE = 20.0  # seconds


def numbers(texts):
    found = set()
    for text in texts:
        first, _, last = text.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def frame(number):
    return struct.pack(f"<Q{ELEMENTS}i", number, *[number] * ELEMENTS)


def plan(arguments):
    """Each datagram, with the number of the answer that it gets, or None."""
    lost, repeated = numbers(arguments.lose), numbers(arguments.repeat)
    delayed, spoilt = numbers(arguments.delay), numbers(arguments.spoil)
    waiting = []
    for number in range(arguments.first, arguments.first + arguments.frames):
        if number in delayed:
            waiting.append(number)
            continue
        if number in spoilt:
            yield frame(number)[:-1], None
        elif number not in lost:
            yield frame(number), number
            if number in repeated:
                yield frame(number), None
        for late in waiting:
            yield frame(late), late if arguments.late else None
        waiting = []


class Answers:
    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.socket.bind(("127.0.0.1", port))
        self.socket.settimeout(PATIENCE)
        self.count = 0

    def check(self, expected):
        """The answers count from 0 themselves, and hold the numbers of the frames."""
        data = self.socket.recv(65536)
        wanted = struct.pack(f"<Q{ELEMENTS}i", self.count, *[expected + ADDED] * ELEMENTS)
        if data != wanted:
            sys.exit(f"answer {self.count} is {data.hex()}, not {wanted.hex()}")
        self.count += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=int, default=4700, help="port of the application")
    parser.add_argument("--answers", type=int, default=4701, help="port that it answers to")
    parser.add_argument("--frames", type=int, default=1000, help="how many the sender counts")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--lose", nargs="*", default=[], metavar="NUMBER", help="frames that are not sent: 5, 7-9")
    parser.add_argument("--repeat", nargs="*", default=[], metavar="NUMBER", help="frames that are sent twice")
    parser.add_argument("--delay", nargs="*", default=[], metavar="NUMBER", help="frames that change places with the next")
    parser.add_argument("--spoil", nargs="*", default=[], metavar="NUMBER", help="frames that lack their last byte")
    parser.add_argument("--late", action="store_true", help="delayed frames are answered (late: deliver)")
    arguments = parser.parse_args()

    answers = Answers(arguments.answers)
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.connect(("127.0.0.1", arguments.to))
    on_the_way = []
    datagrams = 0
    try:
        for data, answer in plan(arguments):
            sender.send(data)
            datagrams += 1
            if answer is not None:
                on_the_way.append(answer)
            if len(on_the_way) >= WINDOW:
                answers.check(on_the_way.pop(0))
        for answer in on_the_way:
            answers.check(answer)
    except ConnectionRefusedError:
        sys.exit(f"nobody receives at port {arguments.to}: start the application first")
    except TimeoutError:
        sys.exit(f"only {answers.count} answers came")
    print(f"{datagrams} datagrams, {answers.count} answers, all right")


if __name__ == "__main__":
    main()
