"""A camera that looks at digits, and what is drawn of what a network sees in them."""

import pathlib

import numpy as np

import gxr

SIZE = 8  # pixels of a digit of the data, each way
ZOOM = 16  # pixels of the camera for one of these

# A row of 3 pixels after the other, for each digit.
FONT = [
    np.array([[int(pixel) for pixel in row] for row in rows.split()], bool)
    for rows in (
        "111 101 101 101 111",
        "010 110 010 010 111",
        "111 001 111 100 111",
        "111 001 111 001 111",
        "101 101 111 001 001",
        "111 100 111 001 111",
        "111 100 111 101 111",
        "111 001 010 010 010",
        "111 101 111 101 111",
        "111 101 111 001 111",
    )
]


class Camera(gxr.Operator):
    """Pictures of digits, grey and noisy, as a camera above a sheet of paper makes them"""

    picture: gxr.Output[gxr.Tensor] = gxr.port(doc="Grey pictures", elements="uint8", shape=(128, 128, 1))
    label: gxr.Output[int] = gxr.port(doc="The digit that it is")
    data: pathlib.Path = gxr.parameter(doc="File of digits, .npz; the source ends with it")
    noise: float = gxr.parameter(12.0, minimum=0, doc="Standard deviation of the noise, of 255", live=True)
    end: gxr.Switch

    def start(self):
        file = np.load(self.data)
        self.pictures, self.labels = file["pictures"], file["labels"]
        self.random = np.random.default_rng(1)

    def tick(self):
        index = self.count - 1
        paper = np.kron(self.pictures[index].astype(np.float32) * (255 / 16), np.ones((ZOOM, ZOOM), np.float32))
        noisy = paper + self.random.normal(0, self.noise, paper.shape)
        self.picture.publish(np.clip(np.rint(noisy), 0, 255).astype(np.uint8)[..., np.newaxis])
        self.label.publish(int(self.labels[index]))
        if self.count == len(self.labels):
            self.end.disable_tick()


class Shrink(gxr.Operator):
    """The mean of each square of pixels, as the network wants it"""

    picture: gxr.Input[gxr.Tensor] = gxr.port(doc="Grey pictures", elements="uint8", shape=(-1, -1, 1))
    small: gxr.Output[gxr.Tensor] = gxr.port(doc="8x8 pixels, from 0 to 255", elements="float32", shape=(SIZE, SIZE))

    def tick(self):
        picture = np.asarray(self.picture.receive())
        rows, columns = picture.shape[0] // SIZE, picture.shape[1] // SIZE
        squares = picture[: rows * SIZE, : columns * SIZE, 0].reshape(SIZE, rows, SIZE, columns)
        self.small.publish(squares.mean(axis=(1, 3), dtype=np.float32))


class Overlay(gxr.Operator):
    """Draws what the network sees in a corner of the picture, and counts how often it is right"""

    picture: gxr.Input[gxr.Tensor] = gxr.port(doc="Grey pictures", elements="uint8", shape=(-1, -1, 1))
    seen: gxr.Input[gxr.Tensor] = gxr.port(doc="Probability of each digit", elements="float32", shape=(1, 10))
    label: gxr.Input[int] = gxr.port(doc="The digit that it is")
    drawn: gxr.Output[gxr.Tensor] = gxr.port(doc="Pictures in colour", elements="uint8", shape=(-1, -1, 3))

    def start(self):
        self.right = self.all = 0

    def tick(self):
        picture = np.asarray(self.picture.receive())
        digit = int(np.argmax(np.asarray(self.seen.receive())))
        is_right = digit == self.label.receive()
        self.right += is_right
        self.all += 1
        drawn = np.repeat(picture, 3, axis=2)
        colour = (0, 255, 0) if is_right else (255, 0, 0)
        drawn[4:24, 4:16][np.kron(FONT[digit], np.ones((4, 4), bool))] = colour
        self.drawn.publish(drawn)

    def stop(self):
        if self.all:
            print(f"{self.right} of {self.all} digits are right: {self.right / self.all:.1%}")
