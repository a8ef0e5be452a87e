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
    of_gpu = next(each for each in documents if any(part["type"] == SWITCH for part in each["components"]))
    cases = next(part for part in of_gpu["components"] if part["type"] == SWITCH)["parameters"]["cases"]
    for case in cases:
        gone = {of_gpu["name"], *(name for other in cases if other != case for name in other)}
        left = [without(gone, each) for each in documents if each.get("name") not in gone]
        yield "\n---\n".join(map(json.dumps, left))


def without(gone, document):
    """The document without the connections of entities that are gone."""
    def stays(part):
        ends = part.get("parameters", {}) if part["type"] == "gxr::Connection" else {}
        return not any(end.split("/")[0] in gone for end in ends.values())
    return {**document, "components": [part for part in document["components"] if stays(part)]}


def classes(output):
    """Of each picture, as the application logs it."""
    return [int(number) for number in CLASS.findall(output)]
