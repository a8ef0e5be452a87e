import cupy as cp

import gxr


class Edges(gxr.Operator):
    """How much each number of a tensor differs from the next one"""

    given: gxr.Input[gxr.Tensor] = gxr.port(elements="float32")
    result: gxr.Output[gxr.Tensor] = gxr.port(elements="float32")
    gain: float = gxr.parameter(1.0, live=True)

    def capture(self, region: gxr.Capture) -> None:
        given = cp.asarray(region.input(self.given))
        result = cp.asarray(region.output(self.result))
        result[..., :-1] = cp.abs(given[..., 1:] - given[..., :-1]) * self.gain
        result[..., -1] = 0
