import asyncio
import collections
import ctypes
import gc
import pathlib
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import gxr
import operators
from conftest import has_ended, started
from gxr._report import report_of

ROOT = pathlib.Path(__file__).resolve().parents[2]


def chain(count=3, **parameters):
    app = gxr.Application()
    app.add("ramp", operators.Ramp, count=count, parameters=parameters)
    app.add("scale", operators.Scale, inputs={"array": "ramp"})
    return app


def ended_chain(count=3, **parameters):
    return chain(count, **parameters).add("drop", operators.Drop, inputs={"anything": "scale"})


def test_file_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    report = gxr.Application(ROOT / "extensions/hello/hello.yaml").run()
    assert report.reason == "completed"
    assert report.ticks > 0 and not report.failures


def test_to_yaml_is_what_was_added():
    app = ended_chain(count=3, size=5)
    assert app.to_yaml() == (
        "name: ramp\noperator: operators::Ramp\nparameters: {size: 5}\ncount: 3\n---\n"
        "name: scale\noperator: operators::Scale\ninputs: {array: ramp}\n---\n"
        "name: drop\noperator: operators::Drop\ninputs: {anything: scale}\n"
    )
    again = gxr.Application(text=app.to_yaml()).types(operators)
    assert again.run().reason == "completed"


def test_problems_have_places():
    app = chain(sizes=5)
    assert not app.validate()
    problem = app.problems[0]
    assert (problem.code, problem.file, problem.line, problem.column) == ("unknown-parameter", "application", 3, 14)
    assert problem.hint == "did you mean 'size'?"
    with pytest.raises(gxr.InvalidApplication) as caught:
        app.run()
    assert caught.value.problems == app.problems


def test_tap_gives_all_messages_without_a_copy():
    app = chain(count=3)
    tap = app.tap("scale/scaled")
    arrays = [(np.asarray(tensor), tensor.sequence) for tensor in tap]
    assert [sequence for _, sequence in arrays] == [0, 1, 2]
    for array, _ in arrays:
        assert array.tolist() == [0, 2, 4, 6] and array.dtype == np.float32
        assert not array.flags.writeable and not array.flags.owndata
    assert tap.ended and app.wait().reason == "completed"


def test_arrays_outlive_the_application():
    tap = chain(count=2).tap("scale/scaled")
    arrays = [np.asarray(tensor) for tensor in tap]
    del tap
    gc.collect()
    assert [array.tolist() for array in arrays] == [[0, 2, 4, 6]] * 2


def test_push_is_without_a_copy_and_locks_the_array():
    app = gxr.Application().add("forward", operators.Forward)
    app.input("forward/before", capacity=1)
    tap = app.tap("forward/after")
    array = np.arange(12, dtype=np.uint8).reshape(3, 4)
    with app:
        app.push("forward/before", array)
        tensor = tap.take(10)
        assert np.asarray(tensor).ctypes.data == array.ctypes.data
        assert tensor.shape == (3, 4) and tensor.dtype == "uint8"
        assert not array.flags.writeable
        with pytest.raises(ValueError):
            array[0, 0] = 1
        del tensor
        app.end_input("forward/before")
        assert tap.take() is None
    app.wait()
    assert array.flags.writeable


def test_strides_and_types_survive():
    app = gxr.Application().add("forward", operators.Forward)
    app.input("forward/before")
    tap = app.tap("forward/after")
    types = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128".split()
    with app:
        for name in types:
            whole = np.arange(24).reshape(4, 6).astype(name)
            part = whole[::2, 1:4]
            app.push("forward/before", part)
            taken = np.asarray(tap.take(10))
            assert taken.dtype == whole.dtype and taken.strides == part.strides
            np.testing.assert_array_equal(taken, part)
        app.end_input("forward/before")


@pytest.mark.parametrize(
    "value, words",
    [
        (np.arange(4)[::-1], "runs backwards"),
        (np.array(["a"]), "elements of the format"),
        (object(), "'object' cannot be a tensor"),
        (np.zeros((1,) * 9), "9 dimensions"),
    ],
)
def test_what_is_no_tensor(value, words):
    app = gxr.Application().add("drop", operators.Drop)
    app.input("drop/anything")
    with app:
        with pytest.raises(gxr.Error, match=words):
            app.push("drop/anything", value)
        app.end_input("drop/anything")


def test_push_waits_at_most_its_timeout():
    app = gxr.Application().add("forward", operators.Forward)
    app.input("forward/before", capacity=1)
    tap = app.tap("forward/after", capacity=1)
    with app:
        with pytest.raises(TimeoutError):
            for _ in range(50):
                app.push("forward/before", 1, timeout=0.05)
        app.end_input("forward/before")
        while tap.take() is not None:
            pass
        with pytest.raises(gxr.Ended):
            app.push("forward/before", 1)


def test_drop_oldest():
    app = chain(count=50)
    tap = app.tap("scale/scaled", capacity=2, drop_oldest=True)
    report = app.run()
    assert [tensor.sequence for tensor in tap] == [48, 49]
    assert sum(each.count for each in report.dropped) == 48


# Two cameras whose clocks differ a little.
SYNCHRONIZATION = """
name: left
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: more, type: gxr::BooleanSchedulingTerm}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- {type: gxr::image::Source, parameters: {out: out, pool: memory/pool, width: 8, height: 8, count: 30, frame_rate: 30, boolean_scheduling_term: more}}
---
name: right
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: more, type: gxr::BooleanSchedulingTerm}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- {type: gxr::image::Source, parameters: {out: out, pool: memory/pool, width: 8, height: 8, count: 30, frame_rate: 29.97, boolean_scheduling_term: more}}
---
name: sync
components:
- {name: a, type: gxr::DoubleBufferReceiver}
- {name: b, type: gxr::DoubleBufferReceiver}
- {name: x, type: gxr::DoubleBufferTransmitter}
- {name: y, type: gxr::DoubleBufferTransmitter}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: a}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: b}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: x}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: y}}
- {name: sync, type: gxr::Synchronization, parameters: {inputs: [a, b], outputs: [x, y]}}
---
name: sink
components:
- {name: x, type: gxr::DoubleBufferReceiver}
- {name: y, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: x}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: y}}
- {type: gxr::sample::MultiPingRx, parameters: {receivers: [x, y]}}
---
name: memory
components: [{name: pool, type: gxr::UnboundedAllocator}]
---
components:
- {type: gxr::Connection, parameters: {source: left/out, target: sync/a}}
- {type: gxr::Connection, parameters: {source: right/out, target: sync/b}}
- {type: gxr::Connection, parameters: {source: sync/x, target: sink/x}}
- {type: gxr::Connection, parameters: {source: sync/y, target: sink/y}}
---
components:
- {name: clock, type: gxr::ManualClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
"""


def test_discarded_messages_are_in_the_report():
    report = gxr.Application(text=SYNCHRONIZATION).run()
    (discarded,) = report.discarded
    assert (discarded.component, discarded.count, discarded.of) == ("sync/sync", 57, 59)
    assert discarded.reason == "no partner came at their times; 1 set was passed on"
    miss = discarded.nearest_miss
    assert (miss.distance_ns, miss.threshold, miss.threshold_ns) == (33367, "sync_threshold", 0)
    assert "'sync/sync' discarded 57 messages: no partner came" in str(report)
    assert report.verified is None


def test_results_of_verify_are_data():
    facts = {"reason": "completed", "detail": "", "by_signal": False, "duration_ns": 5, "ran": True, "measured": False}
    report = report_of({**facts, "verified": (12, 3, ["loop"])})
    assert report.verified == gxr.VerifiedResults(12, 3, ["loop"])
    assert "verified 12 results" in str(report)
    assert "nothing was compared" in str(report_of({**facts, "verified": (0, 0, [])}))


def test_numbers_texts_and_messages():
    app = gxr.Application().add("forward", operators.Forward)
    app.input("forward/before")
    tap = app.tap("forward/after")
    with app:
        for value in (7, 2.5, True, "text", 1 + 2j):
            app.push("forward/before", value)
            taken = tap.take(10)
            assert taken == value and type(taken) is type(value)
        app.push("forward/before", 200, type="uint8")
        assert tap.take(10) == 200
        with pytest.raises(gxr.Error, match="300 is no"):
            app.push("forward/before", 300, type="uint8")
        message = app.new_message()
        message.add(np.ones(2), "ones")
        message.add(5, "five", "int32")
        message.sequence = 42
        app.push("forward/before", message)
        taken = tap.take(10)
        assert taken.parts == [("ones", "Tensor"), ("five", "int32")] and taken.sequence == 42
        assert taken["five"] == 5 and taken.tensor("ones").shape == (2,)
        with pytest.raises(KeyError, match="no part 'six'.*'five'"):
            taken["six"]
        del message, taken
        app.end_input("forward/before")


def test_asynchronous():
    async def main():
        app = chain(count=4)
        return [np.asarray(tensor).sum() async for tensor in app.tap("scale/scaled")]

    assert asyncio.run(main()) == [12.0] * 4


def test_the_lock_is_free_meanwhile():
    app = gxr.Application(
        text="name: slow\noperator: gxr::sample::PingTx\ncount: 3\nperiod: 100ms\n---\n"
        "name: sink\noperator: gxr::sample::PingRx\ninputs: {signal: slow}\n"
    )
    app.start()
    turns = 0
    while turns < 100:
        turns += 1
        time.sleep(0)
    assert app.is_running
    assert app.wait().reason == "completed"


def test_order_of_calls():
    app = ended_chain()
    app.run()
    with pytest.raises(gxr.Error):
        app.run()
    with pytest.raises(gxr.Error):
        app.set("ramp/size=5")
    with pytest.raises(gxr.Error, match="before"):
        app.add("more", operators.Ramp)


def test_live_parameter():
    app = gxr.Application()
    app.add("ramp", operators.Ramp, period="1ms")
    tap = app.tap("ramp/out")
    with app:
        assert tap.take(10).shape == (4,)
        app.set("ramp/size=9")
        deadline = time.monotonic() + 10
        while tap.take(10).shape != (9,):
            assert time.monotonic() < deadline
        with pytest.raises(gxr.Error) as caught:
            app.set("ramp/size=0")
        assert caught.value.code == "out-of-range"


class Fresh(operators.Scale):
    """Multiplies, too, once it is initialised and started"""

    def start(self):
        self.on = True

    def tick(self):
        assert self.on
        super().tick()


class Broken(operators.Scale):
    """Fails at its first tick"""

    def tick(self):
        self.array.receive()
        raise RuntimeError("broken as told")


class Unready(operators.Scale):
    """Does not start"""

    def start(self):
        raise RuntimeError("no start as told")


def scaled_ramp() -> gxr.Application:
    app = gxr.Application()
    app.add("ramp", operators.Ramp, period="1ms", parameters={"size": 2})
    app.add("scale", operators.Scale, inputs={"array": "ramp"}, parameters={"factor": 3.0})
    return app.types(Fresh, Broken, Unready)


def test_swap():
    app = scaled_ramp()
    tap = app.tap("scale/scaled")
    with pytest.raises(gxr.Error) as caught:
        app.swap("scale", Fresh)
    assert caught.value.code == "invalid-state"
    with app:
        assert list(np.asarray(tap.take(10))) == [0, 3]
        result = app.swap("scale", Fresh)
        assert (result.component, result.is_kept, result.failure, result.lost) == ("scale/operator", True, None, 0)
        assert result.new_type.endswith("::Fresh") and result.old_type.endswith("::Scale")
        assert 0 <= result.pause < 10
        last = tap.take(10).sequence
        for _ in range(2 * 16 + 2):  # behind what the tap held
            array = tap.take(10)
            assert (array.sequence, list(np.asarray(array))) == (last + 1, [0, 3])
            last = array.sequence
        with pytest.raises(gxr.Error, match="no start as told"):
            app.swap("scale", Unready)
        with pytest.raises(gxr.Error, match="there is no type 'Nothing'"):
            app.swap("scale", "Nothing")
        for wrong in (-1.0, float("nan"), float("inf")):
            with pytest.raises(ValueError, match="keep_for"):
                app.swap("scale", Fresh, keep_for=wrong)
        assert tap.take(10).sequence == last + 1


def test_swap_with_probation():
    app = scaled_ramp()
    tap = app.tap("scale/scaled", drop_oldest=True)
    with app:
        tap.take(10)
        result = app.swap("scale", Broken, keep_for=20)
        assert not result.is_kept and result.lost == 1
        assert result.failure.method == "tick" and "broken as told" in result.failure.text
        for _ in range(20):
            assert list(np.asarray(tap.take(10))) == [0, 3]


def test_interrupt_from_another_thread():
    app = gxr.Application().add("ramp", operators.Ramp, period="1ms")
    app.add("drop", operators.Drop, inputs={"anything": "ramp"})
    timer = threading.Timer(0.2, app.interrupt)
    timer.start()
    assert app.run().reason == "interrupted"


def test_control_c_ends_in_order(write):
    script = write(
        "endless.py",
        """
import signal

import gxr

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins without it

class Endless(gxr.Operator):
    out: gxr.Output[int]
    def tick(self):
        self.out.publish(1)
        print("ticks", flush=True)
    def stop(self):
        print("stops", flush=True)

class Sink(gxr.Operator):
    number: gxr.Input[int]
    def tick(self):
        self.number.receive()

app = gxr.Application().add("endless", Endless, period="10ms")
app.add("sink", Sink, inputs={"number": "endless"})
try:
    app.run()
except KeyboardInterrupt:
    print("interrupted")
""",
    )
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ticks\n"
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30)[0]
    assert output.endswith("stops\ninterrupted\n") and process.returncode == 0


def test_several_applications_one_after_the_other_and_at_once():
    def run():
        return [tensor.sequence for tensor in chain(count=20).tap("scale/scaled")]

    assert run() == run() == list(range(20))
    results = []
    threads = [threading.Thread(target=lambda: results.append(run())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [list(range(20))] * 4


def test_an_application_that_is_dropped_ends():
    app = gxr.Application().add("ramp", operators.Ramp, period="1ms")
    app.add("drop", operators.Drop, inputs={"anything": "ramp"})
    app.start()
    del app
    gc.collect()


def test_import_is_light():
    code = (
        "import sys, gxr; assert not {'numpy', 'asyncio', 'inspect'} & set(sys.modules) - {'inspect'}; "
        "assert 'numpy' not in sys.modules and 'asyncio' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def locked(*arrays):
    return [not array.flags.writeable for array in arrays]


def test_the_bases_of_a_view_are_locked_too():
    base = np.arange(12.0)
    view = base[3:9]
    app = gxr.Application().add("forward", operators.Forward)
    app.input("forward/before")
    tap = app.tap("forward/after")
    with app:
        app.push("forward/before", view)
        app.push("forward/before", base)
        assert locked(base, view) == [True, True]
        first, second = tap.take(10), tap.take(10)
        del first
        app.push("forward/before", 1)  # so that the engine lets go
        tap.take(10)
        assert locked(base) == [True]
        del second
        app.end_input("forward/before")
    del tap, app
    gc.collect()
    assert locked(base, view) == [False, False]
    view[0] = 7


def test_an_exporter_without_strides():
    app = gxr.Application().add("forward", operators.Forward)
    app.input("forward/before")
    tap = app.tap("forward/after")
    with app:
        app.push("forward/before", (ctypes.c_int * 3)(1, 2, 3))
        assert np.asarray(tap.take(10)).tolist() == [1, 2, 3]
        app.push("forward/before", np.float64(2.5))
        assert np.asarray(tap.take(10)) == 2.5
        app.push("forward/before", np.zeros((0, 3)))
        assert tap.take(10).shape == (0, 3)
        app.end_input("forward/before")


def test_dlpack():
    app = chain(count=1)
    (tensor,) = app.tap("scale/scaled")
    shared = np.from_dlpack(tensor)
    assert shared.tolist() == [0, 2, 4, 6] and not shared.flags.writeable
    assert shared.ctypes.data == np.asarray(tensor).ctypes.data
    legacy = tensor.__dlpack__()
    assert "dltensor" in repr(legacy)
    with pytest.raises(BufferError):
        tensor.__dlpack__(copy=False)
    tensor.__dlpack__(max_version=())


END = """
import gxr, sys, threading
import numpy as np

class Endless(gxr.Operator):
    out: gxr.Output[int]
    def tick(self):
        self.out.publish(1)

class Sink(gxr.Operator):
    number: gxr.Input[int]
    def tick(self):
        self.number.receive()

app = gxr.Application().add("endless", Endless, period="1ms")
app.add("sink", Sink, inputs={"number": "endless"})
"""


@pytest.mark.parametrize(
    "end, code",
    [
        ("app.start()", 0),
        ("threading.Thread(target=app.run, daemon=True).start()\nimport time; time.sleep(0.2)", 0),
        ("for number in app.tap('endless/out'): break", 0),
        ("app.start(); sys.exit(3)", 3),
        ("app.start(); raise ValueError('end')", 1),
        ("other = gxr.Application().add('f', 'gxr::Forward')\nother.input('f/in'); tap = other.tap('f/out')\n"
         "other.start(); other.push('f/in', np.zeros(3))", 0),
    ],
)
def test_a_program_may_end_while_it_runs(end, code):
    done = subprocess.run([sys.executable, "-c", END + end], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr


def test_several_wait_for_one_run():
    app = chain(count=50).add("drop", operators.Drop, inputs={"anything": "scale"})
    app.start()
    reports = []
    threads = [threading.Thread(target=lambda: reports.append(app.wait())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [report.reason for report in reports] == ["completed"] * 3 and app.wait() == reports[0]


def test_with_tells_why_the_run_failed():
    app = gxr.Application().add("fails", operators.Fails)
    app.input("fails/array", capacity=1)
    with pytest.raises(gxr.RunFailed, match="tick 1 is wrong") as caught:
        with app:
            while True:
                app.push("fails/array", 1)
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_tick_cannot_wait_for_its_own_run():
    raised = []

    class Waits(gxr.Operator):
        def tick(self):
            try:
                app.wait()
            except gxr.Error as error:
                raised.append(str(error))

    app = gxr.Application().add("waits", Waits, count=1)
    app.run()
    assert raised == ["a tick cannot wait for the end of its own run"]


def test_a_cancelled_take_loses_nothing():
    async def main():
        app = gxr.Application().add("forward", operators.Forward)
        app.input("forward/before")
        tap = app.tap("forward/after")
        with app:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(tap.take_async(), 0.05)
            assert await tap.take_async(0.01) is None
            await app.push_async("forward/before", 42)
            assert await tap.take_async(10) == 42
            app.end_input("forward/before")
            assert (await app.wait_async()).reason == "completed"

    asyncio.run(main())


class Counted:
    """Counts what is asked of an object."""

    def __init__(self, asked):
        self.asked = asked
        self.counts = collections.Counter()

    def __getattr__(self, name):
        self.counts[name] += 1
        return getattr(self.asked, name)


def test_waiting_in_an_event_loop_is_no_work():
    """Who waits looks when something has changed, and not in between."""

    async def main():
        app = gxr.Application().add("forward", operators.Forward)
        app.input("forward/before", capacity=1)
        tap = app.tap("forward/after", capacity=1)
        takes = tap._native = Counted(tap._native)
        asked = app._native = Counted(app._native)
        with app:
            waiting = asyncio.create_task(tap.take_async())
            await asyncio.sleep(0.3)
            assert takes.counts["take"] == 2  # before and behind the waker
            app.push("forward/before", 1)
            assert await asyncio.wait_for(waiting, 10) == 1
            assert takes.counts["take"] <= 4
            assert await tap.take_async(0.3) is None
            assert takes.counts["take"] <= 7

            with pytest.raises(TimeoutError):
                for _ in range(50):
                    asked.counts.clear()
                    await app.push_async("forward/before", 2, 0.3)
            assert asked.counts["push"] <= 3
            asked.counts.clear()
            waiting = asyncio.create_task(app.push_async("forward/before", 3))
            await asyncio.sleep(0.3)
            assert asked.counts["push"] == 2
            assert await tap.take_async(10) == 2
            await asyncio.wait_for(waiting, 10)
            while await tap.take_async(0.5) is not None:
                pass

            asked.counts.clear()
            waiting = asyncio.create_task(app.wait_async())
            await asyncio.sleep(0.3)
            assert asked.counts["is_running"] == 2
            app.end_input("forward/before")
            assert (await asyncio.wait_for(waiting, 10)).reason == "completed"
            assert asked.counts["is_running"] <= 4
            assert await tap.take_async() is None
            with pytest.raises(gxr.Ended):
                await app.push_async("forward/before", 4)

    asyncio.run(main())


def test_push_async_numbers_each_message_once():
    async def main():
        app = gxr.Application().add("forward", operators.Forward)
        app.input("forward/before", capacity=1)
        tap = app.tap("forward/after", capacity=1, content="message")
        with app:
            pushing = asyncio.create_task(push(app))
            numbers = []
            for _ in range(8):
                await asyncio.sleep(0.01)
                numbers.append((await tap.take_async(10)).sequence)
            await pushing
            app.end_input("forward/before")
        return numbers

    async def push(app):
        for number in range(8):
            await app.push_async("forward/before", number)

    assert asyncio.run(main()) == list(range(8))


def test_many_tasks_push_in_the_order_of_their_calls():
    async def main():
        app = gxr.Application().add("forward", operators.Forward)
        app.input("forward/before", capacity=1)
        tap = app.tap("forward/after", capacity=1, content="message")
        with app:
            # Some have a limit of time, and one is cancelled while it waits.
            tasks = [
                asyncio.create_task(app.push_async("forward/before", number, 60 if number % 3 == 0 else None))
                for number in range(60)
            ]
            await asyncio.sleep(0.05)
            tasks[30].cancel()
            found = []
            for _ in range(59):
                message = await tap.take_async(10)
                found.append((message.sequence, message.value()))
            results = await asyncio.gather(*tasks, return_exceptions=True)
            app.end_input("forward/before")
        assert [each for each in results if each is not None] == [results[30]]
        return found

    values = [number for number in range(60) if number != 30]
    assert asyncio.run(main()) == list(enumerate(values))


def test_a_message_that_finds_no_room_uses_up_no_number():
    async def main():
        app = gxr.Application().add("forward", operators.Forward).add("other", operators.Forward)
        app.input("forward/before", capacity=1)
        app.input("other/before")
        tap = app.tap("forward/after", capacity=1, content="message")
        other = app.tap("other/after", content="message")
        with app:
            pushed = 0
            with pytest.raises(TimeoutError):
                for _ in range(20):
                    await app.push_async("forward/before", pushed, 0.3)
                    pushed += 1
            with pytest.raises(TimeoutError):
                app.push("forward/before", -1, 0.05)
            late = [asyncio.create_task(app.push_async("forward/before", -1, 0.05)) for _ in range(2)]
            assert [type(each) for each in await asyncio.gather(*late, return_exceptions=True)] == [TimeoutError] * 2
            assert [(await tap.take_async(10)).sequence for _ in range(pushed)] == list(range(pushed))
            app.push("forward/before", pushed)
            message = app.new_message()
            message.add(pushed)
            message.sequence = 77
            assert (await tap.take_async(10)).sequence == pushed
            app.push("forward/before", message)
            assert (await tap.take_async(10)).sequence == 77
            await app.push_async("forward/before", 0)
            assert (await tap.take_async(10)).sequence == pushed + 1
            app.push("other/before", 5)  # each input has its own numbers
            assert (await other.take_async(10)).sequence == 0
            app.end_input("forward/before")
            app.end_input("other/before")

    asyncio.run(main())


def test_threads_push_with_numbers_in_order():
    app = gxr.Application().add("forward", operators.Forward)
    app.input("forward/before", capacity=1)
    tap = app.tap("forward/after", capacity=1, content="message")
    with app:
        threads = [
            threading.Thread(target=lambda: [app.push("forward/before", 0) for _ in range(50)]) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        assert [tap.take(10).sequence for _ in range(200)] == list(range(200))
        for thread in threads:
            thread.join()
        app.end_input("forward/before")


def test_several_tasks_wait_for_one_tap():
    async def main():
        app = gxr.Application().add("forward", operators.Forward)
        app.input("forward/before")
        tap = app.tap("forward/after")
        with app:
            tasks = [asyncio.create_task(tap.take_async()) for _ in range(5)]
            await asyncio.sleep(0.05)
            for number in range(3):
                app.push("forward/before", number)
            app.end_input("forward/before")
            return await asyncio.wait_for(asyncio.gather(*tasks), 10)

    found = asyncio.run(main())
    assert sorted(each for each in found if each is not None) == [0, 1, 2] and found.count(None) == 2


def test_wakers_are_given_back():
    """Each wait has a file of its own, and gives it back, also one that is cancelled."""

    async def main():
        app = gxr.Application().add("forward", operators.Forward)
        app.input("forward/before")
        tap = app.tap("forward/after")
        with app:
            await tap.take_async(0.001)
            before = len(list(pathlib.Path("/proc/self/fd").iterdir()))
            for _ in range(50):
                assert await tap.take_async(0.001) is None
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(tap.take_async(), 0.001)
            assert len(list(pathlib.Path("/proc/self/fd").iterdir())) == before
            app.end_input("forward/before")

    asyncio.run(main())


# Runs in another process, which is interrupted while a file of operators is read.
READS_SLOWLY = """
import signal, sys
import gxr
signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background
app = gxr.Application(text="extensions: [" + sys.argv[1] + "]\\n")
try:
    getattr(app, sys.argv[2])()
except KeyboardInterrupt:
    print("interrupted")
try:
    app.validate()
except gxr.Error as error:
    print(error.code, error)
print(gxr.Application(text="").validate())
"""
SLOW = """
import subprocess, time
child = subprocess.Popen(["sleep", "1000"])
print(child.pid, file=open({note!r}, "w"))
time.sleep(1000)
"""


@pytest.mark.parametrize("call", ["validate", "plan", "run", "problems_text"])
def test_ctrl_c_while_a_file_is_read(write, call):
    note = write("note", "")
    slow = write("slow.py", SLOW.format(note=str(note)))
    process = subprocess.Popen(
        [sys.executable, str(write("program.py", READS_SLOWLY)), str(slow), call],
        stdout=subprocess.PIPE,
        text=True,
    )
    child = started(note)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=25)[0]
    assert time.monotonic() - begin < 15  # the file has 30 seconds
    assert output.splitlines() == [
        "interrupted",
        "invalid-state the check of this application was interrupted: make another one",
        "True",
    ]
    assert has_ended(child)


# The main thread is interrupted while another one gets errors from calls that can be interrupted.
READS_SLOWLY_BESIDE_ERRORS = """
import signal, sys, threading
import gxr
signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background
idle = gxr.Application(text="")
ends = threading.Event()
wrong = []
def fail():
    while not ends.is_set():
        try:
            idle.swap("op", "x::Y")
        except gxr.Error:
            pass
        except BaseException as error:
            wrong.append(repr(error))
threads = [threading.Thread(target=fail) for _ in range(2)]
for thread in threads:
    thread.start()
try:
    gxr.Application(text="extensions: [" + sys.argv[1] + "]\\n").validate()
except BaseException as error:
    print(repr(error))
ends.set()
for thread in threads:
    thread.join()
print(wrong)
"""


@pytest.mark.parametrize("_", range(3))
def test_ctrl_c_reaches_the_thread_that_waits_and_no_other(write, _):
    note = write("note", "")
    slow = write("slow.py", SLOW.format(note=str(note)))
    process = subprocess.Popen(
        [sys.executable, str(write("program.py", READS_SLOWLY_BESIDE_ERRORS)), str(slow)], stdout=subprocess.PIPE, text=True
    )
    started(note)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=25)[0].splitlines() == ["KeyboardInterrupt()", "[]"]


def test_an_application_that_its_own_class_refers_to_is_collected():
    class Marked(gxr.Application):
        pass

    def run_one(runs):
        app = Marked()
        held = []

        class Ends(gxr.Operator):
            size: int = 4

            def tick(self):
                held.append(app)
                held.append(tap)
                app.interrupt()

            out: gxr.Output[int]

        app.add("ends", Ends)
        tap = app.tap("ends/out")
        if runs:
            app.run()
        else:
            assert app.validate()
        return weakref.ref(app)

    for runs in (True, False):
        gone = run_one(runs)
        gc.collect()
        gc.collect()
        assert gone() is None, runs


def test_values_of_numpy_as_parameters():
    app = chain(count=2, size=np.int64(7)).add("drop", operators.Drop, inputs={"anything": "scale"})
    assert "size: 7" in app.to_yaml()
    app.run()
    with pytest.raises(TypeError, match="'set' cannot be a parameter"):
        gxr.Application().add("ramp", operators.Ramp, parameters={"size": {1}}).to_yaml()


def test_the_content_of_a_tap_is_checked():
    with pytest.raises(gxr.Error, match="there is no content 'tensr'"):
        chain().tap("scale/scaled", content="tensr")


# --- progress, status, pictures


class Slow(gxr.Operator):
    """Takes its time"""

    def tick(self):
        time.sleep(0.02)


def slow(count=20):
    return gxr.Application().add("slow", Slow, count=count)


def test_progress_is_told_while_it_runs():
    told = []
    report = slow().run(progress=told.append, every=0.05)
    assert report.reason == "completed" and len(told) >= 3
    ticks = [status.ticks for status in told]
    assert ticks == sorted(ticks) and 0 < ticks[-1] <= 20
    assert [each.entity for each in told[0].entities] == ["slow"]
    assert told[0].executor == "one thread" and 0 < told[0].seconds < told[-1].seconds


def test_what_progress_raises_ends_the_run():
    class Enough(Exception):
        pass

    def raise_it(status):
        raise Enough

    app = slow(count=100_000)
    with pytest.raises(Enough):
        app.run(progress=raise_it, every=0.02)
    assert app.wait().reason == "interrupted"


def test_progress_needs_a_time():
    app = slow(count=2)
    with pytest.raises(ValueError, match="more than 0, not 0"):
        app.run(progress=print, every=0)
    assert app.wait().reason in ("interrupted", "completed")


def test_status_has_a_begin_and_an_end():
    app = ended_chain()
    assert app.status() is None
    app.run()
    assert app.status() is None


def test_a_tick_cannot_ask_for_its_own_status():
    class Asks(gxr.Operator):
        def tick(self):
            asked.status()

    asked = gxr.Application().add("asks", Asks, count=1)
    with pytest.raises(gxr.RunFailed, match="cannot ask for the status of its own run"):
        asked.run()


def has_graphviz():
    try:
        return bool(ended_chain().graph("svg"))
    except gxr.Error as error:
        assert error.code == "not-available"
        return False


def test_graph():
    app = ended_chain()
    assert "ramp" in app.graph() and "digraph" in app.graph("dot")
    assert app.graph("mermaid").startswith("flowchart")
    assert "3 ticks" in app.graph(details=True) or app.graph(details=True) != app.graph()
    with pytest.raises(gxr.Error, match="no picture in the format 'gif'"):
        app.graph("gif")
    with pytest.raises(ValueError, match="gxr graph -o"):
        app.graph("png")
    with pytest.raises(gxr.InvalidApplication):
        chain(sizes=5).graph()


def test_jupyter_shows_the_graph_and_changes_nothing():
    app = ended_chain()
    app.set("ramp/size=3")
    shown = app._repr_mimebundle_()
    assert "ramp" in shown["text/plain"]
    assert ("image/svg+xml" in shown) == has_graphviz()
    app.set("ramp/size=4")  # loading goes on
    app.add("more", operators.Drop, inputs={"anything": "ramp"})
    assert app.run().reason == "completed"
    assert "more" in app._repr_mimebundle_()["text/plain"]


def test_jupyter_shows_what_is_wrong():
    assert "unknown-parameter" in chain(sizes=5)._repr_mimebundle_()["text/plain"]
    pushed = gxr.Application().add("scale", operators.Scale).input("scale/array")
    pushed.tap("scale/scaled")
    assert "scale" in pushed._repr_mimebundle_()["text/plain"]


def test_plan_is_text_with_a_picture():
    plan = ended_chain().plan()
    assert isinstance(plan, str) and plan.startswith("1 region")
    bundle = plan._repr_mimebundle_()
    assert bundle["text/plain"] == plan
    assert (plan.svg is not None) == has_graphviz() == ("image/svg+xml" in bundle)
