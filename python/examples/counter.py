import datetime

import gxr


class Counter(gxr.Operator):
    """Counts, and ends by itself"""

    number: gxr.Output[int]
    most: int = gxr.parameter(3, minimum=1, doc="The last number")
    end: gxr.Switch

    def tick(self) -> None:
        self.number.publish(self.count)
        if self.count == self.most:
            self.end.disable_tick()


class Sum(gxr.Operator):
    """Adds numbers, and tells how long it took"""

    number: gxr.Input[int]
    patience: datetime.timedelta = gxr.parameter(datetime.timedelta(seconds=1), doc="How long is too long")

    def start(self) -> None:
        self.sum = 0

    def tick(self) -> None:
        self.sum += self.number.receive()
        if self.delta > self.patience.total_seconds():
            self.log_warning(f"{self.delta} s since the last number")

    def stop(self) -> None:
        print(f"{self.entity}: {self.sum}")
