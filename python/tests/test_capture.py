"""Operators whose work is captured into a CUDA graph."""

import ctypes
import pathlib
import sys
import threading
import time
import types
import warnings

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


UNROLLED = """name: one
operator: captured::Arrays
parameters: {factor: 3}
---
name: two
operator: captured::Raw
parameters: {factor: 5}
inputs: {given: one}
---
name: gpu
components:
- name: loop
  type: gxr::cuda::GraphExecutor
  parameters: {entities: [one, two], loop: control_at_end, unroll: 4, inputs: {one/given: {shape: [2000], dtype: float32}}}
"""
BRANCHING = """name: first
operator: captured::Raw
parameters: {factor: 2}
---
name: measure
operator: captured::Larger
inputs: {given: first}
---
name: left
operator: captured::Raw
parameters: {factor: 3}
inputs: {given: first}
---
name: right
operator: captured::Raw
parameters: {factor: 5}
inputs: {given: first}
---
name: last
operator: captured::Raw
parameters: {factor: 7}
inputs: {given: [left, right]}
---
name: gpu
components:
- name: loop
  type: gxr::cuda::GraphExecutor
  parameters: {mode: MODE, entities: [first, measure, last], inputs: {first/given: {shape: [1000], dtype: float32}}}
- {type: gxr::cuda::If, parameters: {selector: measure/large, then: [left], else: [right]}}
"""


def unrolled():
    return gxr.Application(text=UNROLLED).types(captured)


def branching(mode):
    return gxr.Application(text=BRANCHING.replace("MODE", mode)).types(captured)


def test_calls_that_wait_for_a_loop_are_guarded_while_one_runs(monkeypatch):
    from gxr import _capture, _native

    calls = []
    reserved = {0: 1, 1: 0}
    cuda = types.SimpleNamespace(
        synchronize=lambda device=None: calls.append(device),
        empty_cache=lambda: calls.append("empty_cache"),
        current_device=lambda: 0,
        device_count=lambda: len(reserved),
        memory_reserved=reserved.get,
    )
    torch = types.SimpleNamespace(cuda=cuda, device=lambda name: types.SimpleNamespace(index={"cuda": None, "cuda:1": 1}[name]))
    for _ in range(2):  # the second time changes nothing
        _capture.guard_waits(torch)
    assert not _native.loops_run(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cuda.synchronize()
        cuda.empty_cache()
        monkeypatch.setattr(_native, "loops_run", lambda device: device == 1)
        for other in (None, 0, "cuda"):
            cuda.synchronize(other)
        cuda.empty_cache()  # PyTorch has no memory of that GPU
    for device in (1, "cuda:1"):
        with pytest.warns(RuntimeWarning, match=r"torch.cuda.synchronize\(\) waits for the end of the loop") as told:
            cuda.synchronize(device)
        assert len(told) == 1 and told[0].filename == __file__
    with pytest.warns(RuntimeWarning):
        cuda.synchronize(device=1)
    assert calls == [None, "empty_cache", None, 0, "cuda", "empty_cache", 1, "cuda:1", 1]
    reserved[1] = 1
    with pytest.raises(gxr.Error, match=r"torch.cuda.empty_cache\(\) waits .* give memory back before the run") as refused:
        cuda.empty_cache()
    assert refused.value.code == "invalid-state" and len(calls) == 9
    monkeypatch.setattr(_native, "loops_run", lambda device: device == 0)
    with pytest.warns(RuntimeWarning):
        cuda.synchronize()


def planned(app, port, result):
    app.input(port)
    app.tap(result)
    return " ".join(app.plan().split())


def test_an_unrolled_loop_is_planned():
    plan = planned(unrolled(), "one/given", "two/result")
    assert "unroll" in plan and "two/result: float32 [2000]" in plan


@pytest.mark.parametrize("mode", MODES)
def test_branches_are_planned(mode):
    plan = planned(branching(mode), "first/given", "last/result")
    assert "gxr::cuda::If, by measure/large then" in plan and "measure/large: int32 [1]" in plan


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


@gpu
def test_verified_results_are_in_the_report(tmp_path):
    root = pathlib.Path(__file__).resolve().parents[2]
    app = gxr.Application(root / "docs/cookbook/verify.yaml").set(f"write/path={tmp_path}/%d.png").verify()
    verified = app.run().verified
    assert verified is not None and verified.results > 0 and verified.operators >= 3


def pushed_through(app, array_port, result_port, arrays):
    """What comes out for each array, one after the other."""
    app.input(array_port)
    results = app.tap(result_port)
    found = []
    with app:
        for array in arrays:
            app.push(array_port, array, timeout=20)
            result = results.take(timeout=30)
            if result is None:
                break  # wait() says why
            found.append(result.to_host())
        app.end_input(array_port)
        app.wait()
    return found


@gpu
def test_copies_of_one_operator():
    """An unrolled loop runs several copies of each operator, each with the number of its own iteration."""
    pytest.importorskip("cupy")
    given = frames(64, 2000)
    found = pushed_through(unrolled(), "one/given", "two/result", given)
    assert len(found) == len(given)
    for number, (one, each) in enumerate(zip(given, found)):
        expected = (np.sqrt(one * one + 1) * np.float32(3) + number) * np.float32(5)
        np.testing.assert_allclose(each, expected, rtol=1e-5)


@gpu
@pytest.mark.parametrize("mode", MODES)
def test_several_operators_of_one_class(mode):
    pytest.importorskip("cupy")
    app = gxr.Application().executor(mode)
    for number, name in enumerate(["one", "two", "three", "four"]):
        inputs = {"given": f"{before}/result"} if number else None
        app.add(name, captured.Arrays, parameters={"factor": number + 2}, inputs=inputs)
        before = name
    given = frames(30, 2000)
    found = pushed_through(app, "one/given", "four/result", given)
    for number, (one, each) in enumerate(zip(given, found)):
        for factor in (2, 3, 4, 5):
            one = np.sqrt(one * one + 1) * np.float32(factor) + number
        np.testing.assert_allclose(each, one, rtol=1e-5)
    assert len(found) == len(given)


@gpu
@pytest.mark.parametrize("mode", MODES)
def test_operators_beside_each_other(mode):
    """Two operators behind one, and one that waits for both."""
    pytest.importorskip("cupy")
    app = gxr.Application().executor(mode)
    app.add("first", captured.Raw, parameters={"factor": 2})
    app.add("left", captured.Arrays, parameters={"factor": 3}, inputs={"given": "first/result"})
    app.add("right", captured.Raw, parameters={"factor": 5}, inputs={"given": "first/result"})
    app.add("sum", captured.Sum, inputs={"left": "left/result", "right": "right/result"})
    given = frames(40, 5000)
    found = pushed_through(app, "first/given", "sum/result", given)
    for number, (one, each) in enumerate(zip(given, found)):
        twice = one * np.float32(2)
        expected = np.sqrt(twice * twice + 1) * np.float32(3) + number + twice * np.float32(5)
        np.testing.assert_allclose(each, expected, rtol=1e-5)
    assert len(found) == len(given)


@gpu
@pytest.mark.parametrize("mode", MODES)
def test_branches_of_captured_operators(mode):
    """One of two bodies runs, by what a captured operator measures."""
    pytest.importorskip("cupy")
    given = [np.full(1000, value, np.float32) for value in (0.25, 0.75, 0.5, 0.875, 0.625, 0.125) * 5]
    found = pushed_through(branching(mode), "first/given", "last/result", given)
    expected = [one * 2 * (3 if one[0] > 0.5 else 5) * 7 for one in given]
    assert len(found) == len(given) and all(np.array_equal(*pair) for pair in zip(found, expected))


CHECKED = """extensions: [strays.py]
---
name: pictures
operator: gxr::image::Source
parameters: {width: 16, height: 16, element_type: float32, count: 5}
---
name: op
operator: strays::Strays
inputs: {given: pictures}
---
name: gone
operator: gxr::testing::Pop
inputs: {message: op}
"""
STRAYS = """import gxr
import torch

torch.cuda.init()  # which uses the legacy stream


class Strays(gxr.Operator):
    given: gxr.Input[gxr.Tensor]
    result: gxr.Output[gxr.Tensor]
    strays: bool = True

    def start(self):
        self.other = torch.cuda.Stream()
        with torch.cuda.stream(self.other):
            self.buffer = torch.zeros(16, device="cuda")
        self.other.synchronize()

    def capture(self, region):
        torch.from_dlpack(region.output(self.result)).copy_(torch.from_dlpack(region.input(self.given)))
        if self.strays:
            with torch.cuda.stream(self.other):
                self.buffer.add_(1)
"""


@gpu
@pytest.mark.parametrize("executor", MODES)
def test_checked_streams(write, command, executor):
    """`--check-streams` names the operator that puts work on another stream of PyTorch."""
    pytest.importorskip("torch")
    write("strays.py", STRAYS)
    write("app.yaml", CHECKED)
    line = ["run", "app.yaml", "--executor", executor, "--check-streams"]
    code, out, err = command(*line, "-p", "op/strays=false", timeout=120)
    assert code == 0, err
    if "CUPTI is not there" in out + err:
        pytest.skip("CUPTI is not there, which watches the captures")
    code, out, err = command(*line, timeout=120)
    assert code != 0 and "put work on a stream that is not captured" in out + err and "'op'" in out + err


@gpu
@pytest.mark.parametrize("mode", MODES)
def test_clusters(mode):
    """A launch keeps its cluster when gxr copies the node."""
    cupy = pytest.importorskip("cupy")
    if int(cupy.cuda.Device().compute_capability) < 90:
        pytest.skip("this GPU has no clusters")
    given = frames(10, 4096)
    found = results_of(application(captured.Cluster, mode), *given)
    for one, each in zip(given, found):
        # Each block writes the number of blocks of its cluster, and its rank in it.
        assert each.reshape(-1, 256)[:, 0].tolist() == [4.0] * 16
        assert each.reshape(-1, 256)[:, 1].tolist() == [0.0, 1.0, 2.0, 3.0] * 4


@gpu
@pytest.mark.parametrize("mode", MODES)
def test_programmatic_edges(mode):
    """Kernels that wait for those before them by griddepcontrol.wait may be launched before those have ended."""
    cupy = pytest.importorskip("cupy")
    if int(cupy.cuda.Device().compute_capability) < 90:
        pytest.skip("this GPU has no dependent launch")
    app = gxr.Application().executor(mode)
    app.add("one", captured.Dependent, parameters={"factor": 2})
    app.add("two", captured.Dependent, parameters={"factor": 3}, inputs={"given": "one/result"})
    given = frames(200, 1 << 16)
    found = pushed_through(app, "one/given", "two/result", given)
    assert len(found) == len(given)
    for one, each in zip(given, found):
        np.testing.assert_array_equal(each, one * np.float32(2) * np.float32(3))


@gpu
def test_calls_that_wait_for_a_loop():
    """`synchronize()` warns and waits for the end of the loop, which another thread can bring about; `empty_cache()` is refused."""
    torch = pytest.importorskip("torch")

    class Copy(gxr.Operator):
        given: gxr.Input[gxr.Tensor]
        result: gxr.Output[gxr.Tensor]

        def capture(self, region):
            torch.from_dlpack(region.output(self.result)).copy_(torch.from_dlpack(region.input(self.given)))

    app = gxr.Application().add("op", Copy)
    app.executor("resident").input("op/given", capacity=4)
    results = app.tap("op/result")
    told = []

    def wait():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            torch.cuda.synchronize()
        told.extend(str(each.message) for each in caught)

    with app:
        app.push("op/given", np.ones(100, np.float32), timeout=20)
        assert results.take(timeout=30) is not None
        with pytest.raises(gxr.Error, match=r"torch.cuda.empty_cache\(\) waits for the end of the loop that runs on the GPU"):
            torch.cuda.empty_cache()
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join(0.5)
        app.end_input("op/given")
        app.wait()
        thread.join(30)
    assert not thread.is_alive()
    assert any("torch.cuda.synchronize() waits for the end of the loop that runs on the GPU" in each for each in told)
    told.clear()
    wait()
    torch.cuda.empty_cache()
    assert told == []
