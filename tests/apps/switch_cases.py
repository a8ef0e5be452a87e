"""apps/switch without its Switch: an application for each case, in which all pictures take that way, on the CPU."""
import json
import re
import sys

try:
    import yaml
except ImportError:
    yaml = None

SKIPPED = 77
SWITCH = "gxr::cuda::Switch"
CLASS = re.compile(r"'brightness_class' int32 \[1\].*: (\d+)")


def case_applications(path):
    if yaml is None:
        print("skipped: Python has no module 'yaml'", file=sys.stderr)
        sys.exit(SKIPPED)
    with open(path, encoding="utf-8") as file:
        documents = list(yaml.safe_load_all(file))
    of_gpu = next(each for each in documents if any(part["type"] == SWITCH for part in each.get("components", [])))
    cases = next(part for part in of_gpu["components"] if part["type"] == SWITCH)["parameters"]["cases"]
    for case in cases:
        gone = {of_gpu["name"], *(name for other in cases if other != case for name in other)}
        left = [without(gone, each) for each in documents if each["name"] not in gone]
        yield "\n---\n".join(map(json.dumps, left))


def without(gone, document):
    """The document with inputs that read other entities only."""
    def left(read):
        return [each for each in read if each.split("/")[0] not in gone] if isinstance(read, list) else read
    return {**document, "inputs": {port: left(read) for port, read in document.get("inputs", {}).items()}}


def classes(output):
    """Of each picture, as the application logs it."""
    return [int(number) for number in CLASS.findall(output)]
