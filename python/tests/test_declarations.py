import json
import os
import re
import subprocess
import sys

import pytest

import gxr
from gxr._declaration import DeclarationError, declare


def declared(**members):
    annotations = {key: value for key, (value, _) in members.items()}
    values = {key: default for key, (_, default) in members.items() if default is not ...}
    cls = type("Made", (gxr.Operator,), {"__annotations__": annotations, "tick": lambda self: None, **values})
    return declare(cls, "made")


@pytest.mark.parametrize(
    "annotation, default, words",
    [
        (set, ..., "the type set cannot be a parameter"),
        (int, "five", "the default 'five' is no integer"),
        (int, True, "the default True is no integer"),
        (bool, 1, "the default 1 is no bool"),
        (gxr.Input[dict], ..., "the type dict is none that a port can have"),
        (gxr.Input[gxr.Tensor], gxr.parameter(3), "is a port"),
        (int, gxr.port(), "is a parameter"),
    ],
)
def test_what_cannot_be_declared(annotation, default, words):
    with pytest.raises(DeclarationError, match=words):
        declared(thing=(annotation, default))


def test_no_tick():
    with pytest.raises(DeclarationError, match=r"'Lazy' has no method tick\(\)"):
        declare(type("Lazy", (gxr.Operator,), {}), "made")


def test_inherited_ports_and_parameters():
    class Base(gxr.Operator):
        image: gxr.Input[gxr.Tensor]
        size: int = 3

        def tick(self):
            pass

    class Derived(Base):
        """Derived"""

        size: int = 5
        more: float = 0.5

    made = json.loads(declare(Derived, "made")[1])
    assert [each["key"] for each in made["parameters"]] == ["image", "size", "more"]
    assert made["parameters"][1]["default"] == "5"


@pytest.mark.parametrize(
    "members, words",
    [
        ({"size": gxr.parameter(5)}, "'size' has no annotation"),
        ({"__annotations__": {"name": str}, "name": ""}, "'name' is something of gxr.Operator already"),
        ({"__init__": lambda self, size: None}, "needs 'size', but gxr gives it nothing"),
        ({"stop": 5}, "'stop' is a method of gxr.Operator"),
    ],
)
def test_what_a_class_cannot_have(members, words):
    with pytest.raises(gxr.DeclarationError, match=words):
        declare(type("Made", (gxr.Operator,), {"tick": lambda self: None, **members}), "made")


def test_asynchronous_ticks():
    async def tick(self):
        pass

    with pytest.raises(DeclarationError, match="must be a plain function"):
        declare(type("Made", (gxr.Operator,), {"tick": tick}), "made")


def test_a_failed_declaration_is_not_forgotten():
    class Wrong(gxr.Operator):
        size: int = gxr.parameter("x")

        def tick(self):
            pass

    app = gxr.Application().add("wrong", Wrong, count=1)
    for _ in range(2):
        with pytest.raises(gxr.DeclarationError, match="test_declarations.py:.*'x' is no integer"):
            app.run()


def capturable(**members):
    return type("Made", (gxr.Operator,), {"capture": lambda self, region: None, **members})


def test_graph_traits():
    traits = gxr.GraphTraits(dependent_launch=True, repeatable=True, priority=-2, kept_in_l2="output", pass_through=True)
    made = declare(capturable(graph_traits=traits, __doc__="Made\n\nFor a test."), "made")
    assert made[5] == (True, True, -2, 2, True)
    assert json.loads(made[1])["description"] == (
        "For a test.\n\n"
        "In a CUDA graph: dependent launch, repeatable, priority -2, output kept in L2, passes on while it is off."
    )
    assert declare(capturable(), "made")[5] == (False, False, 0, 0, False)


def test_graph_traits_are_inherited():
    base = capturable(graph_traits=gxr.GraphTraits(repeatable=True))
    assert declare(type("Derived", (base,), {}), "made")[5][1]


@pytest.mark.parametrize(
    "traits, words",
    [
        (5, "must be gxr.GraphTraits, not 5"),
        (gxr.GraphTraits, "must be gxr.GraphTraits, not <class"),
        (gxr.GraphTraits(repeatable=1), "'repeatable' must be True or False, not 1"),
        (gxr.GraphTraits(dependent_launch="yes"), "'dependent_launch' must be True or False, not 'yes'"),
        (gxr.GraphTraits(pass_through=None), "'pass_through' must be True or False, not None"),
        (gxr.GraphTraits(priority=1.5), "'priority' must be a whole number from -1000 to 1000, not 1.5"),
        (gxr.GraphTraits(priority=True), "'priority' must be a whole number"),
        (gxr.GraphTraits(priority=-(2**40)), "'priority' must be a whole number"),
        (gxr.GraphTraits(kept_in_l2="input"), "'kept_in_l2' must be \"nothing\", \"scratch\" or \"output\", not 'input'"),
    ],
)
def test_wrong_graph_traits(traits, words):
    with pytest.raises(DeclarationError, match=re.escape(words)):
        declare(capturable(graph_traits=traits), "made")


def test_graph_traits_without_capture():
    made = type("Made", (gxr.Operator,), {"tick": lambda self: None, "graph_traits": gxr.GraphTraits(repeatable=True)})
    with pytest.raises(DeclarationError, match=r"'Made' has graph traits, but no method capture\(\)"):
        declare(made, "made")


GOOD = "import gxr\nclass Made(gxr.Operator):\n    def tick(self): pass\n"


@pytest.mark.parametrize(
    "text, is_remembered",
    [
        ("1 +\n", True),
        ("import helper_that_is_not_there\n", True),
        ("from os import no_such_name\n", True),
        (GOOD.replace("def tick", "def tock"), True),
        ("open('no_such_file')\n", False),
        ("import os\nos.environ['NO_SUCH_VARIABLE']\n", False),
        ("try:\n    open('no_such_file')\nexcept OSError as error:\n    raise ImportError('no data') from error\n", False),
        ("raise ImportError('libx.so.1: cannot open shared object file', path='/x/y.so')\n", False),
        ("raise SystemExit(3)\n", False),
    ],
)
def test_only_failures_that_depend_on_files_list_them(write, text, is_remembered):
    """`gxr lsp` remembers those with a list until one of the files changes."""
    file = os.path.realpath(write("made.py", text))
    told = subprocess.run([sys.executable, "-m", "gxr.declare", file], capture_output=True, text=True, timeout=60)
    answer = json.loads(told.stdout)
    assert told.returncode == 1 and answer["errors"]
    assert ("files" in answer) == is_remembered
