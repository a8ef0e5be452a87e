#!/usr/bin/env python3
"""Runs the applications of apps/ and looks at the pictures they write. One test per name; see CMakeLists.txt."""
import argparse
import filecmp
import os
import re
import subprocess
import sys
import tempfile
import time

from switch_cases import case_applications, classes

# Demosaicing of photos with RGGB, no noise, a border of 4 pixels left out; from an independent implementation.
KNOWN_PSNR = {
    "coffee": {"DemosaicBilinear": 29.43, "DemosaicMalvar": 33.16},
    "astronaut": {"DemosaicBilinear": 30.55, "DemosaicMalvar": 34.59},
}
# What makes the camera of apps/develop hand the demosaicer's picture on as it is, in the original's 8 bits.
PLAIN_CAMERA = ["source/element_type=uint8", "scene/curve=linear", "tone/curve=linear",
                "balance/method=gains", "balance/gains=[1, 1, 1]", "resize/width=0", "resize/height=0"]
BORDER = 4


class Apps:
    def __init__(self, arguments, folder):
        self.gxr, self.psnr_tool = os.path.abspath(arguments.gxr), os.path.abspath(arguments.psnr)
        self.apps, self.data = os.path.abspath(arguments.apps), os.path.abspath(arguments.data)
        self.folder = folder

    def run(self, app, *overrides):
        command = [self.gxr, "run", app]
        for override in overrides:
            command += ["-p", override]
        done = subprocess.run(command, cwd=self.folder, text=True, capture_output=True, timeout=250)
        output = done.stdout + done.stderr
        check(done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{output}")
        return output

    def app(self, name):
        return os.path.join(self.apps, name, name + ".yaml")

    def swapped_develop(self, demosaicer):
        """The develop application with its one `operator:` line of the demosaicer changed."""
        with open(self.app("develop"), encoding="utf-8") as file:
            text, count = re.subn(r"(operator: gxr::image::)Demosaic\w+", r"\g<1>" + demosaicer, file.read())
        check(count == 1, f"develop.yaml has {count} demosaicers")
        path = os.path.join(self.folder, demosaicer + ".yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def psnr(self, a, b):
        done = subprocess.run([self.psnr_tool, a, b, str(BORDER)], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        check(done.returncode == 0, done.stderr)
        return float(done.stdout)

    def demosaic_psnr(self, original, demosaicer):
        """dB of the plain camera's picture against the original file."""
        out = f"out-{demosaicer}"
        self.run(self.swapped_develop(demosaicer), *PLAIN_CAMERA, f"source/path={original}",
                 f"writer/path={out}/%d.png", f"chart/path={out}/chart-%d.png")
        return self.psnr(original, f"{out}/1.png")

    def files(self, folder):
        return sorted(os.listdir(os.path.join(self.folder, folder)))


def check(condition, message):
    if not condition:
        print(message, file=sys.stderr)
        sys.exit(1)


def develop(apps):
    output = apps.run(apps.app("develop"))
    check("completed" in output, f"the run did not end as completed:\n{output}")
    check("wrote 8 pictures to out/develop/, last out/develop/picture-0008.png" in output,
          f"the writer does not say where the pictures are:\n{output}")
    wanted = sorted(f"{kind}-{i:04}.png" for kind in ("picture", "histogram") for i in range(1, 9))
    check(apps.files("out/develop") == wanted, f"wrong files: {apps.files('out/develop')}")
    first, second = (f"out/develop/picture-{i:04}.png" for i in (1, 2))
    check(apps.psnr(first, second) < 40, "the zone plate does not move")
    check(apps.psnr(first, first) == float("inf"), "a picture differs from itself")


def compare_demosaicers(apps, original):
    found = {name: apps.demosaic_psnr(original, name) for name in ("DemosaicBilinear", "DemosaicMalvar")}
    print(", ".join(f"{name} {value:.2f} dB" for name, value in found.items()))
    check(found["DemosaicMalvar"] > found["DemosaicBilinear"] + 1, f"the swap shows no better picture: {found}")
    return found


def psnr_generated(apps):
    """An enlarged zone plate: as fine as a photo, with no detail beyond what a lens lets through."""
    scene = os.path.join(apps.folder, "scene.yaml")
    with open(scene, "w", encoding="utf-8") as file:
        file.write(GENERATED_SCENE)
    apps.run(scene)
    compare_demosaicers(apps, "scene.png")


def psnr_photo(apps, name):
    photo = os.path.join(apps.data, name + ".png")
    if not os.path.exists(photo):
        print(f"skipped: no {photo}")
        sys.exit(77)
    found = compare_demosaicers(apps, photo)
    for demosaicer, wanted in KNOWN_PSNR[name].items():
        check(abs(found[demosaicer] - wanted) < 0.1, f"{demosaicer}: {found[demosaicer]} dB, not {wanted}")


def format_converter(apps):
    output = apps.run(apps.app("format_converter"))
    check("completed" in output, f"the run did not end as completed:\n{output}")
    check(apps.files("out/format_converter") == [f"bars-{i:04}.png" for i in range(1, 5)], "wrong files")
    apps.run(apps.app("format_converter"), "back_entity/out_channel_order=[]",
             "downstream_entity/path=plain-%d.png")
    exchanged, plain = "out/format_converter/bars-0001.png", "plain-1.png"
    check(apps.psnr(exchanged, plain) < 20, "the channels are not exchanged")
    apps.run(apps.app("format_converter"), f"upstream_entity/path={exchanged}",
             "downstream_entity/path=again-%d.png")
    check(apps.psnr("again-1.png", plain) == float("inf"), "uint8 to float32 and back is not exact")


def recorder(apps):
    """The guide's application: plays a recording of another writer and records the same."""
    source = os.path.join(apps.data, "coffee")
    if not os.path.exists(source + ".gxf_entities"):
        print(f"skipped: no {source}.gxf_entities")
        sys.exit(77)
    options = [f"replayer/directory={apps.data}", "replayer/basename=coffee", f"recorder/out_directory={apps.folder}"]
    started = time.monotonic()
    apps.run(os.path.join(apps.apps, "recorder", "my_recorder_gxf.yaml"), *options)
    check(time.monotonic() - started > 0.36, "12 frames at 30 frames/s took less than 11 intervals")
    for ending in (".gxf_entities", ".gxf_index"):
        copy = os.path.join(apps.folder, "tensor_out" + ending)
        check(filecmp.cmp(source + ending, copy, shallow=False), f"{copy} differs from {source + ending}")
    apps.run(os.path.join(apps.apps, "recorder", "my_recorder_gxf.yaml"), *options, "replayer/realtime=false")
    copy = os.path.join(apps.folder, "tensor_out.gxf_entities")
    check(filecmp.cmp(source + ".gxf_entities", copy, shallow=False), "the wall clock changes the entities")


def switch(apps):
    """A day from light to dark and back, once in each of the three ways that the GPU would choose from."""
    day = [2] * 6 + [1] * 4 + [0] * 5 + [1] * 4 + [2] * 5
    for number, text in enumerate(case_applications(apps.app("switch"))):
        app = os.path.join(apps.folder, f"case{number}.yaml")
        with open(app, "w", encoding="utf-8") as file:
            file.write(text)
        found = classes(apps.run(app, f"writer/path=case{number}/%d.ppm"))
        check(found == day, f"the pictures are of the classes {found}")
    for one, other in ((0, 1), (0, 2), (1, 2)):
        check(apps.psnr(f"case{one}/13.ppm", f"case{other}/13.ppm") < 40, f"the cases {one} and {other} do the same")
    check(apps.psnr("case0/12.ppm", "case0/13.ppm") > apps.psnr("case1/12.ppm", "case1/13.ppm"),
          "the night has as much noise as the dusk")


GENERATED_SCENE = """
name: source
operator: gxr::image::Source
parameters: {pattern: ZonePlate, width: 384, height: 256, count: 1}
---
name: resize
operator: gxr::image::Resize
inputs: {in: source}
parameters: {width: 768, height: 512}
---
name: writer
operator: gxr::image::Writer
inputs: {in: resize}
parameters: {path: scene.png}
"""

TESTS = {
    "develop": develop,
    "psnr_generated": psnr_generated,
    "psnr_coffee": lambda apps: psnr_photo(apps, "coffee"),
    "psnr_astronaut": lambda apps: psnr_photo(apps, "astronaut"),
    "format_converter": format_converter,
    "recorder": recorder,
    "switch": switch,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("test", choices=TESTS)
    for name in ("gxr", "psnr", "apps", "data"):
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        TESTS[arguments.test](Apps(arguments, folder))


if __name__ == "__main__":
    main()
