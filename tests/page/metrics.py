#!/usr/bin/env python3
"""Has others' programs check the metrics of an application that runs.

  metrics.py promtool --gxr FILE     the form before OpenMetrics, by `promtool check metrics` of the package prometheus
  metrics.py parser --gxr FILE       OpenMetrics, by the parser of prometheus_client (PyPI, or Debian: python3-prometheus-client)

Exit status: 0 right, 1 wrong, 77 there is no such program.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.request

import browser


def read(app, accept):
    time.sleep(1)
    request = urllib.request.Request(app.address + "metrics", headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode()


def promtool(options):
    if shutil.which("promtool") is None:
        print("skipped: no promtool here (Debian: prometheus)")
        return 77
    with browser.tuning(options) as app:
        text = read(app, "text/plain")
    checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    print(checked.stdout + checked.stderr, end="")
    return checked.returncode


def parser(options):
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        print("skipped: no prometheus_client here (PyPI; Debian: python3-prometheus-client)")
        return 77
    with browser.tuning(options) as app:
        text = read(app, "application/openmetrics-text")
    families = {family.name: family for family in text_string_to_metric_families(text)}
    print(" ".join(sorted(families)))
    ticks = {sample.labels["entity"]: sample.value for sample in families["gxr_entity_ticks"].samples}
    return 0 if len(ticks) == 7 and all(value > 0 for value in ticks.values()) else 1


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("by", choices=("promtool", "parser"))
    arguments.add_argument("--gxr", type=lambda path: str(pathlib.Path(path).resolve()), required=True)
    options = arguments.parse_args()
    return {"promtool": promtool, "parser": parser}[options.by](options)


if __name__ == "__main__":
    sys.exit(main())
