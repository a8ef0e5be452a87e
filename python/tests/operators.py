"""Operators of the tests."""

import numpy as np

import gxr


class Ramp(gxr.Operator):
    """Makes arrays 0, 1, 2, …"""

    out: gxr.Output[gxr.Tensor]
    size: int = gxr.parameter(4, minimum=1, doc="Numbers of an array", live=True)

    def tick(self):
        self.out.publish(np.arange(self.size, dtype=np.float32))


class Scale(gxr.Operator):
    """Multiplies"""

    array: gxr.Input[gxr.Tensor]
    scaled: gxr.Output[gxr.Tensor]
    factor: float = 2.0

    def tick(self):
        self.scaled.publish(np.asarray(self.array.receive()) * self.factor)


class Forward(gxr.Operator):
    """Passes messages on"""

    before: gxr.Input[gxr.Message]
    after: gxr.Output[gxr.Message]

    def tick(self):
        self.after.publish(self.before.receive())


class Numbers(gxr.Operator):
    """Counts, and ends by itself"""

    number: gxr.Output[int]
    most: int = 3
    end: gxr.Switch

    def tick(self):
        self.number.publish(self.count)
        if self.count == self.most:
            self.end.disable_tick()


class Fails(gxr.Operator):
    """Raises in a tick"""

    array: gxr.Input[gxr.Message]
    at: int = 1

    def tick(self):
        self.array.receive()
        if self.count == self.at:
            raise ValueError(f"tick {self.count} is wrong")


class Collect(gxr.Operator):
    """Keeps what comes in a list of the class"""

    values: gxr.Input[gxr.Message]
    seen = []

    def tick(self):
        message = self.values.receive()
        self.seen.append((message.value(), message.sequence))


class Drop(gxr.Operator):
    """Takes messages"""

    anything: gxr.Input[gxr.Message]

    def tick(self):
        self.anything.receive()
