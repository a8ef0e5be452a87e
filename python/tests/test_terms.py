"""Scheduling terms in Python, and parameters that name components of Python."""

import datetime
import threading
import time

import numpy as np
import pytest

import gxr
import operators


class Every(gxr.Term):
    """Ready once in so many nanoseconds, a number of times"""

    period: int = gxr.parameter(1000, minimum=1, doc="Nanoseconds between two ticks")
    times: int = 3

    def initialize(self):
        self.next = 0
        self.done = 0

    def check(self, now):
        if self.done == self.times:
            return gxr.NEVER
        return True if now >= self.next else gxr.at(self.next)

    def executed(self, now):
        self.next = now + self.period
        self.done += 1


class Twice(gxr.Term):
    """Compares numbers of NumPy"""

    def initialize(self):
        self.ticks = np.float64(0)

    def check(self, now):
        return self.ticks < 2 if self.ticks < 2 else gxr.NEVER

    def executed(self, now):
        self.ticks += 1


def test_comparisons_of_numpy_are_answers():
    app = with_term("terms::Twice").types(Twice, name="terms")
    assert {each.entity: each.ticks for each in app.run().entities}["one"] == 2


class Opened(gxr.Term):
    """Ready when somebody has opened the door"""

    poll = None

    def initialize(self):
        self.is_open = False
        self.asked = 0

    def check(self, now):
        self.asked += 1
        return self.is_open

    def explain(self):
        return "the door is closed"

    def open(self):
        self.is_open = True
        self.notify()


class Polled(Opened):
    """The same, asked every millisecond"""

    poll = datetime.timedelta(milliseconds=1)

    def open(self):
        self.is_open = True


class Guest(gxr.Operator):
    """Ends when it has been let in"""

    door: gxr.Term
    seen = []

    def start(self):
        self.seen.append(self.door)

    def tick(self):
        self.seen.append(self.count)
        self.interrupt()


class Doorman(gxr.Operator):
    """Opens a door from a thread of its own"""

    guest: Guest

    def start(self):
        self.timer = threading.Timer(0.05, lambda: self.guest.door.open())
        self.timer.start()

    def tick(self):
        pass


def with_term(term, cls=operators.Ramp, **keys):
    app = gxr.Application()
    app.types(Every, Opened, Polled, name="terms")
    app.add("one", cls, terms=[{"name": "term", "type": term, **keys}])
    app.add("drop", operators.Drop, inputs={"anything": "one"})
    return app


@pytest.mark.parametrize("executor", ["greedy", "threads", "events"])
def test_a_term_decides(executor):
    app = with_term("terms::Every", parameters={"period": 1000000, "times": 4}).executor(executor)
    report = app.run()
    assert {each.entity: each.ticks for each in report.entities}["one"] == 4
    assert report.duration_ns >= 3_000_000


@pytest.mark.parametrize("executor", ["greedy", "threads", "events"])
@pytest.mark.parametrize("door", ["Opened", "Polled"])
def test_a_thread_wakes_the_entity(executor, door):
    Guest.seen.clear()
    app = gxr.Application().types(Opened, Polled, name="test_terms").executor(executor)
    app.add("guest", Guest, parameters={"door": "door"}, terms=[{"name": "door", "type": f"test_terms::{door}"}])
    app.add("doorman", Doorman, count=1, parameters={"guest": "guest/operator"})
    assert app.run().reason == "interrupted"
    assert isinstance(Guest.seen[0], Opened) and Guest.seen[1:] == [1]


def test_the_status_says_why_an_entity_waits():
    app = gxr.Application().types(Opened, name="test_terms")
    app.add("guest", Guest, parameters={"door": "door"}, terms=[{"name": "door", "type": "test_terms::Opened"}])
    with app:
        deadline = time.monotonic() + 10
        while (status := app.status()) is None or "the door is closed" not in status.entities[0].state:
            assert time.monotonic() < deadline, status
        assert status.entities[0].entity == "guest"
        app.interrupt()
        assert app.wait().waiting[0].reasons == ["the door is closed"]


class Wrong(gxr.Term):
    """Gives no answer"""

    def check(self, now):
        return None


class Raising(gxr.Term):
    def check(self, now):
        raise ValueError("no idea")


@pytest.mark.parametrize("executor", ["greedy", "threads"])
@pytest.mark.parametrize(
    "cls, text", [(Wrong, "check() of a term returns True, False, gxr.NEVER or gxr.at(time), not None"), (Raising, "no idea")]
)
def test_a_wrong_answer_ends_the_run(cls, text, executor):
    app = with_term(f"terms::{cls.__name__}").types(cls, name="terms").executor(executor)
    with pytest.raises(gxr.RunFailed, match="entity 'one'") as caught:
        app.run()
    assert text in str(caught.value)


class BadPoll(gxr.Term):
    poll = 5

    def check(self, now):
        return True


def test_a_wrong_poll_is_named():
    with pytest.raises(gxr.RunFailed, match="'poll' of BadPoll is a datetime.timedelta above 0, or None, not 5"):
        with_term("terms::BadPoll").types(BadPoll, name="terms").run()


def test_what_a_term_cannot_declare():
    class Nothing(gxr.Term):
        pass

    with pytest.raises(gxr.DeclarationError, match="no method check"):
        gxr.Application().types(Nothing).validate()

    class Port(gxr.Term):
        image: gxr.Input[gxr.Tensor]

        def check(self, now):
            return True

    with pytest.raises(gxr.DeclarationError, match="'image' is a port, which a scheduling term cannot have"):
        gxr.Application().types(Port).validate()

    class Taken(gxr.Term):
        notify: int = 3

        def check(self, now):
            return True

    with pytest.raises(gxr.DeclarationError, match="'notify' is something of gxr.Term already"):
        gxr.Application().types(Taken).validate()


def test_a_handle_must_name_such_a_component():
    class Choosy(gxr.Operator):
        door: Opened

        def tick(self):
            pass

    app = gxr.Application().types(Opened, Every, name="test_terms")
    app.add("guest", Choosy, parameters={"door": "term"}, terms=[{"name": "term", "type": "test_terms::Every"}])
    assert [(each.code, each.text) for each in app.problems] == [
        ("handle-type", "'door' needs a test_terms::Opened, but 'guest/term' is a test_terms::Every")
    ]


def test_words_of_python_are_ports():
    class Double(gxr.Operator):
        """As extensions in C++ name their ports"""

        in_: gxr.Input[int]
        out: gxr.Output[int]
        from_: int = 2

        def tick(self):
            self.out.publish(self.in_.receive() * self.from_)

    app = gxr.Application().add("double", Double, parameters={"from": 3}).input("double/in")
    results = app.tap("double/out")
    with app:
        app.push("double/in", 7)
        assert results.take(timeout=5) == 21
        app.end_input("double/in")
