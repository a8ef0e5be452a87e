#!/usr/bin/env python3
"""apps/rtsp_relay for a long time, with a camera that is killed and comes back every 20 s.

    relay_soak.py --gxr GXR --relay RTSP_RELAY_YAML --camera RTSP_SERVER [--seconds 600]

The memory of the relay stays as it is after the first returns, its log has each interruption and the end of it, and
its client gets pictures after each. Exit status: 0 all right, 1 something is wrong, 2 wrong usage.
"""

import argparse
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

PERIOD = 20  # seconds between two deaths of the camera
PAUSE = 1.5  # seconds without a camera
SETTLED = 3  # deaths, until all memory is in use
MOST_GROWTH = 8 << 20
CLIENT = """
name: source
operator: gxr::media::Source
parameters: {{uri: {address}, transport: tcp, timeout: 10min}}
---
name: sink
operator: gxr::media::Sink
inputs: {{in: source}}
parameters: {{pipeline: filesink location=pictures.raw}}
"""


class Failed(Exception):
    pass


def wait_for(test, seconds, what):
    end = time.monotonic() + seconds
    while not test():
        if time.monotonic() > end:
            raise Failed(f"{what}: not within {seconds} s")
        time.sleep(0.05)


def resident(process):
    """In bytes."""
    if process.poll() is not None:
        raise Failed(f"the relay has ended early, with exit status {process.returncode}")
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s*(\d+) kB", status)[1]) * 1024


class Soak:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.processes = []
        self.camera = None
        self.port = "0"

    def begin(self, name, *command):
        with open(self.folder / f"{name}.log", "w") as log:
            process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=subprocess.STDOUT)
        self.processes.append(process)
        return process

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def address_in(self, name):
        wait_for(lambda: "rtsp://" in self.log(name), 30, f"the address of the {name}")
        return re.search(r"rtsp://\S+", self.log(name))[0]

    def start_camera(self):
        self.camera = self.begin("camera", self.arguments.camera, "--port", self.port)
        address = self.address_in("camera")
        self.port = re.search(r":(\d+)/", address)[1]
        return address

    def pictures(self):
        """Bytes that the client has written."""
        path = self.folder / "pictures.raw"
        return path.stat().st_size if path.exists() else 0

    def wait_for_pictures(self):
        before = self.pictures()
        wait_for(lambda: self.pictures() > before, 30, "pictures at the client")

    def run(self):
        camera = self.start_camera()
        relay = self.begin("relay", self.arguments.gxr, "run", self.arguments.relay, "-p", f"camera/uri={camera}",
                           "-p", "serve/uri=rtsp://127.0.0.1:0/live", "-p", "serve/codec=vp8")
        (self.folder / "client.yaml").write_text(CLIENT.format(address=self.address_in("relay")))
        self.begin("client", self.arguments.gxr, "run", "client.yaml")
        self.wait_for_pictures()
        sizes = []
        end = time.monotonic() + self.arguments.seconds
        while time.monotonic() < end:
            time.sleep(PERIOD - PAUSE)
            self.camera.kill()
            self.camera.wait()
            time.sleep(PAUSE)
            self.start_camera()
            deaths = len(sizes) + 1
            wait_for(lambda: self.log("relay").count("pictures come again") == deaths, 30, "the camera's return")
            self.wait_for_pictures()
            sizes.append(resident(relay))
            (self.folder / "pictures.raw").write_bytes(b"")
        relay.send_signal(signal.SIGINT)
        relay.wait(30)
        self.check(sizes)

    def check(self, sizes):
        log = self.log("relay")
        print(f"{len(sizes)} interruptions; KiB: {' '.join(str(size >> 10) for size in sizes)}")
        print(re.search(r"published.*", log)[0])
        numbers = re.findall(r"interruption (\d+): ", log)
        if numbers != [str(number + 1) for number in range(len(sizes))]:
            raise Failed(f"the log has the interruptions {numbers}")
        if "error" in re.sub(r"\(Generic error\)", "", log):
            raise Failed("the relay has failed")
        if len(sizes) <= SETTLED:
            raise Failed("too short to tell of its memory")
        if max(sizes[SETTLED:]) - sizes[SETTLED - 1] > MOST_GROWTH:
            raise Failed("the memory grows")

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def main():
    parser = argparse.ArgumentParser()
    for name in ("--gxr", "--relay", "--camera"):
        parser.add_argument(name, required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--seconds", type=float, default=600)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(parser.parse_args(), pathlib.Path(folder))
        try:
            soak.run()
        except Failed as error:
            print(f"{error}\n{soak.log('relay') if (soak.folder / 'relay.log').exists() else ''}")
            return 1
        finally:
            soak.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
