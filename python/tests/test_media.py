import gc

import numpy as np
import pytest

import gxr


def nv12(width=6, height=4):
    luma = np.arange(width * height, dtype=np.uint8).reshape(height, width)
    chroma = np.full((height // 2, width // 2, 2), 128, np.uint8)
    return luma, chroma


class Brighter(gxr.Operator):
    """Adds to the luma of pictures of NV12"""

    before: gxr.Input[gxr.Picture]
    after: gxr.Output[gxr.Picture]
    kept = []

    def tick(self):
        picture = self.before.receive()
        luma, chroma = (np.asarray(plane) for plane in picture.planes)
        self.kept.append(picture)
        self.after.publish(gxr.Picture([luma + 10, chroma], picture.format))


class Same(gxr.Operator):
    """Publishes what comes"""

    before: gxr.Input[gxr.Message]
    after: gxr.Output[gxr.Message]

    def tick(self):
        message = self.before.receive()
        made = self.new_message()
        for name, _ in message.parts:
            made.add(message[name], name)
        self.after.publish(made)


class Louder(gxr.Operator):
    """Doubles a sound"""

    before: gxr.Input[gxr.Sound]
    after: gxr.Output[gxr.Sound]

    def tick(self):
        sound = self.before.receive()
        self.after.publish(gxr.Sound(np.asarray(sound.samples) * np.float32(2), sound.rate))


def through(cls, *values, content="auto"):
    app = gxr.Application()
    app.add("one", cls)
    app.input("one/before")
    tap = app.tap("one/after", content=content)
    with app:
        for value in values:
            app.push("one/before", value)
        app.end_input("one/before")
        return list(tap)


def test_pictures_with_planes_go_through_an_operator():
    luma, chroma = nv12()
    result = through(Brighter, gxr.Picture([luma, chroma], "NV12"))[0]
    assert (result.format, result.width, result.height, result.storage) == ("NV12", 6, 4, "system")
    assert [plane.shape for plane in result.planes] == [(4, 6), (2, 3, 2)]
    assert np.array_equal(result.planes[0], luma + 10)
    assert np.array_equal(result.planes[1], chroma)
    assert repr(result) == "<gxr.Picture: 6 x 4 NV12>"


def test_planes_keep_the_memory_of_a_message():
    luma, chroma = nv12(64, 64)
    Brighter.kept.clear()
    planes = [np.asarray(picture.planes[0]) for picture in through(Brighter, *[gxr.Picture([luma, chroma], "NV12")] * 5)]
    kept = [np.asarray(picture.planes[0]) for picture in Brighter.kept]
    Brighter.kept.clear()
    gc.collect()
    assert all(np.array_equal(plane, luma + 10) for plane in planes)
    assert all(np.array_equal(plane, luma) for plane in kept)
    assert not planes[0].flags.writeable


def test_parts_of_a_message_go_on():
    luma, chroma = nv12()
    result = through(Same, gxr.Picture([luma, chroma], "NV12"), gxr.Sound(np.ones((3, 2), np.int16), 8000), content="message")
    assert [message.parts for message in result] == [[("", "Picture")], [("", "Sound")]]
    assert np.array_equal(result[0][""].planes[0], luma)
    assert result[1][""].rate == 8000


def test_sounds_go_through_an_operator():
    samples = np.linspace(-0.5, 0.5, 8, dtype=np.float32).reshape(4, 2)
    result = through(Louder, gxr.Sound(samples, 48000))[0]
    assert (result.rate, result.channels, result.samples.shape) == (48000, 2, (4, 2))
    assert np.array_equal(result.samples, samples * 2)
    # Not side by side in memory.
    assert np.array_equal(gxr.Sound(np.asfortranarray(samples), 48000).samples, samples)


def test_operators_of_cpp_take_and_give_pictures():
    luma, chroma = np.full((4, 6), 235, np.uint8), np.full((2, 3, 2), 128, np.uint8)
    app = gxr.Application()
    app.add("rgb", "gxr::image::ColorConverter", parameters={"out_format": "RGB"})
    app.add("nv12", "gxr::image::ColorConverter", inputs={"in": "rgb"}, parameters={"out_format": "NV12"})
    app.input("rgb/in")
    tap = app.tap("nv12/out", content="picture")
    with app:
        app.push("rgb/in", gxr.Picture([luma, chroma], "NV12"))
        app.end_input("rgb/in")
        result = list(tap)[0]
    assert result.format.startswith("NV12")
    assert np.array_equal(result.planes[0], luma)


@pytest.mark.parametrize(
    "planes, name, reason",
    [
        ([np.zeros((4, 4), np.uint8)], "NV99", "there is no format 'NV99' of pictures; there are "),
        ([np.zeros((4, 4), np.uint8)], "NV12", "has 2 planes, each an array of rows x columns; this has 1"),
        ([np.zeros(4, np.uint8)] * 2, "NV12", "has 2 planes, each an array of rows x columns"),
        ([np.zeros((4, 4), np.uint8), np.zeros((4, 4, 2), np.uint8)], "NV12", "plane 1 must be [2, 2, 2] uint8"),
        ([np.zeros((4, 4), np.uint16), np.zeros((2, 2, 2), np.uint8)], "NV12", "plane 0 must be [4, 4] uint8"),
    ],
)
def test_planes_that_do_not_fit(planes, name, reason):
    with pytest.raises(gxr.Error) as error:
        gxr.Picture(planes, name)
    assert reason in str(error.value)


@pytest.mark.parametrize("samples", [np.zeros((2, 2), np.int32), np.zeros(4, np.int16), np.zeros((0, 2), np.int16)])
def test_samples_that_do_not_fit(samples):
    with pytest.raises(gxr.Error, match="a sound is an array of int16 or float32"):
        gxr.Sound(samples, 48000)
    with pytest.raises(gxr.Error, match="with rate 0"):
        gxr.Sound(np.zeros((2, 2), np.int16), 0)
