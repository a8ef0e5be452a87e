"""The applications with operators in Python."""

import pathlib

import numpy as np
import pytest

import gxr

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blurred(picture, size):
    """What filter::Blur makes, one axis after the other, without its sums."""
    for axis in (0, 1):
        widths = [(0, 0)] * picture.ndim
        widths[axis] = ((size - 1) // 2, size // 2)
        padded = np.pad(picture, widths, mode="edge").astype(np.float64)
        windows = np.lib.stride_tricks.sliding_window_view(padded, size, axis=axis)
        picture = np.rint(windows.mean(axis=-1)).astype(picture.dtype)
    return picture


@pytest.mark.parametrize("size", [1, 4, 9])
@pytest.mark.parametrize("executor", ["greedy", "threads"])
def test_python_filter(size, executor, tmp_path):
    app = gxr.Application(ROOT / "apps/python_filter/filter.yaml").executor(executor)
    app.set(f"blur/size={size}", f"writer/path={tmp_path}/%d.png", "source/count=2", "source/width=64", "source/height=48")
    source, joined = app.tap("source/out"), app.tap("halves/joined")
    for before, after in zip(source, joined):
        before, after = np.asarray(before), np.asarray(after)
        np.testing.assert_array_equal(after[:, :32], before[:, :32])
        np.testing.assert_array_equal(after[:, 32:], blurred(before, size)[:, 32:])
    assert app.wait().reason == "completed"
    assert len(list(tmp_path.glob("*.png"))) == 2


def test_python_filter_refuses_what_is_no_picture(tmp_path):
    app = gxr.Application(ROOT / "apps/python_filter/filter.yaml")
    app.set(f"writer/path={tmp_path}/%d.png")
    assert app.validate()
    assert not gxr.Application(ROOT / "apps/python_filter/filter.yaml").set("blur/size=0").validate()


def test_command(command, tmp_path):
    code, out, err = command(
        "run", str(ROOT / "apps/python_filter/filter.yaml"), "-p", "writer/path=out-%d.png", "-p", "source/count=3"
    )
    assert code == 0, err
    assert "completed" in out and (tmp_path / "out-3.png").is_file()


def test_digits(command, tmp_path):
    pytest.importorskip("onnxruntime")
    folder = ROOT / "apps/digits"
    settings = [f"network/model={folder}/digits.onnx", f"camera/data={folder}/digits.npz", "writer/path=%d.png"]
    options = [word for each in settings for word in ("-p", each)]
    code, out, err = command("run", str(folder / "digits.yaml"), *options)
    assert code == 0, err
    assert "876 of 899 digits are right: 97.4%" in out
    assert (tmp_path / "899.png").is_file()
    code, _, err = command("run", str(folder / "digits.yaml"), *options, "-p", "shrink/small/capacity=3")
    assert code == 0, err
