import datetime
import gc
import enum
import pathlib
import threading
from typing import Any, Literal, Optional

import numpy as np
import pytest

import gxr
import operators


def run_once(cls, *, text=None, **parameters):
    app = gxr.Application()
    app.add("one", cls, count=1, parameters=parameters)
    return app.run()


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Everything(gxr.Operator):
    """Has a parameter of each kind"""

    flag: bool = False
    whole: int = 3
    real: float = 0.5
    imaginary: complex = 1 + 2j
    text: str = "no: yes"
    path: pathlib.Path = pathlib.Path("a b")
    wait: datetime.timedelta = datetime.timedelta(milliseconds=50)
    memory: gxr.Size = gxr.Size(1024)
    colour: Colour = Colour.RED
    mode: Literal["fast", "exact"] = "fast"
    numbers: list[float] = [1.0, 2.5]
    triple: tuple[int, int, int] = (1, 2, 3)
    names: dict[str, int] = {"a b": 1}
    anything: Any = None
    maybe: Optional[int] = None
    seen = []

    def tick(self):
        keys = [key for key in Everything.__annotations__]
        self.seen.append({key: getattr(self, key) for key in keys})


def test_defaults_are_attributes():
    Everything.seen.clear()
    run_once(Everything)
    seen = Everything.seen[0]
    for key, value in seen.items():
        default = getattr(Everything, key)
        assert value == default and type(value) is type(default), key


def test_values_of_yaml():
    Everything.seen.clear()
    app = gxr.Application(
        text="""
name: one
operator: test_operators::Everything
count: 1
parameters:
  flag: true
  whole: -7
  real: 1e3
  imaginary: 2-1j
  text: 12
  path: /tmp/x
  wait: 2s
  memory: 4MB
  colour: GREEN
  mode: exact
  numbers: [1, 2]
  triple: [3, 2, 1]
  names: {x: 9}
  anything: {a: [1, two, null, 2.5]}
  maybe: 5
"""
    ).types(Everything)
    app.run()
    assert Everything.seen[0] == {
        "flag": True,
        "whole": -7,
        "real": 1000.0,
        "imaginary": 2 - 1j,
        "text": "12",
        "path": pathlib.Path("/tmp/x"),
        "wait": datetime.timedelta(seconds=2),
        "memory": 4 << 20,
        "colour": Colour.GREEN,
        "mode": "exact",
        "numbers": [1.0, 2.0],
        "triple": (3, 2, 1),
        "names": {"x": 9},
        "anything": {"a": [1, "two", None, 2.5]},
        "maybe": 5,
    }


@pytest.mark.parametrize(
    "key, value, code",
    [
        ("whole", "x", "value-type"),
        ("colour", "BLUE", "value-choice"),
        ("mode", "slow", "value-choice"),
        ("triple", [1, 2], "value-type"),
        ("wait", -1, "value-type"),
    ],
)
def test_wrong_values_are_found_before_the_run(key, value, code):
    app = gxr.Application().add("one", Everything, count=1, parameters={key: value})
    assert not app.validate()
    assert app.problems[0].line == 3 and key in app.problems_text()


def test_each_object_has_a_default_of_its_own():
    class Grows(gxr.Operator):
        items: list[int] = [1]
        seen = []

        def tick(self):
            self.items.append(2)
            self.seen.append(len(self.items))

    app = gxr.Application()
    app.add("a", Grows, count=1)
    app.add("b", Grows, count=1)
    app.run()
    assert Grows.seen == [2, 2]


def test_time_and_number_of_what_was_taken():
    operators.Collect.seen.clear()

    class AddOne(gxr.Operator):
        number: gxr.Input[int]
        more: gxr.Output[int]

        def tick(self):
            self.more.publish(self.number.receive() + 1)

    app = gxr.Application()
    app.add("numbers", operators.Numbers, parameters={"most": 4})
    app.add("add", AddOne, inputs={"number": "numbers"})
    app.add("collect", operators.Collect, inputs={"values": "add"})
    assert app.run().reason == "completed"
    assert operators.Collect.seen == [(2, 0), (3, 1), (4, 2), (5, 3)]


@pytest.mark.parametrize("method", ["__init__", "initialize", "start", "tick", "stop", "deinitialize"])
def test_what_a_method_raises_is_the_cause(method):
    def fail(self):
        raise KeyError("wrong here")

    members = {"tick": lambda self: None, method: fail}
    cls = type("Broken", (gxr.Operator,), {"__module__": __name__, **members})
    app = gxr.Application().add("broken", cls, count=1)
    with pytest.raises(gxr.RunFailed) as caught:
        app.run()
    failure = caught.value.report.failures[0]
    assert failure.entity == "broken" and "KeyError: 'wrong here'" in failure.text
    assert "test_operators.py:" in failure.text and "in fail" in failure.text
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_failure_in_the_middle_names_its_tick():
    app = gxr.Application()
    app.add("numbers", operators.Numbers, parameters={"most": 100})
    app.add("fails", operators.Fails, inputs={"array": "numbers"}, parameters={"at": 7})
    with pytest.raises(gxr.RunFailed, match="tick 7 is wrong"):
        app.run()


def test_ports_are_checked():
    class Wants(gxr.Operator):
        array: gxr.Input[gxr.Tensor] = gxr.port(elements="uint8", shape=(-1, -1, 3), doc="Pictures")

        def tick(self):
            self.array.receive()

    class Gives(gxr.Operator):
        array: gxr.Output[gxr.Tensor] = gxr.port(elements="float32", rank=2)

        def tick(self):
            self.array.publish(np.zeros((2, 2), np.float32))

    app = gxr.Application().add("gives", Gives, count=1)
    app.add("wants", Wants, inputs={"array": "gives"})
    assert not app.validate()
    assert app.problems[0].code == "port-mismatch"


def test_a_missing_part_is_an_error_that_lists_what_is_there():
    class WantsTensor(gxr.Operator):
        array: gxr.Input[gxr.Tensor]

        def tick(self):
            self.array.receive()

    app = gxr.Application().add("wants", WantsTensor)
    app.input("wants/array")
    app.start()
    app.push("wants/array", 5)
    with pytest.raises(gxr.RunFailed, match=r"no tensor: the message has '' \(int64\)|no tensor: the message has"):
        app.wait()


@pytest.mark.parametrize("executor", ["greedy", "threads", "events"])
def test_many_messages_on_each_executor(executor):
    app = gxr.Application().executor(executor)
    app.add("numbers", operators.Numbers, parameters={"most": 2000})
    last = "numbers"
    for i in range(4):
        app.add(f"forward{i}", operators.Forward, inputs={"before": last})
        last = f"forward{i}"
    tap = app.tap(f"{last}/after")
    assert list(tap) == list(range(1, 2001))


def test_services():
    class Asks(gxr.Operator):
        seen = []

        def tick(self):
            self.seen.append((self.name, self.entity, self.count, self.delta, self.time >= 0))
            self.log_info("a line")
            self.interrupt()

    app = gxr.Application().add("asks", Asks)
    assert app.run().reason == "interrupted"
    assert Asks.seen == [("asks/operator", "asks", 1, 0.0, True)]


def test_an_object_that_outlives_its_run_has_no_ports():
    kept = []

    class Kept(gxr.Operator):
        out: gxr.Output[int]

        def tick(self):
            kept.append(self)
            self.out.publish(1)

    app = gxr.Application().add("kept", Kept, count=1)
    app.add("drop", operators.Drop, inputs={"anything": "kept"})
    app.run()
    del app
    for use in (lambda: kept[0].out.publish(1), lambda: kept[0].out.name, lambda: kept[0].name):
        with pytest.raises(gxr.Error, match="has ended"):
            use()


def test_ports_are_for_the_methods_of_the_operator():
    raised = []

    class Spawns(gxr.Operator):
        out: gxr.Output[int]

        def tick(self):
            thread = threading.Thread(target=self.elsewhere)
            thread.start()
            thread.join()

        def elsewhere(self):
            try:
                self.out.publish(1)
            except gxr.Error as error:
                raised.append(error)

    app = gxr.Application().add("spawns", Spawns, count=1)
    app.add("drop", operators.Drop, inputs={"anything": "spawns"})
    app.run()
    assert "are for its own methods" in str(raised[0])


def test_what_outlives_the_run_does_no_harm():
    kept = []

    class Keeps(gxr.Operator):
        number: gxr.Input[int]
        again: gxr.Output[int]
        end: gxr.Switch

        def start(self):
            kept.extend([self.number, self.again.publish, self.end])

        def tick(self):
            self.again.publish(self.number.receive())

    app = gxr.Application().add("numbers", operators.Numbers)
    app.add("keeps", Keeps, inputs={"number": "numbers"})
    app.add("drop", operators.Drop, inputs={"anything": "keeps"})
    app.run()
    del app
    gc.collect()
    for use in (lambda: kept[0].waiting, lambda: kept[0].receive(), lambda: kept[1](3), kept[2].disable_tick):
        with pytest.raises(gxr.Error, match="has ended"):
            use()


def test_a_new_message_has_time_and_number_too():
    class Renames(gxr.Operator):
        array: gxr.Input[gxr.Tensor]
        named: gxr.Output[gxr.Message]

        def tick(self):
            tensor = self.array.receive()
            message = self.new_message()
            message.add(tensor, "first")
            message.add(tensor, "second")
            self.named.publish(message)

    app = gxr.Application().add("ramp", operators.Ramp, count=3)
    app.add("renames", Renames, inputs={"array": "ramp"})
    tap = app.tap("renames/named")
    source = app.tap("ramp/out")
    for number, (message, before) in enumerate(zip(tap, source)):
        assert message.parts == [("first", "Tensor"), ("second", "Tensor")]
        assert message.sequence == number and message.source_time == before.source_time
        assert np.asarray(message["second"]).ctypes.data == np.asarray(before).ctypes.data


def test_an_operator_that_keeps_a_tensor_is_freed():
    class Keeps(gxr.Operator):
        array: gxr.Input[gxr.Tensor]

        def tick(self):
            self.previous = self.array.receive()

    from gxr import _native

    gc.collect()
    before = _native.live_messages()
    app = gxr.Application().add("ramp", operators.Ramp, count=3)
    app.add("keeps", Keeps, inputs={"array": "ramp"})
    app.run()
    assert _native.live_messages() == before


@pytest.mark.parametrize("value", [None, np.array(["a"]), object()])
def test_what_cannot_be_published(value):
    class Wrong(gxr.Operator):
        out: gxr.Output[gxr.Tensor]

        def tick(self):
            self.out.publish(value)

    app = gxr.Application().add("wrong", Wrong, count=1)
    app.add("drop", operators.Drop, inputs={"anything": "wrong"})
    with pytest.raises(gxr.RunFailed, match="None is nothing|cannot be a tensor"):
        app.run()


def test_text_that_is_no_unicode():
    class Odd(gxr.Operator):
        def tick(self):
            raise ValueError("odd: \ud800")

    with pytest.raises(gxr.RunFailed, match=r"odd: \\ud800"):
        gxr.Application().add("odd", Odd, count=1).run()


def test_a_method_can_be_tested_alone():
    blur = operators.Ramp()
    assert blur.size == 4
