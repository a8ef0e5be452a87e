"""Outlines of pictures, with NumPy."""

import numpy as np

import gxr


class Outlines(gxr.Operator):
    """Where a picture changes from pixel to pixel"""

    in_: gxr.Input[gxr.Tensor] = gxr.port(elements="uint8", shape=(-1, -1, 3))
    out: gxr.Output[gxr.Tensor] = gxr.port(elements="uint8", shape=(-1, -1, 3))
    strength: float = gxr.parameter(1.0, minimum=0, doc="What differences are multiplied by", live=True)

    def tick(self) -> None:
        picture = np.asarray(self.in_.receive()).astype(np.int16)
        change = np.zeros_like(picture)
        change[1:] += np.abs(np.diff(picture, axis=0))
        change[:, 1:] += np.abs(np.diff(picture, axis=1))
        self.out.publish(np.clip(change * self.strength, 0, 255).astype(np.uint8))
