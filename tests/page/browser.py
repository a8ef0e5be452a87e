#!/usr/bin/env python3
"""The page of an application that runs, in a real browser: headless Chromium.

  browser.py TEST --gxr FILE --extensions FOLDER [--pictures FOLDER]    one of the tests below
  browser.py picture --gxr FILE --pictures FOLDER                       writes page.png, the picture of the documents

Exit status: 0 as it should be, 1 not so, 77 there is no browser.
"""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import webdriver

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DESKTOP = (1280, 900)
PHONE = (390, 844)

PAIR = """\
name: a
components:
- {name: pair, type: live::Pair}
- {type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 10ms}}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
"""
HANGING = """\
name: fine
components:
- {type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 100ms}}
- {type: nvidia::gxf::HelloWorld}
---
name: bad
components:
- {name: op, type: test::Hanging, parameters: {where: tick}}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::MultiThreadScheduler, parameters: {clock: clock, worker_thread_number: 2}}
"""


class Application:
    """It runs in a folder of its own as long as the block."""

    def __init__(self, gxr, *arguments, text=None):
        self.folder = tempfile.TemporaryDirectory()
        self.gxr = gxr
        self.arguments = [str(each) for each in arguments]
        if text is not None:
            pathlib.Path(self.folder.name, "app.yaml").write_text(text)
            self.arguments.append("app.yaml")

    def __enter__(self):
        self.log = pathlib.Path(self.folder.name, "log")
        environment = {**os.environ, "GXR_RUNTIME_DIR": self.folder.name}
        with self.log.open("w") as log:
            self.process = subprocess.Popen([self.gxr, "run", *self.arguments, "--monitor", "0"], cwd=self.folder.name, env=environment,
                                            stdout=log, stderr=log)
        end = time.monotonic() + 30
        while not (found := re.search(r"the page of this application: (http://\S+)", self.log.read_text())):
            if time.monotonic() > end or self.process.poll() is not None:
                raise AssertionError("the application does not begin:\n" + self.log.read_text())
            time.sleep(0.05)
        self.address = found[1]
        return self

    def __exit__(self, *_):
        for sent in (signal.SIGINT, signal.SIGKILL):
            if self.process.poll() is None:
                self.process.send_signal(sent)
                try:
                    self.process.wait(timeout=5)
                except subprocess.TimeoutExpired:
                    continue
        self.folder.cleanup()

    def get(self, parameter):
        environment = {**os.environ, "GXR_RUNTIME_DIR": self.folder.name}
        return subprocess.run([self.gxr, "get", "--app", str(self.process.pid), parameter], env=environment, capture_output=True, text=True).stdout.strip()


def tuning(options):
    return Application(options.gxr, SOURCE / "apps/tuning/tuning.yaml", "--executor", "greedy", "-p", "source/period=20Hz")


def check(is_so, what):
    if not is_so:
        raise AssertionError(what)


def shoot(browser, options, name, whole=True):
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
        browser.picture(options.pictures / f"{name}.png", whole)


def check_live_page(browser, app):
    """Values move, and nothing is wider than the window."""
    browser.open(app.address)
    browser.wait("return document.getElementById('phase').textContent === 'running'", "the state")
    check(browser.run("return document.getElementById('name').textContent") == "tuning", "the name")
    check(browser.wait("return document.querySelectorAll('#graph g.node').length", "the graph") == 7, "seven nodes")
    ticks = browser.run("return document.getElementById('ticks').textContent")
    browser.wait(f"return document.getElementById('ticks').textContent !== {ticks!r}", "ticks move")
    browser.wait("return parseFloat(document.getElementById('rate').textContent) > 10", "a rate")
    browser.wait("return document.querySelectorAll('#graph g.node.active').length === 7", "nodes that tick")
    browser.wait("return /\\/s/.test(document.querySelector('#graph g.node .live').textContent)", "a rate in a node")
    check(browser.run("return document.querySelectorAll('#entities tbody tr').length") == 7, "seven rows")
    browser.wait("return document.getElementById('log').textContent.includes('the page of')", "the log")
    wide = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
    check(wide <= 0, f"the page is {wide} pixels wider than the window")


def check_change(browser, app):
    field = "input[data-parameter='tone/operator/gamma']"
    browser.run("document.querySelector('#graph g.node[aria-label=\"entity tone\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    browser.wait(f"return document.querySelector(\"{field}\")", "the parameter")
    browser.type(field, "1.7")
    browser.run(f"document.querySelector(\"{field}\").form.requestSubmit()")
    browser.wait("return document.querySelector('.result.good')", "the change")
    check(app.get("tone/gamma") == "1.7", "the value in the application")
    browser.wait("return document.getElementById('log').textContent.includes('set tone/operator/gamma=1.7')", "the change in the log")
    browser.type(field, "-1")
    browser.run(f"document.querySelector(\"{field}\").form.requestSubmit()")
    text = browser.wait("const bad = document.querySelector('.result.bad'); return bad && bad.textContent", "the refusal")
    check("gamma" in text, f"the refusal: {text}")


def check_previews(browser):
    """Of the entity that check_change() chose, which sends pictures, and of a sink."""
    colours = "const canvas = document.querySelector('#previews canvas'); if (!canvas) return 0;" \
              "const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;" \
              "return new Set(Array.from({length: data.length / 4}, (_, i) => data[4 * i] << 16 | data[4 * i + 1] << 8 | data[4 * i + 2])).size"
    browser.wait(colours.replace("size", "size > 5"), "a picture in the details")
    tick = browser.run("return document.querySelector('#previews figcaption').textContent")
    check("tone/" in tick and "tick " in tick, f"the caption: {tick}")
    browser.wait(f"return document.querySelector('#previews figcaption').textContent !== {tick!r}", "another picture")
    browser.run("document.querySelector('#graph g.node[aria-label=\"entity writer\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    browser.wait(colours.replace("size", "size > 5"), "a picture before a sink")
    browser.run("document.querySelector('#graph g.node[aria-label=\"entity tone\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    browser.wait("return document.querySelector('#previews canvas')", "the first picture again")


def page_test(options, name, size, dark):
    with tuning(options) as app, webdriver.Browser(*size, dark=dark) as browser:
        check_live_page(browser, app)
        shoot(browser, options, name)
        check(browser.complaints() == [], "no complaints of the browser")
        check_change(browser, app)
        check_previews(browser)
        complaints = [each for each in browser.complaints() if "/api/set" not in each]  # the refusal
        check(complaints == [], f"complaints of the browser: {complaints}")
        shoot(browser, options, name + "-details")


def desktop(options):
    page_test(options, "desktop", DESKTOP, False)


def desktop_dark(options):
    page_test(options, "desktop-dark", DESKTOP, True)


def phone(options):
    page_test(options, "phone", PHONE, False)


def phone_dark(options):
    page_test(options, "phone-dark", PHONE, True)


def without_graphviz(options):
    """The page lays the graph out by itself."""
    path = os.environ["PATH"]
    os.environ["PATH"] = ""
    try:
        app = tuning(options)
        app.__enter__()
    finally:
        os.environ["PATH"] = path
    with webdriver.Browser(*DESKTOP) as browser:
        try:
            check_live_page(browser, app)
            shoot(browser, options, "without-graphviz")
        finally:
            app.__exit__()


def failing(options):
    """A change after which an entity fails; then the same page at the next start."""
    with Application(options.gxr, "-x", options.extensions / "live.so", text=PAIR) as app, webdriver.Browser(*DESKTOP) as browser:
        browser.open(app.address)
        browser.wait("return document.querySelector('#graph g.node.active')", "the entity")
        browser.run("document.querySelector('#graph g.node').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        field = "input[data-parameter='a/pair/first']"
        browser.wait(f"return document.querySelector(\"{field}\")", "the parameter")
        browser.type(field, "8")
        browser.run(f"document.querySelector(\"{field}\").form.requestSubmit()")
        browser.wait("return document.querySelector('#graph g.node.bad')", "the failed entity")
        banner = browser.run("return document.getElementById('banner').textContent")
        check("failed" in banner and "a:" in banner, f"the banner: {banner}")
        check(browser.run("return document.getElementById('phase').textContent") == "failed", "the state")
        check(browser.run("return document.querySelector('#entities tr.bad')") is not None, "the row")
        shoot(browser, options, "failing")
        check(app.process.wait(timeout=10) == 1, "the exit status")


def graphs(options):
    """Times of operators of a CUDA graph, as a status with a GPU has them."""
    told = """[{region: 'loop', device: 0, loops: true, iterations: 1234567, measured: 64, measured_ns: 1920000, operators: [
        {entity: 'demosaic', runs: 64, total_ns: 640000, longest_ns: 15000}, {entity: 'tone', runs: 0, total_ns: 0, longest_ns: 0}]},
        {region: 'by host', device: 0, loops: false, iterations: null, measured: 0, measured_ns: 0, operators: []}]"""
    for name, size in [("graphs", DESKTOP), ("graphs-phone", PHONE)]:
        with tuning(options) as app, webdriver.Browser(*size) as browser:
            check_live_page(browser, app)
            check(browser.run("return document.getElementById('graphs-card').hidden"), "no graphs yet")
            browser.run(f"const before = show; show = now => {{ state.status.graphs = {told}; before(now); }};")
            browser.wait("return !document.getElementById('graphs-card').hidden", "the graphs")
            rows = browser.run("return [...document.querySelectorAll('#graphs tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
            check([[cell.strip() for cell in row] for row in rows] == [
                ["loop", "1\u202f234\u202f567", "30 µs", ""], ["demosaic", "", "10 µs", "15 µs"], ["tone", "", "–", "–"], ["by host", "", "–", ""]], f"{rows}")
            browser.wait("return [...document.querySelectorAll('#graph g.node .live')].some(each => each.textContent === '10 µs')", "its time in the graph")
            browser.run("document.querySelectorAll('#graphs tbody tr')[1].click()")
            browser.wait("return document.getElementById('detail-title').textContent === 'demosaic'", "the operator's details")
            wide = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
            check(wide <= 0, f"the page is {wide} pixels wider than the window")
            shoot(browser, options, name)


def hanging(options):
    with Application(options.gxr, "-x", options.extensions / "waiting.so", text=HANGING) as app, webdriver.Browser(*DESKTOP) as browser:
        browser.open(app.address)
        browser.wait("return document.querySelector('#graph g.node.bad')", "the entity that hangs")
        text = browser.run("return document.querySelector('#entities tr.bad').textContent")
        check("hangs in tick of entity 'bad'" in text, f"the row: {text}")
        shoot(browser, options, "hanging")
        app.process.kill()


def picture(options):
    with tuning(options) as app, webdriver.Browser(1280, 860) as browser:
        check_live_page(browser, app)
        time.sleep(20)  # for the chart
        check_change(browser, app)
        field = "input[data-parameter='tone/operator/gamma']"
        browser.type(field, "1.8")
        browser.run(f"document.querySelector(\"{field}\").form.requestSubmit(); document.activeElement.blur()")
        time.sleep(3)
        browser.picture(options.pictures / "page.png")


TESTS = {each.__name__: each for each in (desktop, desktop_dark, phone, phone_dark, without_graphviz, failing, hanging, graphs, picture)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("test", choices=TESTS)
    parser.add_argument("--gxr", type=lambda path: str(pathlib.Path(path).resolve()), required=True)
    parser.add_argument("--extensions", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    if webdriver.missing():
        print(f"skipped: {webdriver.missing()}")
        return 77
    try:
        TESTS[options.test](options)
    except AssertionError as error:
        print(f"{options.test}: {error}")
        return 1
    print(f"{options.test}: as it should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
