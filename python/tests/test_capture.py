"""Operators whose work is captured into a CUDA graph."""

import ctypes
import pathlib
import sys
import time

import numpy as np
import pytest

import captured
import gxr

MODES = ["graph", "resident"]


def has_gpu():
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


gpu = pytest.mark.skipif(not has_gpu(), reason="there is no GPU")


@pytest.fixture(autouse=True)
def no_calls():
    captured.Base.calls.clear()


def application(operator, executor, **parameters):
    """input → op → output, as a CUDA graph."""
    app = gxr.Application()
    app.add("op", operator, parameters=parameters)
    app.executor(executor)
    app.input("op/given", capacity=4)
    return app


def results_of(app, *arrays, between=lambda number: None):
    """What comes for each of them; the next one goes when it has come."""
    results = app.tap("op/result")
    found = []
    with app:
        for number, array in enumerate(arrays):
            app.push("op/given", array, timeout=20)
            result = results.take(timeout=30)
            if result is None:
                break  # wait() says why
            found.append(result.to_host())
            between(number)
        app.end_input("op/given")
        app.wait()
    return found


def frames(count, *shape):
    random = np.random.default_rng(count)
    return [random.random(shape, np.float32) for _ in range(count)]


# --- without a GPU


def test_is_capturable(command):
    code, out, err = command("describe", "-x", captured.__file__, "captured::Half")
    assert (code, err) == (0, "")
    assert "capturable: can be a part of a CUDA graph" in " ".join(out.split())


def test_shapes_are_in_the_plan(write, command):
    write(
        "app.yaml",
        f"""
extensions: ["{captured.__file__}"]
---
name: pictures
operator: gxr::image::Source
parameters: {{width: 6, height: 8, count: 3}}
---
name: plain
operator: captured::Plain
inputs: {{given: pictures}}
---
name: half
operator: captured::Half
inputs: {{given: plain}}
---
name: gone
operator: gxr::testing::Pop
inputs: {{message: half}}
""",
    )
    code, out, err = command("plan", "app.yaml", "--executor", "resident")
    assert (code, err) == (0, "")
    text = " ".join(out.split())
    assert "plain/result: uint8 [8, 6, 3]" in text and "half/result: float32 [4, 6, 3]" in text


TRAITS = """import gxr


class Made(gxr.Operator):
    \"\"\"Has traits\"\"\"

    given: gxr.Input[gxr.Tensor]
    result: gxr.Output[gxr.Tensor]
    graph_traits = gxr.GraphTraits(repeatable=True, priority=-2, kept_in_l2="output")

    def capture(self, region):
        raise AssertionError("captured without a GPU")
"""
WITH_TRAITS = """extensions: [traits.py]
---
name: pictures
operator: gxr::image::Source
parameters: {width: 6, height: 8, count: 3}
---
name: made
operator: traits::Made
inputs: {given: pictures}
---
name: gone
operator: gxr::testing::Pop
inputs: {message: made}
"""


def test_graph_traits_are_described_and_planned(write, command):
    write("traits.py", TRAITS)
    write("app.yaml", WITH_TRAITS)
    code, out, err = command("describe", "-x", "traits.py", "traits::Made")
    assert (code, err) == (0, "")
    assert "In a CUDA graph: repeatable, priority -2, output kept in L2." in " ".join(out.split())
    code, out, err = command("plan", "app.yaml", "--executor", "resident")
    assert (code, err) == (0, "")
    assert "made: traits::Made, repeatable, priority -2, output kept in L2" in out


@pytest.mark.parametrize(
    "traits, words",
    [
        ("gxr.GraphTraits(priority='high')", "'priority' must be a whole number from -1000 to 1000, not 'high'"),
        ("gxr.GraphTraits(repeatabel=True)", "unexpected keyword argument 'repeatabel'"),
        ("True", "must be gxr.GraphTraits, not True"),
    ],
)
def test_wrong_graph_traits_have_a_place(write, command, traits, words):
    write("traits.py", TRAITS.replace('gxr.GraphTraits(repeatable=True, priority=-2, kept_in_l2="output")', traits))
    write("app.yaml", WITH_TRAITS)
    code, _, err = command("validate", "app.yaml")
    assert code == 4 and "traits.py:9" in err and words in err


def test_a_method_that_is_no_function(command, write):
    write("bad.py", "import gxr\nclass Bad(gxr.Operator):\n    capture = 5\n")
    code, out, err = command("describe", "-x", "bad.py", "bad::Bad")
    assert code != 0 and "'capture' is a method of gxr.Operator" in err


def test_no_tick_on_the_cpu():
    app = gxr.Application()
    app.add("op", captured.Plain)
    app.input("op/given")
    app.tap("op/result")
    with pytest.raises(gxr.RunFailed, match=r"Plain has no method tick\(\): it works in a CUDA graph only"):
        with app:
            app.push("op/given", np.zeros(3, np.float32), timeout=5)
            app.end_input("op/given")
            app.wait()


def test_the_cpu_runs_tick():
    app = application(captured.Raw, "greedy", factor=3)
    given = frames(2, 5)
    assert all(np.array_equal(each, 3 * one) for each, one in zip(results_of(app, *given), given))
    assert captured.Base.calls == ["tick", "tick"]


# --- on a GPU


@gpu
@pytest.mark.parametrize("mode", MODES)
def test_a_kernel_of_cupy(mode):
    pytest.importorskip("cupy")
    given = frames(500, 1000)
    found = results_of(application(captured.Raw, mode, factor=3), *given)
    assert len(found) == 500 and all(np.array_equal(each, 3 * one) for each, one in zip(found, given))
    assert captured.Base.calls == ["capture", "capture"]  # prepared and captured: no Python for 500 messages


@gpu
@pytest.mark.parametrize("mode", MODES)
def test_expressions_of_cupy(mode):
    pytest.importorskip("cupy")
    given = frames(20, 33, 7)
    found = results_of(application(captured.Arrays, mode), *given)
    for number, (each, one) in enumerate(zip(found, given)):
        np.testing.assert_allclose(each, np.sqrt(one * one + 1) * 2 + number, rtol=1e-6)


@gpu
@pytest.mark.parametrize("mode", MODES)
def test_a_network_of_pytorch(mode):
    torch = pytest.importorskip("torch")
    given = frames(8, 3, 32, 32)
    net = captured.network()

    def work_of_others(number):
        for _ in range(10):
            net(torch.rand(1, 3, 32, 32, device="cuda") * 100)  # never in the memory of the graph
        torch.cuda.current_stream().synchronize()

    with torch.inference_mode():
        expected = [net(torch.from_numpy(one)[None].cuda())[0].cpu().numpy() for one in given]
        found = results_of(application(captured.Module, mode), *given, between=work_of_others)
    for each, one in zip(found, expected):
        np.testing.assert_allclose(each, one, rtol=1e-3, atol=1e-5)
    assert captured.Base.calls == ["capture", "capture"]


@gpu
def test_a_compiled_network():
    torch = pytest.importorskip("torch")
    given = frames(4, 3, 32, 32)
    net = captured.network()
    with torch.inference_mode():
        expected = [net(torch.from_numpy(one)[None].cuda())[0].cpu().numpy() for one in given]
    found = results_of(application(captured.Module, "resident", compiled=True), *given)
    for each, one in zip(found, expected):
        np.testing.assert_allclose(each, one, rtol=1e-3, atol=1e-5)


@gpu
def test_a_network_that_makes_graphs_itself():
    pytest.importorskip("torch")
    app = application(captured.Module, "graph", compiled=True, mode="reduce-overhead")
    with pytest.raises(gxr.RunFailed, match="makes CUDA graphs of its own"):
        results_of(app, *frames(1, 3, 32, 32))


@gpu
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operator", [captured.Triton, captured.Numba], ids=["triton", "numba"])
def test_kernels_of_others(mode, operator):
    pytest.importorskip("torch")
    if pytest.importorskip(operator.__name__.lower()).__name__ == "numba":
        try:
            import numba_kernels

            numba_kernels.works()
        except Exception as error:
            pytest.skip(f"numba does not work here: {error}")
    given = frames(5, 3000)
    found = results_of(application(operator, mode, factor=5), *given)
    assert all(np.array_equal(each, np.float32(5) * one) for each, one in zip(found, given))


@gpu
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operator, captures", [(captured.Raw, 3), (captured.Live, 2)], ids=["captured", "in memory"])
def test_a_new_value(mode, operator, captures):
    pytest.importorskip("cupy")
    app = application(operator, mode, factor=2)

    def change(number):
        if number == 2:
            app.set("op/factor=10")
            time.sleep(0.3)

    given = frames(6, 100)
    found = results_of(app, *given, between=change)
    for number, (each, one) in enumerate(zip(found, given)):
        np.testing.assert_array_equal(each, one * np.float32(2 if number <= 2 else 10))
    assert captured.Base.calls == ["capture"] * captures


@gpu
@pytest.mark.parametrize("mode", MODES)
def test_another_shape(mode):
    pytest.importorskip("cupy")
    given = frames(2, 100) + frames(2, 5000) + frames(1, 3, 4) + frames(2, 100)
    found = results_of(application(captured.Arrays, mode), *given)
    assert [each.shape for each in found] == [one.shape for one in given]


@gpu
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "mistake, text",
    {
        "item": r"waits for the GPU, copies",
        "random": r"random numbers cannot be captured",
        "cupy random": r"random numbers cannot be captured",
        "host": r"waits for the GPU, copies",
        "synchronize": r"waits for the GPU, copies",
        "nothing": r"nothing was put on",
        "stream": r"nothing was put on",
        "raise": r"no kernel today",
        "infer": r"these shapes are not for me",
    }.items(),
)
def test_mistakes(mode, mistake, text):
    pytest.importorskip("torch")
    pytest.importorskip("cupy")
    with pytest.raises(gxr.Error, match=text) as failed:
        results_of(application(captured.Wrong, mode, mistake=mistake), *frames(1, 10))
    assert "op" in str(failed.value)
    if mistake not in ("nothing", "stream"):
        assert "captured.py" in str(failed.value)
    # Nothing is broken for the next one.
    given = frames(1, 10)
    assert np.array_equal(results_of(application(captured.Wrong, mode), *given)[0], given[0])


@gpu
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("first", [captured.Raw, captured.Arrays, captured.Module], ids=lambda cls: cls.__name__)
def test_a_mistake_behind_another_operator(mode, first):
    """What the first one has captured goes with the graph that fails."""
    pytest.importorskip("torch")
    pytest.importorskip("cupy")
    for _ in range(3):
        app = gxr.Application().executor(mode).input("first/given")
        app.add("first", first)
        app.add("op", captured.Wrong, inputs={"given": "first/result"}, parameters={"mistake": "raise"})
        with pytest.raises(gxr.Error, match="no kernel today"):
            results_of_pushed(app, "first/given", np.ones((3, 32, 32), np.float32))
    given = frames(1, 3, 32, 32)
    assert len(results_of(application(first, mode), *given)) == 1


def results_of_pushed(app, port, array):
    app.tap("op/result")
    with app:
        app.push(port, array, timeout=20)
        app.wait()


@gpu
def test_a_region_is_valid_in_its_call():
    pytest.importorskip("torch")
    results_of(application(captured.Wrong, "graph", mistake="late"), *frames(1, 4))
    with pytest.raises(gxr.Error, match="valid only while the call"):
        captured.Wrong.late.stream


@gpu
def test_no_python_runs_in_the_loop(tmp_path):
    """While a call holds Python's lock, pictures go on through the operators."""
    pytest.importorskip("cupy")
    app = gxr.Application()
    app.add(
        "source",
        "gxr::image::Source",
        parameters={"width": 16, "height": 16, "element_type": "float32", "count": 400},
        period="5ms",
    )
    app.add("op", captured.Raw, inputs={"given": "source"})
    app.add(
        "writer",
        "gxr::image::Writer",
        inputs={"in": "op"},
        parameters={"path": f"{tmp_path}/%04d.png", "bit_depth": 8},
    )
    app.executor("resident")
    interval = sys.getswitchinterval()
    sys.setswitchinterval(100)
    try:
        with app:
            while app.is_running and not any(tmp_path.iterdir()):
                time.sleep(0.01)
            before = len(list(pathlib.Path(tmp_path).iterdir()))
            ctypes.PyDLL(None).usleep(1_000_000)  # as any call of C that does not let go of the lock
            after = len(list(pathlib.Path(tmp_path).iterdir()))
            app.wait()
    finally:
        sys.setswitchinterval(interval)
    assert after - before >= 100
    assert captured.Base.calls == ["capture", "capture"]


@gpu
@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_arrays_on_the_gpu(library):
    """A tensor on a GPU comes in without a copy, when all that was asked for it is done."""
    module = pytest.importorskip(library)
    app = gxr.Application()
    app.add("op", "gxr::Forward")
    app.input("op/in")
    results = app.tap("op/out")
    with app:
        if library == "torch":
            array = module.ones(1 << 22, device="cuda")
            for _ in range(50):
                array = array * 1.01
            pointer = array.data_ptr()
        else:
            array = module.ones(1 << 22, dtype=module.float32)
            for _ in range(50):
                array = array * 1.01
            pointer = array.data.ptr
        app.push("op/in", array, timeout=5)
        result = results.take(timeout=5)
        assert result.storage == "device" and result.__cuda_array_interface__["data"][0] == pointer
        assert abs(float(module.from_dlpack(result).max()) - 1.01**50) < 1e-3
        del result
        app.end_input("op/in")
        app.wait()
