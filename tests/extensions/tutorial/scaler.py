"""Scales numbers."""

import numpy as np

import gxr


class Scaler(gxr.Operator):
    """Multiplies each element by a factor"""

    in_: gxr.Input[gxr.Tensor] = gxr.port(elements="int32", doc="Tensors")
    out: gxr.Output[gxr.Tensor] = gxr.port(elements="int32", doc="The same, multiplied")
    factor: int = gxr.parameter(2, doc="What each element is multiplied by")

    def tick(self) -> None:
        self.out.publish(np.asarray(self.in_.receive()) * np.int32(self.factor))
