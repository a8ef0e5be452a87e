"""What mypy --strict has to understand; `make python` checks it, and pytest runs it (test_package.py)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import gxr


class Blur(gxr.Operator):
    """Box blur of a grey picture"""

    image: gxr.Input[gxr.Tensor]
    blurred: gxr.Output[gxr.Tensor] = gxr.port(elements="uint8", rank=2, doc="The blurred picture")
    size: int = gxr.parameter(3, minimum=1, doc="Width of the box", live=True)
    weight: float = 1.0

    def tick(self) -> None:
        picture: npt.NDArray[np.uint8] = np.asarray(self.image.receive(), dtype=np.uint8)
        self.blurred.publish(box(picture, self.size))


class Double(gxr.Operator):
    """A part of a CUDA graph"""

    given: gxr.Input[gxr.Tensor]
    result: gxr.Output[gxr.Tensor]
    graph_traits = gxr.GraphTraits(repeatable=True, priority=-1, kept_in_l2="output")

    def capture(self, region: gxr.Capture) -> None:
        assert region.input(self.given).shape == region.output(self.result).shape


class Count(gxr.Operator):
    """Counts up, and ends"""

    out: gxr.Output[int]
    ended: gxr.Switch

    def tick(self) -> None:
        self.out.publish(self.count)
        if self.count == 3:
            self.ended.disable_tick()


def box(picture: npt.NDArray[np.uint8], size: int) -> npt.NDArray[np.uint8]:
    """The mean of `size` neighbours in a row."""
    rows = [np.roll(picture.astype(np.float64), shift, axis=1) for shift in range(size)]
    return np.asarray(sum(rows) / size, dtype=np.uint8)


def blur_pictures(count: int) -> list[npt.NDArray[np.uint8]]:
    """Pushes pictures into an application, and takes what comes out."""
    app = gxr.Application()
    app.add("blur", Blur, parameters={"size": 2})
    app.input("blur/image", capacity=count)
    blurred: list[npt.NDArray[np.uint8]] = []
    tap = app.tap("blur/blurred", content="tensor")
    app.start()
    for number in range(count):
        app.push("blur/image", np.full((2, 4), number, np.uint8), timeout=10.0)
    app.end_input("blur/image")
    while (frame := tap.take(timeout=10.0)) is not None:
        tensor: gxr.Tensor = frame
        assert tensor.shape == (2, 4)
        blurred.append(np.array(tensor))
    report: gxr.Report = app.wait()
    assert report.reason in ("completed", "deadlock"), str(report)
    return blurred


def numbers() -> list[int]:
    """The numbers of an operator in Python."""
    app = gxr.Application().add("count", Count)
    found: list[int] = [number for number in app.tap("count/out")]
    return found


def mistakes(text: str) -> list[tuple[int, str]]:
    """Line and code of each problem of an application."""
    problems: list[gxr.Problem] = gxr.Application(text=text).problems
    return [(problem.line, problem.code) for problem in problems if problem.is_error]
