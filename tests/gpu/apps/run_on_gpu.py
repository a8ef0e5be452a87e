#!/usr/bin/env python3
"""Runs applications on the CPU and on the GPU and compares their pictures. One test per name; see CMakeLists.txt."""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "apps"))
from switch_cases import case_applications, classes

SKIPPED = 77
NO_GPU = re.compile(r"no GPU can be used: .*")
PICTURES, CHART_WIDTH = 8, 512

# An operator of a test extension whose two implementations differ from its second tick on.
FALSE_OPERATOR = """
name: maker
components:
- {name: pool, type: gxr::UnboundedAllocator}
- {type: gxr::CountSchedulingTerm, parameters: {count: 3}}
- {name: two_ways, type: test::TwoWays, parameters: {pool: pool, false_from: 2}}
---
name: scheduler
components:
- {name: clock, type: gxr::ManualClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
"""
IDLE = """
name: idle
components:
- {type: gxr::CountSchedulingTerm, parameters: {count: 1}}
- {type: gxr::sample::HelloWorld}
---
name: scheduler
components:
- {name: clock, type: gxr::ManualClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
"""


def check(condition, message):
    if not condition:
        print(message, file=sys.stderr)
        sys.exit(1)


class Apps:
    def __init__(self, arguments, folder):
        self.gxr, self.apps = os.path.abspath(arguments.gxr), os.path.abspath(arguments.apps)
        self.extensions, self.folder = os.path.abspath(arguments.extensions), folder

    def start(self, *arguments):
        done = subprocess.run([self.gxr, "run", *arguments], cwd=self.folder, text=True, capture_output=True, timeout=250)
        output = done.stdout + done.stderr
        if found := NO_GPU.search(output):
            print(f"skipped: {found[0]}")
            sys.exit(SKIPPED)
        return done.returncode, output

    def run(self, *arguments):
        status, output = self.start(*arguments)
        check(status == 0, f"gxr run {' '.join(arguments)} ended with {status}:\n{output}")
        return output

    def app(self, name):
        return os.path.join(self.apps, name, name + ".yaml")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def malvar(self):
        """The camera with the other demosaicer."""
        with open(self.app("develop"), encoding="utf-8") as file:
            return self.write("malvar.yaml", file.read().replace("DemosaicBilinear", "DemosaicMalvar"))

    def develop(self, out, *arguments, app=None):
        """The camera, its pictures and charts as PPM in the folder `out`."""
        return self.run(app or self.app("develop"), "-p", f"writer/path={out}/picture-%d.ppm", "-p",
                        f"chart/path={out}/chart-%d.ppm", *arguments)

    def samples(self, path):
        """Width, height and samples of a PPM with 8 bits."""
        with open(os.path.join(self.folder, path), "rb") as file:
            data = file.read()
        header = re.match(rb"P6\n(\d+) (\d+)\n255\n", data)
        check(header, f"{path} is no PPM with 8 bits")
        return int(header[1]), int(header[2]), data[header.end():]

    def differences(self, a, b):
        """How far each sample of two pictures lies apart."""
        first, second = self.samples(a), self.samples(b)
        check(first[:2] == second[:2], f"{a} and {b} have other sizes")
        return [abs(x - y) for x, y in zip(first[2], second[2])]


def both(apps, *arguments):
    apps.develop("cpu", "--device", "cpu", *arguments)
    apps.develop("gpu", "--device", "gpu", *arguments)


def same_pictures(apps):
    """The camera as it is: its pattern may differ by one step of 16 bits, so its pictures by one code value."""
    both(apps)
    for i in range(1, PICTURES + 1):
        largest = max(apps.differences(f"cpu/picture-{i}.ppm", f"gpu/picture-{i}.ppm"))
        check(largest <= 1, f"picture {i} differs by {largest}")
        # A count that differs moves the end of a bar by a pixel.
        moved = sum(d > 0 for d in apps.differences(f"cpu/chart-{i}.ppm", f"gpu/chart-{i}.ppm"))
        check(moved <= 3 * CHART_WIDTH, f"chart {i} differs in {moved} samples")


def same_bytes(apps):
    """From a pattern that is the same on both, integer pictures are the same to the last bit."""
    for options in (["source/pattern=ColorBars"], ["source/pattern=Noise", "sensor/noise=0.02"],
                    ["source/pattern=Noise", "source/element_type=uint8", "balance/method=grey_world"]):
        both(apps, *[word for option in options for word in ("-p", option)])
        for i in range(1, PICTURES + 1):
            for kind in ("picture", "chart"):
                name = f"{kind}-{i}.ppm"
                check(apps.samples(f"cpu/{name}") == apps.samples(f"gpu/{name}"), f"{options}: {name} differs")


# Parameters of the camera that lead to each kernel.
VARIATIONS = [
    [],
    ["source/element_type=uint8", "balance/method=grey_world", "resize/mode=bilinear"],
    ["source/element_type=float32", "balance/method=grey_world", "tone/curve=srgb", "resize/mode=nearest"],
    ["source/pattern=Noise", "sensor/pattern=GBRG", "sensor/noise=0.1", "source/width=641", "source/height=479"],
    ["source/pattern=ColorBars", "source/element_type=float32", "balance/gains=[2, 1, 0.5]"],
    ["source/width=37", "source/height=3", "resize/width=91"],
]


def verified(output):
    found = re.search(r"verified (\d+) results of (\d+) operators: the same on CPU and GPU", output)
    check(found, f"nothing says what was compared:\n{output}")
    return int(found[1]), int(found[2])


def other_operators(apps):
    """Each operator of the camera works on both, on either device, with each kind of kernel."""
    for app in (apps.app("develop"), apps.malvar()):
        for device in ("cpu", "gpu"):
            for options in VARIATIONS:
                words = [word for option in options for word in ("-p", option)]
                counts = verified(apps.run(app, "--verify", "--device", device, *words))
                check(counts == (8 * PICTURES, 8), f"{options} on {device}: compared {counts}")
    # What would be a CUDA graph is compared operator by operator, and the report says so.
    for executor in ("graph", "resident"):
        output = apps.run(apps.app("develop"), "--verify", "--executor", executor)
        check(verified(output) == (8 * PICTURES, 8), f"--executor {executor}: {output}")
        check("region 'gpu' was no CUDA graph in this run" in output, output)


def mixed_devices(apps):
    """Pictures cross between the devices wherever the operators ask for it."""
    pattern = ["-p", "source/pattern=Noise"]
    apps.develop("plain", "--device", "cpu", *pattern)
    apps.develop("follows", *pattern, "-p", "source/device=gpu")
    apps.develop("crosses", "--device", "gpu", *pattern, "-p", "source/device=cpu", "-p", "demosaic/device=cpu", "-p",
                 "resize/device=auto", "-p", "histogram/device=cpu")
    apps.develop("verified", "--verify", "--device", "gpu", *pattern, "-p", "balance/device=cpu")
    for out in ("follows", "crosses", "verified"):
        for i in range(1, PICTURES + 1):
            for name in (f"picture-{i}.ppm", f"chart-{i}.ppm"):
                check(apps.samples(f"plain/{name}") == apps.samples(f"{out}/{name}"), f"{out}/{name} differs")


def schedulers(apps):
    """Several workers, deep queues: many pictures in flight."""
    pattern = ["-p", "source/pattern=Noise", "-p", "source/count=8"]
    apps.develop("plain", "--device", "cpu", *pattern)
    deep = [word for entity in ("scene", "sensor", "demosaic", "balance", "tone", "resize")
            for word in ("-p", f"{entity}/in/capacity=4", "-p", f"{entity}/out/capacity=4")]
    for executor in ("greedy", "threads", "events"):
        apps.develop(executor, "--device", "gpu", "--executor", executor, *pattern, *deep)
        for i in range(1, PICTURES + 1):
            name = f"picture-{i}.ppm"
            check(apps.samples(f"plain/{name}") == apps.samples(f"{executor}/{name}"), f"{executor}/{name} differs")


# Parameters of the camera that lead to each kernel of a graph.
IN_GRAPHS = [
    [],
    ["source/element_type=uint8", "balance/method=grey_world", "resize/mode=bilinear"],
    ["source/element_type=float32", "balance/method=grey_world", "tone/curve=srgb", "resize/mode=nearest"],
    ["sensor/pattern=GBRG", "source/pattern=Noise", "source/width=641", "source/height=479",
     "balance/gains=[2, 1, 0.5]"],
    ["source/element_type=uint8", "source/pattern=ColorBars", "tone/curve=srgb", "balance/gains=[2, 1, 0.5]"],
    ["source/element_type=float32", "balance/gains=[2, 1, 0.5]", "resize/mode=bilinear"],
    ["balance/method=grey_world", "source/width=37", "source/height=3", "resize/width=91"],
]
# The picture's shape, so that the graph is built before the first message.
EXECUTOR = """
components:
- type: gxr::cuda::GraphExecutor
  parameters: {mode: graph, inputs: {scene/in: {shape: [480, 640, 3], dtype: uint16, name: image}}}
"""


# What the sensor's messages say of the colours is missing here.
WITHOUT_PATTERN = """
components:
- type: gxr::cuda::GraphExecutor
  parameters: {mode: graph, entities: [demosaic], inputs: {demosaic/in: {shape: [480, 640, 1], dtype: uint16}}}
"""


def as_graph(apps):
    """The camera as a CUDA graph, launched by the host or looping on the GPU, has the same kernels, so from the same pictures it makes the same
    bytes."""
    told = apps.write("executor.yaml", EXECUTOR)
    for app in (apps.app("develop"), apps.malvar()):
        for options in IN_GRAPHS:
            words = [word for option in options for word in ("-p", option)]
            apps.develop("gpu", "--device", "gpu", "-p", "source/device=cpu", *words, app=app)
            outs = ["graph", "resident"]
            for executor in outs:
                apps.develop(executor, "--executor", executor, *words, app=app)
            if options == IN_GRAPHS[0]:
                apps.develop("told", told, *words, app=app)
                # The Bayer pattern comes into the graph with a message, and leaves it with one.
                apps.develop("enters", "--executor", "graph", "-p", "sensor/device=cpu", *words, app=app)
                apps.develop("leaves", "--executor", "graph", "-p", "demosaic/device=cpu", *words, app=app)
                outs += ["told", "enters", "leaves"]
            for out in outs:
                for i in range(1, PICTURES + 1):
                    for name in (f"picture-{i}.ppm", f"chart-{i}.ppm"):
                        check(apps.samples(f"gpu/{name}") == apps.samples(f"{out}/{name}"),
                              f"{app}, {options}: {out}/{name} differs")
    untold = apps.write("untold.yaml", WITHOUT_PATTERN)
    status, output = apps.start(apps.app("develop"), untold, "-p", "demosaic/pattern=RGGB")
    check(status == 1 and "is built for uint16 [480, 640, 1] at 'demosaic/in', which received uint16 [480, 640, 1] "
          "(Bayer RGGB)" in output, f"ended with {status}:\n{output}")


def format_converter(apps):
    """Pools of system memory serve an application on the GPU, pools of device memory one on the CPU."""
    app = apps.app("format_converter")
    with open(app, encoding="utf-8") as file:
        on_device = apps.write("on_device.yaml", file.read().replace("storage_type: 2", "storage_type: 1"))
    for kind, file in (("system", app), ("device", on_device)):
        for device in ("cpu", "gpu"):
            out = f"{kind}-{device}"
            output = apps.run(file, "--device", device, "--verify", "-p", f"downstream_entity/path={out}/%d.ppm")
            check(verified(output)[0] >= 12, output)
            check(apps.samples(f"{out}/4.ppm") == apps.samples("system-cpu/4.ppm"), f"{out} differs")


# Each conversion of the format converter, and what it takes several steps for. The last one drops what the one before adds.
CONVERSIONS = [
    "out_dtype: uint8", "out_dtype: uint16", "out_dtype: float32, scale_min: -1, scale_max: 1", "out_dtype: rgb888",
    "out_dtype: uint8, resize_width: 30, resize_height: 21, resize_mode: 1",
    "out_dtype: uint16, resize_width: 90, resize_height: 50, resize_mode: 2",
    "out_dtype: float32, resize_width: 30, resize_height: 21, resize_mode: 8, out_channel_order: [2, 0, 1]",
    "out_dtype: uint8, out_channel_order: [2, 1, 0]",
    "out_dtype: rgba8888, alpha_value: 77, resize_width: 30, resize_height: 21, out_channel_order: [3, 2, 1, 0]",
    "out_dtype: rgba8888, alpha_value: 200", "in_dtype: rgba8888, out_dtype: rgb888, resize_width: 70, resize_height: 38"]


def short_form(*entities):
    """An application of (name, operator, input or none, parameters)."""
    documents = [f"name: {name}\noperator: gxr::image::{operator}\n" + (f"inputs: {{in: {before}}}\n" if before else "count: 3\n")
                 + f"parameters: {{{parameters}}}\n" for name, operator, before, parameters in entities]
    return "---\n".join(documents)


def same_files(apps, first, second, pattern):
    """How many files the folders have; they must be the same."""
    names = sorted(os.listdir(os.path.join(apps.folder, first)))
    check(names == sorted(os.listdir(os.path.join(apps.folder, second))), f"{first} and {second} have other files")
    for name in names:
        contents = []
        for folder in (first, second):
            with open(os.path.join(apps.folder, folder, name), "rb") as file:
                contents.append(file.read())
        check(contents[0] == contents[1], f"{pattern}: {second}/{name} differs from {first}/{name}")
    return len(names)


def run_everywhere(apps, app, name, operators):
    """The application makes the same files on the CPU, on streams, in graphs and in loops; so many operators can be compared."""
    writers = re.findall(r"^name: (write\w*)$", app, re.MULTILINE)
    file = apps.write(f"{name}.yaml", app)
    for way, words in (("cpu", ["--device", "cpu"]), ("gpu", ["--device", "gpu", "--verify"]), ("graph", ["--executor", "graph"]),
                       ("resident", ["--executor", "resident"])):
        paths = [word for writer in writers for word in ("-p", f"{writer}/path={name}-{way}/{writer}-%d.png")]
        output = apps.run(file, *words, *paths)
        if way == "gpu":
            counts = verified(output)
            check(counts == (3 * operators, operators), f"{name}: compared {counts}, not those of {operators} operators")
        else:
            count = same_files(apps, f"{name}-cpu", f"{name}-{way}", name)
            check(count == 3 * len(writers), f"{name}, {way}: {count} files")
    same_files(apps, f"{name}-cpu", f"{name}-gpu", name)


def format_converter_graph(apps):
    """Each conversion from each type, in one graph behind a copy of the picture."""
    for kind in ("uint8", "uint16", "float32"):
        entities = [("source", "Source", None, f"pattern: Noise, width: 61, height: 37, element_type: {kind}, device: cpu"),
                    ("copy", "Crop", "source", "")]
        for i, conversion in enumerate(CONVERSIONS):
            before = f"convert{i - 1}" if "in_dtype" in conversion else "copy"
            entities.append((f"convert{i}", "FormatConverter", before, conversion))
            entities.append((f"write{i}", "Writer", f"convert{i}", f"path: {i}-%d.png, bit_depth: 16"))
        run_everywhere(apps, short_form(*entities), f"convert-{kind}", len(CONVERSIONS) + 2)


def raw_sensor(apps):
    """Packed rows of each format, with bytes behind the pixels, become the same colours everywhere."""
    generator = random.Random(7)
    for name, group, pixels in (("RAW10", 5, 4), ("RAW12", 3, 2), ("RAW14", 7, 4)):
        columns = 37 * group + 2
        os.makedirs(os.path.join(apps.folder, name))
        for i in range(3):
            with open(os.path.join(apps.folder, name, f"{i}.pgm"), "wb") as file:
                file.write(b"P5\n%d %d\n255\n" % (columns, 29) + generator.randbytes(columns * 29))
        top = 2 ** int(name[3:]) - 1
        for black in (f"masked: [1, 2, 6, 5], white: {top}", f"levels: [1, 20.5, 3, 64], white: {top}", "masked: [0, 0, 3, 29]"):
            app = short_form(
                ("source", "Source", None, f"path: {name}, channels: as_is, device: cpu"),
                ("unpack", "RawUnpack", "source", f"format: {name}, width: {37 * pixels}"),
                ("black", "BlackLevel", "unpack", black),
                ("colors", "DemosaicBilinear", "black", "pattern: GRBG"),
                ("multiply", "NppiMulC", "colors", "factor: [0.5, 1.25, 1]"),
                ("full", "RawUnpack", "source", f"format: {name}, width: {37 * pixels}, scale: full"),
                ("write_colors", "Writer", "multiply", "path: a-%d.png, bit_depth: 16"),
                ("write_raw", "Writer", "full", "path: b-%d.png, bit_depth: 16"))
            number = len(os.listdir(apps.folder))
            run_everywhere(apps, app, f"{name}-{number}", 5)


def one_color(apps):
    """Pictures of one colour, multiplied: the source is a part of the graph, too."""
    app = short_form(("set", "NppiSet", None, "rows: 33, columns: 47, channels: 3, value: [0.25, 0.5, 1.5]"),
                     ("multiply", "NppiMulC", "set", "factor: [2, 0.3, 0.5]"),
                     ("write", "Writer", "multiply", "path: write-%d.png, bit_depth: 16"))
    run_everywhere(apps, app, "color", 2)


# Ways through the switch: as it is, another scene, fewer classes, and one more than there are cases.
DAYS = [[], ["source/pattern=ZonePlate", "sensor/noise=0"], ["brightness/thresholds=[0.1]"],
        ["brightness/thresholds=[0.05, 0.2, 0.3]"]]


def switch(apps):
    """Every picture is the one that the CPU makes in the way of its class, which the GPU finds by itself."""
    cases = [apps.write(f"case{i}.yaml", text) for i, text in enumerate(case_applications(apps.app("switch")))]
    for options in DAYS:
        words = [word for option in options for word in ("-p", option)]
        for i, case in enumerate(cases):
            wanted = classes(apps.run(case, "-p", f"writer/path=case{i}/%d.ppm", *words))
            counts = verified(apps.run(case, "--verify", "-p", "writer/path=verified/%d.ppm", *words))
            check(counts[0] == len(wanted) * counts[1], f"{options}, case {i}: compared {counts}")
        check(len(wanted) == 24 and len(set(wanted)) > 1, f"{options}: the pictures are of the classes {wanted}")
        for executor in ("graph", "resident"):
            output = apps.run(apps.app("switch"), "--executor", executor, "-p", f"writer/path={executor}/%d.ppm", *words)
            check(classes(output) == wanted, f"{options}, {executor}: {classes(output)}, not {wanted}")
            compare_days(apps, executor, wanted, len(cases))


def compare_days(apps, executor, wanted, cases):
    """Where a class has no case, the picture is the one before, or black."""
    held = None
    for i, number in enumerate(wanted, 1):
        width, height, found = apps.samples(f"{executor}/{i}.ppm")
        if number < cases:
            held = apps.samples(f"case{number}/{i}.ppm")[2]
        check(found == (held or bytes(3 * width * height)), f"{executor}: picture {i} is not that of case {number}")


def finds_differences(apps):
    """The first difference ends the run and is named; comparing nothing is no success."""
    extension = ["-x", os.path.join(apps.extensions, "two_ways.so")]
    app = apps.write("false.yaml", FALSE_OPERATOR)
    status, output = apps.start(app, "--verify", *extension)
    check(status == 1, f"ended with {status}:\n{output}")
    for text in ("tick of entity 'maker', component 'two_ways' (test::TwoWays): --verify: tensor 'numbers' is not the "
                 "same on both: first at [1, 1, 2], where the CPU has 18 and the GPU 19; 6 of 24 elements differ",
                 "verified 1 result of 1 operator: the same on CPU and GPU", "failed after"):
        check(text in output, f"'{text}' is missing:\n{output}")
    output = apps.run(app, "--verify", *extension, "-p", "maker/false_from=0")
    check("verified 3 results of 1 operator" in output, output)
    status, output = apps.start(apps.write("idle.yaml", IDLE), "--verify")
    check(status == 1 and "nothing was compared" in output, f"ended with {status}:\n{output}")


TESTS = {test.__name__: test for test in (same_pictures, same_bytes, other_operators, mixed_devices, schedulers,
                                          as_graph, format_converter, format_converter_graph, raw_sensor, one_color, switch,
                                          finds_differences)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("test", choices=TESTS)
    for name in ("gxr", "apps", "extensions"):
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        TESTS[arguments.test](Apps(arguments, folder))


if __name__ == "__main__":
    main()
