"""gxr::nn::Torch, where PyTorch is there."""

import pathlib

import numpy as np
import pytest

import gxr
import gxr.nn

torch = pytest.importorskip("torch")

MODES = ["greedy"] + (["graph", "resident"] if torch.cuda.is_available() else [])


def small_network():
    """The factory for a state dict."""
    torch.manual_seed(3)
    return torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(4, 3, 1))


class TwoOutputs(torch.nn.Module):
    def forward(self, given):
        return given + 1, given * 2


def saved(tmp_path, kind, module):
    example = (torch.zeros(1, 3, 8, 8),)
    module = module.eval()
    if kind == "state":
        torch.save(module.state_dict(), tmp_path / "net.pth")
        return {"model": str(tmp_path / "net.pth"), "factory": f"{__name__}:small_network"}
    if kind == "script":
        torch.jit.save(torch.jit.trace(module, example), tmp_path / "net.pt")
        return {"model": str(tmp_path / "net.pt")}
    torch.export.save(torch.export.export(module, example, strict=False), tmp_path / "net.pt2")
    return {"model": str(tmp_path / "net.pt2")}


def results_of(mode, parameters, *arrays):
    app = gxr.Application().types(gxr.nn)
    app.add("net", "gxr::nn::Torch", parameters=parameters)
    app.executor(mode)
    app.input("net/input")
    results = app.tap("net/result")
    with app:
        for array in arrays:
            app.push("net/input", array)
        app.end_input("net/input")
        app.wait()
    return [results.take(timeout=5).to_host() for _ in arrays]


def pictures(count, dtype=np.uint8, most=255):
    random = np.random.default_rng(count)
    return [random.integers(0, most, (8, 8, 3), endpoint=True).astype(dtype) for _ in range(count)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["state", "script", "export"])
def test_three_kinds_of_files(tmp_path, mode, kind):
    net = small_network()
    given = pictures(3)
    found = results_of(mode, {**saved(tmp_path, kind, net), "channels": "first", "scale": 1 / 255}, *given)
    for each, one in zip(found, given):
        with torch.inference_mode():
            expected = net(torch.from_numpy(one).float().movedim(-1, 0)[None] / 255)[0].numpy()
        np.testing.assert_allclose(each, expected, rtol=2e-3, atol=2e-4)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype, most", [(np.uint8, 255), (np.uint16, 65535)])
def test_a_picture_comes_and_goes(tmp_path, mode, dtype, most):
    given = pictures(2, dtype, most)
    parameters = {**saved(tmp_path, "export", torch.nn.Identity()), "channels": "first", "picture": True}
    for each, one in zip(results_of(mode, {**parameters, "scale": 1 / most}, *given), given):
        assert each.dtype == dtype and np.array_equal(each, one)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("precision", ["float16", "bfloat16"])
def test_other_precisions(tmp_path, mode, precision):
    net = small_network()
    given = pictures(1)
    parameters = {**saved(tmp_path, "state", net), "channels": "first", "scale": 1 / 255, "precision": precision}
    found = results_of(mode, parameters, *given)[0]
    with torch.inference_mode():
        expected = net(torch.from_numpy(given[0]).float().movedim(-1, 0)[None] / 255)[0].numpy()
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=0.03)


@pytest.mark.parametrize("mode", MODES)
def test_mean_and_deviation(tmp_path, mode):
    given = [each.astype(np.float32) for each in pictures(1)]
    parameters = saved(tmp_path, "export", torch.nn.Identity())
    found = results_of(mode, {**parameters, "channels": "first", "mean": [1, 2, 3], "std": [2, 4, 8]}, *given)[0]
    np.testing.assert_allclose(found, np.moveaxis((given[0] - [1, 2, 3]) / [2, 4, 8], -1, 0), rtol=1e-5)


@pytest.mark.parametrize("mode", MODES)
def test_one_of_several_outputs(tmp_path, mode):
    given = [each.astype(np.float32) for each in pictures(1)]
    parameters = {**saved(tmp_path, "script", TwoOutputs()), "channels": "first"}
    found = results_of(mode, {**parameters, "output": 1}, *given)[0]
    np.testing.assert_array_equal(found, np.moveaxis(given[0], -1, 0) * 2)
    with pytest.raises(gxr.RunFailed, match="has 2 outputs, so 'output: 2' is none of them"):
        results_of(mode, {**parameters, "output": 2}, *given)


@pytest.mark.parametrize("mode", MODES)
def test_what_does_not_fit(tmp_path, mode):
    parameters = {**saved(tmp_path, "state", small_network()), "channels": "first"}
    grey = np.zeros((8, 8, 1), np.uint8)
    with pytest.raises(gxr.RunFailed) as failed:
        results_of(mode, parameters, grey)
    text = str(failed.value)
    assert "does not take the tensor at 'net/input', [8, 8, 1] uint8, [1, 1, 8, 8] for the network" in text


@pytest.mark.parametrize(
    "parameters, text",
    [
        ({"model": "none.pt2"}, "there is no file"),
        ({"model": __file__}, "is no TorchScript"),
        ({"model": __file__, "factory": "nothing"}, "is MODULE:FUNCTION"),
        ({"model": __file__, "device": "cuda:99"}, "."),
    ],
)
def test_wrong_files(parameters, text):
    with pytest.raises(gxr.RunFailed, match=text):
        results_of("greedy", parameters, np.zeros((8, 8, 3), np.float32))


def test_the_resident_network(tmp_path, command):
    """The application gives the same pictures on the CPU and in a loop on a GPU, within one step of 256."""
    if len(MODES) == 1:
        pytest.skip("there is no GPU")
    root = pathlib.Path(__file__).parents[2]
    found = {}
    for executor in ("greedy", "resident"):
        code, out, err = command(
            "run",
            str(root / "apps/resident_network/network.yaml"),
            *(["--executor", "greedy"] if executor == "greedy" else []),
            "-p",
            f"network/model={root}/apps/resident_network/denoise.pt2",
            "-p",
            f"writer/path={tmp_path}/{executor}/%04d.png",
            timeout=120,
        )
        assert code == 0, err
        app = gxr.Application()
        app.add("source", "gxr::image::Source", parameters={"path": f"{tmp_path}/{executor}"})
        found[executor] = [np.array(each) for each in app.tap("source/out")]
    assert len(found["greedy"]) == 8 and found["greedy"][0].std() > 20
    for one, other in zip(found["greedy"], found["resident"]):
        assert abs(one.astype(int) - other.astype(int)).max() <= 1
