"""What classes of operators declare, as the engine reads it."""

from __future__ import annotations

import ast
import copy
import datetime
import enum
import inspect
import json
import keyword
import math
import os
import pathlib
import sys
import textwrap
import types
import typing
from typing import Any, Callable

from . import _native
from ._error import Error
from ._operator import MISSING, Declared, GraphTraits, Input, Operator, Output, Switch
from ._term import Term

_SCALARS = {bool: "bool", int: "int64", float: "float64", complex: "complex128", str: "string"}


class DeclarationError(Error):
    """A class declares something that cannot work; `file` and `line` say where."""

    def __init__(self, text: str, hint: str = "", file: str = "", line: int = 0) -> None:
        super().__init__(text, "invalid-data")
        self.text = text
        self.hint = hint
        self.file = file
        self.line = line

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file and self.line else ""
        return place + self.text + (f" ({self.hint})" if self.hint else "")


class Size(int):
    """A number of bytes, as the annotation of a parameter: YAML may write "4MB"."""


class _Kind:
    """A type of parameters: how YAML writes it, and what Python gets."""

    def __init__(self, json: Any, text: Callable[[Any], str], convert: Callable[[Any], Any] | None = None) -> None:
        self.json = json
        self.text = text  # YAML text of a value
        self.convert = convert  # of what the engine read


def _nanoseconds(value: datetime.timedelta) -> int:
    return ((value.days * 86400 + value.seconds) * 1_000_000 + value.microseconds) * 1000


def duration_text(value: datetime.timedelta) -> str:
    whole = _nanoseconds(value)
    for unit, size in (("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000)):
        if whole and whole % size == 0:
            return f"{whole // size}{unit}"
    return str(whole)


def _float_text(value: Any) -> str:
    number = float(value)
    if math.isnan(number):
        return ".nan"
    if math.isinf(number):
        return ".inf" if number > 0 else "-.inf"
    return _native.yaml_number(number)


def _wrong(value: Any, what: str) -> typing.NoReturn:
    raise DeclarationError(f"the default {value!r} is no {what}")


def _checked(kind: type | tuple[type, ...], what: str, text: Callable[[Any], str]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            _wrong(value, what)
        return text(value)

    return check


def complex_text(value: Any) -> str:
    number = complex(value)
    imaginary = _native.yaml_number(number.imag)
    return _native.yaml_number(number.real) + ("" if imaginary.startswith("-") else "+") + imaginary + "j"


def _simple_kind(annotation: Any) -> _Kind | None:
    if annotation is bool:
        return _Kind("bool", _checked(bool, "bool", lambda value: "true" if value else "false"))
    if annotation is int:
        return _Kind("int64", _checked(int, "integer", lambda value: str(int(value))))
    if annotation is float:
        return _Kind("float64", _checked((int, float), "number", _float_text))
    if annotation is complex:
        return _Kind("complex128", _checked((int, float, complex), "complex number", complex_text))
    if annotation is str:
        return _Kind("string", _checked(str, "text", _native.yaml_text))
    if annotation is Size:
        return _Kind("size", _checked(int, "number of bytes", lambda value: f"{int(value)}B"), Size)
    if annotation is datetime.timedelta:
        return _Kind(
            "duration",
            _checked(datetime.timedelta, "datetime.timedelta", duration_text),
            lambda value: datetime.timedelta(microseconds=value / 1000),
        )
    if isinstance(annotation, type) and issubclass(annotation, pathlib.PurePath):
        return _Kind("file", lambda value: _native.yaml_text(os.fspath(value)), annotation)
    if annotation is Any:
        return _Kind({"kind": "any", "name": "any"}, lambda value: json.dumps(value))
    return None


def _enum_kind(annotation: type[enum.Enum]) -> _Kind:
    def text(value: Any) -> str:
        if not isinstance(value, annotation):
            _wrong(value, annotation.__name__)
        return str(value.name)

    choices = [{"name": each.name} for each in annotation]
    kind = {"kind": "enum", "name": annotation.__name__, "choices": choices}
    return _Kind(kind, text, lambda name: annotation[name])


def _sequence_of(of: list[_Kind], make: type) -> tuple[Callable[[Any], str], Callable[[Any], Any]]:
    def kind(index: int) -> _Kind:
        return of[index] if index < len(of) else of[0]

    def text(value: Any) -> str:
        return "[" + ", ".join(kind(i).text(each) for i, each in enumerate(value)) + "]"

    def convert(value: Any) -> Any:
        return make((kind(i).convert or _same)(each) for i, each in enumerate(value))

    return text, convert


def _same(value: Any) -> Any:
    return value


def _kind_of(annotation: Any) -> _Kind:
    """The type of a parameter; DeclarationError when it is none."""
    simple = _simple_kind(annotation)
    if simple is not None:
        return simple
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return _enum_kind(annotation)
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if origin is list or (origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis):
        of = _kind_of(arguments[0])
        text, convert = _sequence_of([of], list if origin is list else tuple)
        return _Kind({"kind": "list", "of": [of.json]}, text, convert)
    if origin is tuple and arguments and all(each == arguments[0] for each in arguments):
        of = _kind_of(arguments[0])
        text, convert = _sequence_of([of], tuple)
        return _Kind({"kind": "array", "length": len(arguments), "of": [of.json]}, text, convert)
    if origin is tuple and len(arguments) == 2:
        pair = [_kind_of(each) for each in arguments]
        text, convert = _sequence_of(pair, tuple)
        return _Kind({"kind": "pair", "of": [each.json for each in pair]}, text, convert)
    if origin is dict and arguments[0] is str:
        of = _kind_of(arguments[1])
        return _Kind(
            {"kind": "map", "of": [of.json]},
            lambda value: "{" + ", ".join(f"{_native.yaml_text(k)}: {of.text(v)}" for k, v in value.items()) + "}",
            lambda value: {k: (of.convert or _same)(v) for k, v in value.items()},
        )
    raise DeclarationError(
        f"the type {_spelled(annotation)} cannot be a parameter",
        "bool, int, float, complex, str, pathlib.Path, datetime.timedelta, gxr.Size, an Enum, Literal, list[T], "
        "tuple[T, …], dict[str, T], Optional[T] or Any; ports are gxr.Input[T] and gxr.Output[T]",
    )


def _spelled(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _without_none(annotation: Any) -> tuple[Any, bool]:
    """T of Optional[T]."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        others = [each for each in typing.get_args(annotation) if each is not type(None)]
        if len(others) == 1 and len(typing.get_args(annotation)) == 2:
            return others[0], True
    return annotation, False


def _choice_text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _choices_of(given: Any) -> list[dict[str, str]]:
    if isinstance(given, dict):
        return [{"name": _choice_text(name), "description": text} for name, text in given.items()]
    return [{"name": _choice_text(name)} for name in given or []]


def _parameter(key: str, annotation: Any, default: Any) -> tuple[dict[str, Any], Callable[[Any], Any] | None]:
    facts = default.facts if isinstance(default, Declared) else {"default": default}
    if "minimum" not in facts and isinstance(default, Declared):
        raise DeclarationError(f"'{key}' is a parameter; gxr.port() is for ports")
    annotation, optional = _without_none(annotation)
    choices = facts.get("choices")
    if typing.get_origin(annotation) is typing.Literal:
        choices = list(typing.get_args(annotation))
        annotation = type(choices[0])
    kind = _kind_of(annotation)
    made: dict[str, Any] = {"key": key, "type": kind.json, "headline": facts.get("doc") or key.replace("_", " ")}
    if facts.get("unit"):
        made["unit"] = facts["unit"]
    value = facts.get("default", MISSING)
    if value is None and optional:
        made["optional"] = True
    elif value is not MISSING:
        made["default"] = kind.text(value)
    elif optional:
        made["optional"] = True
    for name in ("minimum", "maximum", "step"):
        if facts.get(name) is not None:
            made[name] = facts[name]
    if choices:
        made["choices"] = _choices_of(choices)
    if facts.get("live"):
        made["dynamic"] = True
    return made, kind.convert


def _content_of(annotation: Any) -> tuple[str, str, str]:
    """How messages of a port come to Python, the type of a number, and the C++ type of the part."""
    if annotation is _native.Tensor:
        return "tensor", "", "gxr::Tensor"
    if annotation is _native.Picture:
        return "picture", "", "gxr::VideoBuffer"
    if annotation is _native.Sound:
        return "sound", "", "gxr::AudioBuffer"
    if annotation is _native.Message or annotation is Any or isinstance(annotation, typing.TypeVar):
        return "message", "", ""
    name = _SCALARS.get(annotation, getattr(annotation, "__name__", ""))
    if name in _native.part_types:
        return "value", name, _native.part_types[name]
    raise DeclarationError(
        f"the type {_spelled(annotation)} is none that a port can have",
        "gxr.Tensor, gxr.Message, gxr.Picture, gxr.Sound, int, float, str, bool, complex, or a number of NumPy such as numpy.float32",
    )


def _port(key: str, annotation: Any, default: Any) -> tuple[dict[str, Any], dict[str, Any], tuple[str, str, str]]:
    origin = typing.get_origin(annotation) or annotation
    arguments = typing.get_args(annotation) or (Any,)
    facts = default.facts if isinstance(default, Declared) else {}
    if (isinstance(default, Declared) and "elements" not in facts) or default not in (MISSING, default if facts else 0):
        raise DeclarationError(f"'{key}' is a port and has no default", "say more of it by gxr.port(…)")
    content, value_type, part_type = _content_of(arguments[0])
    is_input = origin is Input
    parameter: dict[str, Any] = {
        "key": key,
        "type": {"kind": "handle", "name": "gxr::Receiver" if is_input else "gxr::Transmitter"},
        "headline": facts.get("doc") or key.replace("_", " "),
    }
    if facts.get("optional"):
        parameter["optional"] = True
    made: dict[str, Any] = {"key": key, "direction": "input" if is_input else "output"}
    if part_type:
        part: dict[str, Any] = {"type": part_type}
        if facts.get("part"):
            part["name"] = facts["part"]
        elements = facts.get("elements")
        if elements:
            part["elements"] = [elements] if isinstance(elements, str) else list(elements)
        if facts.get("rank") is not None:
            part["rank"] = facts["rank"]
        if facts.get("shape") is not None:
            part["rank"] = len(facts["shape"])
            part["dimensions"] = [max(-1, int(each)) for each in facts["shape"]]
        made["parts"] = [part]
        if not is_input:
            made["other_parts"] = True  # such as a Timestamp
    return parameter, made, (key, content, value_type)


def _unwrapped(text: str) -> str:
    """Each paragraph on one line: whoever shows it breaks lines anew."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


def _lines_of(cls: type) -> dict[str, int]:
    """Lines of a class ("" is its own) and of its attributes, as far as its source is there."""
    try:
        lines, first = inspect.getsourcelines(cls)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return {}
    found = {"": first}
    body = tree.body[0]
    for statement in body.body if isinstance(body, ast.ClassDef) else []:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        elif isinstance(statement, ast.Assign):
            targets = statement.targets
        for target in targets:
            if isinstance(target, ast.Name):
                found[target.id] = first + statement.lineno - 1
    return found


def _file_of(cls: type) -> str:
    return getattr(sys.modules.get(cls.__module__), "__file__", None) or ""


def _annotations_of(cls: type) -> dict[str, Any]:
    try:
        hints = typing.get_type_hints(cls)
    except Exception as error:
        raise DeclarationError(f"an annotation of '{cls.__name__}' cannot be read: {error}") from error
    base = {*typing.get_type_hints(Operator), *typing.get_type_hints(Term)}
    # In the order of the classes, a base class first, as they stand in the source.
    ordered: dict[str, Any] = {}
    for each in reversed(cls.__mro__):
        for key in each.__dict__.get("__annotations__", {}):
            if key in hints and key not in base and not key.startswith("_"):
                ordered[key] = hints[key]
    return {
        key: hint
        for key, hint in ordered.items()
        if hint is not typing.ClassVar and typing.get_origin(hint) is not typing.ClassVar
    }


_BASES: dict[type, str] = {Operator: "gxr::Codelet", Term: "gxr::SchedulingTerm"}
_METHODS: dict[type, tuple[str, ...]] = {
    Operator: ("initialize", "start", "tick", "stop", "deinitialize", "infer", "capture"),
    Term: ("initialize", "check", "executed", "explain", "deinitialize"),
}


def _base_of(cls: type) -> type:
    return Term if issubclass(cls, Term) else Operator


def _works(cls: type) -> bool:
    """Has it a method that does the work: on the CPU's schedulers, in a CUDA graph, or for those who schedule?"""
    base = _base_of(cls)
    return any(getattr(cls, name, None) is not getattr(base, name, None) for name in ("tick", "capture", "check"))


def _require_methods(cls: type) -> None:
    base = _base_of(cls)
    if not _works(cls):
        if base is Term:
            raise DeclarationError(f"'{cls.__name__}' has no method check()", "def check(self, now): …")
        raise DeclarationError(f"'{cls.__name__}' has no method tick()", "def tick(self): …")
    for name in _METHODS[base]:
        method = getattr(cls, name)
        if not callable(method):
            raise DeclarationError(f"'{name}' is a method of gxr.{base.__name__}", "choose another name")
        if inspect.iscoroutinefunction(method) or inspect.isgeneratorfunction(method):
            raise DeclarationError(f"the method {name}() of '{cls.__name__}' must be a plain function")
    needed = [
        each.name
        for each in list(inspect.signature(getattr(cls, "__init__")).parameters.values())[1:]
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    if needed:
        raise DeclarationError(
            f"the constructor of '{cls.__name__}' needs '{needed[0]}', but gxr gives it nothing",
            "declare a parameter, and read it in start()",
        )


Declaration = tuple[
    type, str, list[Any], dict[str, Callable[[Any], Any]], dict[str, Callable[[], Any]], tuple[bool, bool, int, int, bool]
]


def _maker_of(value: Any) -> Callable[[], Any]:
    """Each object gets a default of its own."""
    return lambda: copy.copy(value)


_KEPT_IN_L2 = ("nothing", "scratch", "output")  # in the order of gxr::KeptInL2


def _is_capturable(cls: type) -> bool:
    return issubclass(cls, Operator) and cls.capture is not Operator.capture


def _traits_of(cls: type) -> GraphTraits:
    traits = getattr(cls, "graph_traits", GraphTraits())
    if not isinstance(traits, GraphTraits):
        raise DeclarationError(
            f"the 'graph_traits' of '{cls.__name__}' must be gxr.GraphTraits, not {traits!r}",
            "graph_traits = gxr.GraphTraits(repeatable=True)",
        )
    for field in ("dependent_launch", "repeatable", "pass_through"):
        if not isinstance(getattr(traits, field), bool):
            raise DeclarationError(f"the graph trait '{field}' must be True or False, not {getattr(traits, field)!r}")
    if not isinstance(traits.priority, int) or isinstance(traits.priority, bool) or not -1000 <= traits.priority <= 1000:
        raise DeclarationError(
            f"the graph trait 'priority' must be a whole number from -1000 to 1000, not {traits.priority!r}",
            "lower is more urgent, 0 is the priority of the region",
        )
    if traits.kept_in_l2 not in _KEPT_IN_L2:
        raise DeclarationError(
            f"the graph trait 'kept_in_l2' must be \"nothing\", \"scratch\" or \"output\", not {traits.kept_in_l2!r}"
        )
    if traits != GraphTraits() and not _is_capturable(cls):
        raise DeclarationError(
            f"'{cls.__name__}' has graph traits, but no method capture(): it cannot be a part of a CUDA graph",
            "def capture(self, region): …",
        )
    return traits


def _words_of(traits: GraphTraits) -> str:
    """As `gxr plan` has them."""
    words = []
    if traits.dependent_launch:
        words.append("dependent launch")
    if traits.repeatable:
        words.append("repeatable")
    if traits.priority:
        words.append(f"priority {traits.priority}")
    if traits.kept_in_l2 != "nothing":
        words.append(f"{traits.kept_in_l2} kept in L2")
    if traits.pass_through:
        words.append("passes on while it is off")
    return ", ".join(words)


class _Members:
    """What the annotated attributes of a class declare."""

    def __init__(self, cls: type, extension: str) -> None:
        self.parameters: list[Any] = []
        self.ports: list[Any] = []
        self.bindings: list[Any] = []
        self.converters: dict[str, Callable[[Any], Any]] = {}
        self.defaults: dict[str, Callable[[], Any]] = {}
        self._base = _base_of(cls)
        self._cls = cls
        self._extension = extension

    def add(self, attribute: str, annotation: Any) -> None:
        if hasattr(self._base, attribute):
            raise DeclarationError(
                f"'{attribute}' is something of gxr.{self._base.__name__} already", "choose another name"
            )
        default = getattr(self._cls, attribute, MISSING)
        key = _key_of(attribute)
        if (typing.get_origin(annotation) or annotation) in (Input, Output):
            self._add_port(key, annotation, default)
        elif annotation is Switch:
            self._add_handle(key, "gxr::BooleanSchedulingTerm", "ends the entity", True)
        elif (component := _component_of(annotation)) is not None:
            optional = _without_none(annotation)[1] or default is None
            self._add_handle(key, self._name_of(component), key.replace("_", " "), optional)
        else:
            self._add_parameter(key, annotation, default)

    def _add_port(self, key: str, annotation: Any, default: Any) -> None:
        if self._base is Term:
            raise DeclarationError(
                f"'{key}' is a port, which a scheduling term cannot have",
                "let its operator tell it, or add a gxr::MessageAvailableSchedulingTerm to the entity",
            )
        parameter, port, binding = _port(key, annotation, default)
        self.parameters.append(parameter)
        self.ports.append(port)
        self.bindings.append(binding)

    def _add_handle(self, key: str, name: str, headline: str, optional: bool) -> None:
        made = {"key": key, "type": {"kind": "handle", "name": name}, "headline": headline}
        self.parameters.append({**made, "optional": True} if optional else made)

    def _add_parameter(self, key: str, annotation: Any, default: Any) -> None:
        parameter, convert = _parameter(key, annotation, default)
        if convert is not None:
            self.converters[key] = convert
        if "default" in parameter:
            self.defaults[key] = _maker_of(default.facts["default"] if isinstance(default, Declared) else default)
        self.parameters.append(parameter)

    def _name_of(self, component: type) -> str:
        """A class of the same module belongs to the same extension."""
        if component in _BASES:
            return _BASES[component]
        if component.__module__ == self._cls.__module__:
            return f"{self._extension}::{component.__name__}"
        return f"{component.__module__.replace('.', '::')}::{component.__name__}"


def _key_of(attribute: str) -> str:
    """Words of Python itself cannot name an attribute: `in_` is the port `in`."""
    return attribute[:-1] if attribute.endswith("_") and keyword.iskeyword(attribute[:-1]) else attribute


def _component_of(annotation: Any) -> type | None:
    """The class of an annotation that names another component of the application."""
    annotation, _ = _without_none(annotation)
    is_component = isinstance(annotation, type) and issubclass(annotation, (Operator, Term))
    return annotation if is_component else None


def _type_of(cls: type, extension: str, members: _Members, traits: GraphTraits) -> dict[str, Any]:
    name = f"{extension}::{cls.__name__}"
    document = inspect.cleandoc(cls.__dict__.get("__doc__") or "")
    headline, _, description = document.partition("\n")
    description = _unwrapped(description)
    if traits != GraphTraits():
        description += ("\n\n" if description else "") + f"In a CUDA graph: {_words_of(traits)}."
    made: dict[str, Any] = {
        "name": name,
        "base": _BASES[_base_of(cls)],
        "id": _native.type_id(name),
        "headline": headline,
        "description": description,
        "parameters": members.parameters,
        "ports": members.ports,
    }
    if _is_capturable(cls):
        made["capturable"] = True
        made["capabilities"] = [{"kind": "tells_shapes"}]
    return made


def declare(cls: type, extension: str) -> Declaration:
    """The class, its type as JSON, its ports, what makes attributes of values of parameters, and of their defaults, and
    its graph traits."""
    lines = _lines_of(cls)
    key = ""
    try:
        _require_methods(cls)
        members = _Members(cls, extension)
        for key, annotation in _annotations_of(cls).items():
            members.add(key, annotation)
        for key, value in vars(cls).items():
            if isinstance(value, Declared) and key not in cls.__dict__.get("__annotations__", {}):
                raise DeclarationError(f"'{key}' has no annotation, which would say its type", f"{key}: int = …")
        key = "graph_traits"
        traits = _traits_of(cls)
        key = ""
        made = json.dumps(_type_of(cls, extension, members, traits))
        kept = _KEPT_IN_L2.index(traits.kept_in_l2)
        told = (traits.dependent_launch, traits.repeatable, traits.priority, kept, traits.pass_through)
        return cls, made, members.bindings, members.converters, members.defaults, told
    except DeclarationError as error:
        error.file = error.file or _file_of(cls)
        error.line = error.line or lines.get(key, lines.get("", 0))
        raise


def components_of(module: types.ModuleType) -> list[type]:
    """The operators and terms that a module itself declares, in the order of the source.

    Left out are those whose name begins with "_", abstract ones, and those without a method that works from which
    others derive.
    """
    own = dict.fromkeys(
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, (Operator, Term))
        and each.__module__ == module.__name__
        and not each.__name__.startswith("_")
        and not inspect.isabstract(each)
    )
    bases = {base for each in own for base in each.__mro__[1:]}
    return [each for each in own if not (each in bases and not _works(each))]
