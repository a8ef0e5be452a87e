"""A browser without a window, driven by chromedriver's protocol (W3C WebDriver)."""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def missing():
    """What keeps a browser from being started; empty: nothing."""
    lacks = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"no {' and no '.join(lacks)} here (Debian: chromium, chromium-driver)" if lacks else ""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """Lives as long as the block."""

    def __init__(self, width, height, dark=False, scale=1):
        self.size = (width, height)
        self.dark = dark
        self.scale = scale
        self.port = free_port()

    def __enter__(self):
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        arguments = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage"]
        arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
        wishes = {"goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments},
                  "goog:loggingPrefs": {"browser": "ALL"}}
        for _ in range(100):
            try:
                self.session = None
                self.session = self.ask("POST", "", {"capabilities": {"alwaysMatch": wishes}})["sessionId"]
                break
            except (ConnectionRefusedError, urllib.error.URLError):
                time.sleep(0.1)
        width, height = self.size
        self.tool("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=self.scale, mobile=width < 600)
        self.tool("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        return self

    def __exit__(self, *_):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def ask(self, method, path, body=None):
        address = f"http://127.0.0.1:{self.port}/session" + (f"/{self.session}{path}" if self.session else "")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data=data, method=method, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def tool(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address):
        self.ask("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """The value of a function's body."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, what, seconds=20):
        """Until the script's value is true; returns it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(script)
            if value:
                return value
            time.sleep(0.1)
        raise AssertionError(f"{what}: not within {seconds} s")

    def find(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        found = self.find(selector)
        self.ask("POST", f"/element/{found}/clear", {})
        self.ask("POST", f"/element/{found}/value", {"text": text})

    def complaints(self):
        return [each["message"] for each in self.ask("POST", "/se/log", {"type": "browser"}) if each["level"] == "SEVERE"]

    def picture(self, path, whole=False):
        shot = self.tool("Page.captureScreenshot", captureBeyondViewport=whole, **({"clip": self.whole()} if whole else {}))
        path.write_bytes(base64.b64decode(shot["data"]))

    def whole(self):
        height = self.run("return document.documentElement.scrollHeight")
        return {"x": 0, "y": 0, "width": self.size[0], "height": height, "scale": 1}
