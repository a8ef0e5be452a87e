"""Filters for pictures, with NumPy."""

from typing import Any

import numpy as np
import numpy.typing as npt

import gxr


class Blur(gxr.Operator):
    """Box blur of a picture"""

    image: gxr.Input[gxr.Tensor] = gxr.port(doc="Pictures", elements=["uint8", "float32"])
    blurred: gxr.Output[gxr.Tensor] = gxr.port(doc="The same, blurred")
    size: int = gxr.parameter(9, minimum=1, unit="pixels", doc="Width of the box", live=True)

    def tick(self) -> None:
        picture = np.asarray(self.image.receive())
        if picture.ndim < 2:
            raise ValueError(f"a picture has rows and columns, not the shape {list(picture.shape)}")
        self.blurred.publish(box(picture, self.size))


class Halves(gxr.Operator):
    """The left half of one picture beside the right half of another"""

    left: gxr.Input[gxr.Tensor] = gxr.port(doc="Pictures whose left half counts")
    right: gxr.Input[gxr.Tensor] = gxr.port(doc="Pictures of the same shape whose right half counts")
    joined: gxr.Output[gxr.Tensor] = gxr.port(doc="Both halves")

    def tick(self) -> None:
        left, right = (np.asarray(port.receive()) for port in (self.left, self.right))
        if left.shape != right.shape:
            raise ValueError(f"the pictures have the shapes {list(left.shape)} and {list(right.shape)}")
        joined = left.copy()  # what comes in is shared with others, and read-only
        middle = left.shape[1] // 2
        joined[:, middle:] = right[:, middle:]
        self.joined.publish(joined)


def box(picture: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """The mean of a box around each pixel; the border repeats."""
    for axis in (0, 1):
        before, after = (size - 1) // 2, size // 2
        widths = [(0, 0)] * picture.ndim
        widths[axis] = (before + 1, after)
        sums = np.cumsum(np.pad(picture, widths, mode="edge"), axis=axis, dtype=np.float64)
        ahead = np.take(sums, range(size, sums.shape[axis]), axis=axis)
        behind = np.take(sums, range(sums.shape[axis] - size), axis=axis)
        mean = (ahead - behind) / size
        picture = (np.rint(mean) if picture.dtype.kind in "iu" else mean).astype(picture.dtype)
    return picture
