"""Applications for several ranks, which fail when a byte of what the last rank gets differs."""
import sys

SYSTEM = 2  # memory, as TensorGenerator numbers it


def check(condition, message):
    if not condition:
        print(message, file=sys.stderr)
        sys.exit(1)


def component(name, type, **parameters):
    return {"name": name, "type": type, "parameters": parameters}


def generator(name, rank, count, storage=SYSTEM, shape=(100,)):
    """Its tensors are the same in all processes, and each is another one."""
    return {"name": name, "rank": rank, "components": [
        component("out", "gxr::DoubleBufferTransmitter"),
        component("code", "nvidia::gxf::test::TensorGenerator", output="out", allocator="memory/any", shape=list(shape),
                  storage_type=storage, number_of_tensors=1, enable_timestamps=False),
        component("free", "gxr::DownstreamReceptiveSchedulingTerm", transmitter="out"),
        component("ticks", "gxr::CountSchedulingTerm", count=count)]}


def comparator(rank):
    return {"name": "sink", "rank": rank, "components": [
        component("expected", "gxr::DoubleBufferReceiver"),
        component("actual", "gxr::DoubleBufferReceiver", capacity=8),
        component("first", "gxr::MessageAvailableSchedulingTerm", receiver="expected"),
        component("second", "gxr::MessageAvailableSchedulingTerm", receiver="actual"),
        component("compare", "nvidia::gxf::test::TensorComparator", expected="expected", actual="actual",
                  compare_timestamp="None")]}


def relay(rank):
    return {"name": f"relay{rank}", "rank": rank, "components": [
        component("in", "gxr::DoubleBufferReceiver", capacity=4),
        component("out", "gxr::DoubleBufferTransmitter"),
        component("arrived", "gxr::MessageAvailableSchedulingTerm", receiver="in"),
        component("free", "gxr::DownstreamReceptiveSchedulingTerm", transmitter="out"),
        component("code", "gxr::Forward", **{"in": "in", "out": "out"})]}


def application(count, relays=0, kind="Greedy", **options):
    """From rank 0 through all others to the last, where the same tensors are expected."""
    last = relays + 1
    way = ["generator/out", *(f"relay{rank}/{{}}" for rank in range(1, last)), "sink/actual"]
    ways = [(way[i].format("out"), way[i + 1].format("in")) for i in range(len(way) - 1)]
    ways.append(("expected/out", "sink/expected"))
    return [generator("generator", 0, count, **options), generator("expected", last, count, **options), comparator(last),
            *(relay(rank) for rank in range(1, last)),
            {"name": "memory", "components": [component("any", "gxr::UnboundedAllocator")]},
            {"name": "connections", "components": [
                {"type": "gxr::Connection", "parameters": {"source": source, "target": target}} for source, target in ways]},
            {"name": "scheduler", "components": [component("clock", "gxr::RealtimeClock"),
                                                 component("run", f"gxr::{kind}Scheduler", clock="clock")]}]
