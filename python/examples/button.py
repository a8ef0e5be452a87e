import gxr


class Pressed(gxr.Term):
    """Ready once for each press of a button"""

    poll = None  # notify() tells when the answer has changed

    def initialize(self) -> None:
        self.presses = 0

    def press(self) -> None:
        self.presses += 1
        self.notify()

    def check(self, now: int) -> bool:
        return self.presses > 0

    def executed(self, now: int) -> None:
        self.presses -= 1

    def explain(self) -> str:
        return "nobody has pressed the button"


class Lamp(gxr.Operator):
    """Tells how often the button was pressed"""

    button: Pressed
    number: gxr.Output[int]

    def start(self) -> None:
        for _ in range(3):  # a thread of your own, or a callback of a driver, calls this
            self.button.press()

    def tick(self) -> None:
        self.number.publish(self.count)
