"""gxr::nn::Onnx."""

import numpy as np
import pytest

import gxr
import gxr.nn

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper  # noqa: E402


@pytest.fixture
def network(tmp_path):
    """Writes a network of one node for each input: the sum of all, and the sum times two."""

    def write(shape, inputs=("image",), kind=TensorProto.FLOAT):
        values = [helper.make_tensor_value_info(each, kind, shape) for each in inputs]
        nodes = [
            helper.make_node("Sum", list(inputs), ["sum"]),
            helper.make_node("Add", ["sum", "sum"], ["twice"]),
        ]
        outputs = [helper.make_tensor_value_info(each, kind, None) for each in ("sum", "twice")]
        model = helper.make_model(
            helper.make_graph(nodes, "net", values, outputs),
            opset_imports=[helper.make_opsetid("", 13)],
            ir_version=8,
        )
        path = tmp_path / "net.onnx"
        onnx.save(model, path)
        return path

    return write


def results_of(parameters, *messages):
    app = gxr.Application().types(gxr.nn)
    app.add("net", "gxr::nn::Onnx", parameters=parameters)
    app.input("net/input")
    tap = app.tap("net/result")
    app.start()
    try:
        for parts in messages:
            message = app.new_message()
            for name, array in parts.items():
                message.add(array, name)
            message.sequence = 7
            app.push("net/input", message)
        app.end_input("net/input")
        taken = []
        while (message := tap.take()) is not None:
            taken.append(({name: np.array(message.tensor(name)) for name, _ in message.parts}, message.sequence))
        return taken
    finally:
        app.wait()


def test_outputs_are_parts(network):
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    (result, sequence), *rest = results_of({"model": str(network([2, 3]))}, {"": array})
    assert not rest and sequence == 7
    np.testing.assert_array_equal(result["sum"], array)
    np.testing.assert_array_equal(result["twice"], 2 * array)


def test_preparation(network):
    picture = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    parameters = {
        "model": str(network([1, 3, "height", "width"])),
        "channels": "first",
        "scale": 0.5,
        "mean": [1.0, 2.0, 3.0],
        "std": [1.0, 2.0, 4.0],
    }
    wanted = (picture * 0.5 - np.array([1, 2, 3])) / np.array([1, 2, 4])
    result = results_of(parameters, {"": picture})[0][0]["sum"]
    np.testing.assert_allclose(result, np.moveaxis(wanted, -1, 0)[np.newaxis], rtol=1e-6)


def test_several_inputs_by_name(network):
    path = str(network([2], ("left", "right")))
    one, two = np.ones(2, np.float32), np.full(2, 2, np.float32)
    assert results_of({"model": path}, {"right": two, "left": one})[0][0]["sum"].tolist() == [3, 3]
    with pytest.raises(gxr.RunFailed, match="takes 'left', 'right', but the message at 'net/input' has"):
        results_of({"model": path}, {"left": one, "wrong": two})


def test_a_tensor_that_does_not_fit_names_both_ends(network):
    with pytest.raises(
        gxr.RunFailed,
        match=r"takes \[1, 2, \*\] float32 as 'image', but the tensor at 'net/input' is \[3, 3\] uint8, \[1, 3, 3\]",
    ):
        results_of({"model": str(network([1, 2, "any"]))}, {"": np.zeros((3, 3), np.uint8)})


def test_what_is_missing(network, tmp_path):
    with pytest.raises(gxr.RunFailed, match="there is no file"):
        results_of({"model": str(tmp_path / "none.onnx")}, {"": np.zeros(1, np.float32)})
    with pytest.raises(gxr.RunFailed, match="has no Magic"):
        results_of({"model": str(network([1])), "providers": ["Magic"]}, {"": np.zeros(1, np.float32)})
    (tmp_path / "broken.onnx").write_text("nonsense")
    with pytest.raises(gxr.RunFailed):
        results_of({"model": str(tmp_path / "broken.onnx")}, {"": np.zeros(1, np.float32)})


def test_by_command(command, write, network):
    network([4])
    write(
        "app.yaml",
        "extensions: [gxr.nn]\n---\nname: numbers\noperator: gxr::arithmetic::Numbers\ncount: 1\n"
        "---\nname: net\noperator: gxr::nn::Onnx\ninputs: {input: numbers}\nparameters: {model: net.onnx, models: 3}\n"
        "---\nname: sink\noperator: gxr::testing::Print\ninputs: {message: net}\n",
    )
    code, _, err = command("validate", "app.yaml")
    assert code == 3 and "'gxr::nn::Onnx' has no parameter 'models'" in err and "did you mean 'model'?" in err


def test_there_is_no_such_module(command, write):
    write("app.yaml", "extensions: [gxr.none]\n---\nname: a\noperator: gxr::none::A\n")
    code, _, err = command("validate", "app.yaml")
    assert code != 0 and "No module named 'gxr.none'" in err
