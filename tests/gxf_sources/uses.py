#!/usr/bin/env python3
"""Compares the sources here with the uses that a survey of 58 public extensions counted.

Without arguments it prints what is used where. `--markdown` prints the table of docs/compatibility.md, `--check` also
fails when that table is old. The exit status is 1 when less than 95 % of the uses occur, by kind or by number.
"""

import argparse
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
TABLE = FOLDER.parents[1] / "docs" / "compatibility.md"
LEAST = 95.0

# Kind -> name -> in how many of the 58 extensions it occurs.
SURVEY = {
    "header": {
        "gxf/std/extension_factory_helper.hpp": 58, "gxf/std/codelet.hpp": 54, "gxf/std/transmitter.hpp": 47,
        "gxf/std/receiver.hpp": 43, "gxf/std/allocator.hpp": 33, "gxf/std/tensor.hpp": 31,
        "gxf/std/timestamp.hpp": 27, "gxf/std/parameter_parser_std.hpp": 14, "gxf/std/scheduling_terms.hpp": 10,
        "gxf/std/memory_buffer.hpp": 10, "gxf/std/clock.hpp": 5, "gxf/std/scheduling_term.hpp": 3,
        "gxf/std/eos.hpp": 1, "gxf/std/unbounded_allocator.hpp": 1, "gxf/std/block_memory_pool.hpp": 1,
        "gxf/core/gxf.h": 21, "gxf/core/parameter_parser_std.hpp": 15, "gxf/core/entity.hpp": 15,
        "gxf/core/expected.hpp": 12, "gxf/core/parameter.hpp": 12, "gxf/core/handle.hpp": 11,
        "gxf/core/component.hpp": 9, "gxf/core/expected_macro.hpp": 2, "gxf/core/registrar.hpp": 1,
        "gxf/multimedia/video.hpp": 39, "gxf/multimedia/camera.hpp": 14, "gxf/cuda/cuda_stream_pool.hpp": 20,
        "gxf/cuda/cuda_stream.hpp": 16, "gxf/cuda/cuda_stream_id.hpp": 14, "common/span.hpp": 4,
        "common/fixed_vector.hpp": 4, "common/fixed_string.hpp": 3, "common/assert.hpp": 3, "common/expected.hpp": 2,
        "common/type_name.hpp": 2, "common/logger.hpp": 1, "gxf/serialization/component_serializer.hpp": 2,
        "gxf/serialization/entity_serializer.hpp": 1, "gxf/serialization/file_stream.hpp": 1,
        "gxf/serialization/tid_hash.hpp": 1,
    },
    "type": {
        "Registrar": 55, "Codelet": 55, "Parameter": 54, "Expected": 54, "Handle": 53, "Entity": 47,
        "Transmitter": 47, "MemoryStorageType": 43, "Receiver": 42, "Allocator": 41, "Tensor": 32, "VideoBuffer": 30,
        "VideoFormat": 29, "Timestamp": 26, "Unexpected": 25, "Shape": 25, "Success": 22, "PrimitiveType": 18,
        "VideoBufferInfo": 18, "SurfaceLayout": 18, "CudaStreamPool": 16, "CudaStream": 15, "CameraModel": 12,
        "VideoFormatSize": 11, "Component": 9, "Pose3D": 8, "CudaStreamId": 8, "ColorPlane": 6,
        "BooleanSchedulingTerm": 6, "AsynchronousSchedulingTerm": 6, "FixedVector": 6, "Span": 6, "MemoryBuffer": 6,
        "DistortionType": 5, "VideoTypeTraits": 5, "CudaEvent": 5, "SchedulingTerm": 3, "Clock": 3, "EndOfStream": 1,
    },
    "function": {
        "ToResultCode": 54, "Entity::New": 38, "ForwardError": 13, "PrimitiveTypeSize": 10, "Handle::Create": 6,
        "CreateTensorMap": 3, "ComputeTrivialStrides": 2, "ExpectedOrCode": 1, "Entity::Shared": 1, "Handle::Null": 1,
    },
    "member": {
        "parameter": 55, "get": 52, "value": 51, "publish": 48, "receive": 42, "pointer": 41, "size": 40, "add": 40,
        "data": 32, "resize": 28, "shape": 26, "dimension": 26, "video_frame_info": 25, "try_get": 24,
        "storage_type": 21, "error": 20, "is_null": 18, "element_type": 16, "stream": 15, "name": 14,
        "allocateStream": 14, "rank": 12, "reshape": 11, "reshapeCustom": 10, "wrapMemory": 10, "map": 9,
        "findAll": 8, "clone": 7, "resizeCustom": 7, "and_then": 6, "getDefaultColorPlanes": 5, "assign_to": 5,
        "setEventState": 5, "enable_tick": 5, "disable_tick": 5, "record": 5, "syncStream": 4,
        "getExecutionTimestamp": 3, "peek": 2, "substitute": 1, "isFirstTick": 1, "acqtime": 26, "pubtime": 1,
        "writeTrivialType": 2, "registerParameterlessComponent": 1, "set": 2, "wrapMemoryBuffer": 2,
    },
    "member form": {
        "add with a name": 29, "get with a name": 30, "publish with a time": 17, "findAll into a vector": 1,
    },
    "macro": {
        "GXF_EXT_FACTORY_BEGIN": 58, "GXF_EXT_FACTORY_SET_INFO": 58, "GXF_EXT_FACTORY_END": 58,
        "GXF_EXT_FACTORY_ADD": 56, "GXF_EXT_FACTORY_ADD_0": 10, "GXF_LOG_ERROR": 50, "GXF_LOG_INFO": 25,
        "GXF_LOG_WARNING": 21, "GXF_LOG_DEBUG": 17, "GXF_PARAMETER_FLAGS_OPTIONAL": 23,
        "GXF_PARAMETER_FLAGS_DYNAMIC": 3, "RETURN_IF_ERROR": 13, "GXF_RETURN_IF_ERROR": 5, "UNWRAP_OR_RETURN": 11,
        "GXF_UNWRAP_OR_RETURN": 5, "GXF_ASSERT": 2, "GXF_EXT_FACTORY_SET_DISPLAY_INFO": 1,
        "GXF_EXT_FACTORY_ADD_VERBOSE": 1, "GXF_EXT_FACTORY_ADD_LITE": 1,
    },
    "result code": {
        "GXF_SUCCESS": 56, "GXF_FAILURE": 45, "GXF_CONTRACT_MESSAGE_NOT_AVAILABLE": 17,
        "GXF_UNINITIALIZED_VALUE": 14, "GXF_INVALID_DATA_FORMAT": 9, "GXF_ARGUMENT_NULL": 6,
        "GXF_ARGUMENT_OUT_OF_RANGE": 6, "GXF_PARAMETER_OUT_OF_RANGE": 5, "GXF_OUT_OF_MEMORY": 5,
        "GXF_ARGUMENT_INVALID": 4,
    },
    "video format": {
        "RGBA": 16, "RGB": 15, "GRAY": 11, "D32F": 9, "BGR": 9, "GRAY32": 7, "R32_G32_B32": 5, "B32_G32_R32": 5,
        "NV12_ER": 5, "GRAY32F": 4, "NV24_ER": 4,
    },
    "C function": {
        "GxfResultStr": 4, "GxfComponentTypeId": 2, "GxfComponentFind": 1, "GxfComponentPointer": 1,
        "GxfComponentType": 1, "GxfComponentTypeName": 1, "GxfComponentName": 1, "GxfComponentIsBase": 1,
        "GxfParameterSetStr": 1, "GxfTidNull": 1,
    },
    "base class": {
        "Codelet": 53, "Component": 7, "SchedulingTerm": 2, "EntitySerializer": 1, "ComponentSerializer": 1,
    },
    "override": {
        "registerInterface": 55, "start": 55, "tick": 55, "stop": 55, "initialize": 17, "deinitialize": 15,
        "check_abi": 2, "onExecute_abi": 2, "with noexcept": 9,
    },
    "parameter style": {
        "key": 23, "key, headline": 5, "key, headline, description": 55, "default": 54, "default and flags": 10,
        "NoDefaultParameter and flags": 23, "own ParameterParser": 2, "own ParameterWrapper": 2, "YAML::Node": 4,
        "vector of handles": 9, "FixedVector of handles": 1, "vector of vectors": 5, "map": 5, "own enumeration": 4,
        "handle to an own type": 25, "extern \"C\" around the factory": 13,
    },
}

# Patterns of the kinds whose names are found in one way. `{}` is the name.
PATTERNS = {
    "header": r'#include ["<]{}[">]',
    "type": r"\b{}\b(?![\"/.])",
    "function": r"\b{}\b[(<]",
    "member": r"(?:\.|->|^ *){}(?:<[^;=]*?>)?\(|(?:\.|->){}\b",
    "macro": r"\b{}\b",
    "result code": r"\b{}\b",
    "video format": r"\bGXF_VIDEO_FORMAT_{}\b",
    "C function": r"\b{}\(",
    "base class": r": public (?:nvidia::)?(?:gxf::){}\b",
    "override": r"\b{}\([^;]*?\)(?: const)?(?: noexcept)? override",
}

CALL = r"parameter\(\w+, "
SPECIAL = {
    ("function", "Handle::Create"): r"Handle<[\w:]+>::Create\(",
    ("function", "Handle::Null"): r"Handle<[\w:]+>::Null\(",
    ("member", "getExecutionTimestamp"): r"\bgetExecutionTimestamp\(",
    ("member", "isFirstTick"): r"\bisFirstTick\(",
    ("member form", "add with a name"): r"add<[\w:]+>\([^)]",
    ("member form", "get with a name"): r"get<[\w:]+>\([^)]",
    ("member form", "publish with a time"): r"publish\([^;]*, ",
    ("member form", "findAll into a vector"): r"findAll\(\w",
    ("override", "with noexcept"): r"\(\w*[^;{}]*\) noexcept override",
    ("parameter style", "key"): CALL + r'"\w+"\)',
    ("parameter style", "key, headline"): CALL + r'"\w+",\s*"[^"]*"\)',
    ("parameter style", "key, headline, description"): CALL + r'"\w+",\s*"[^"]*",\s*"[^"]*"\)',
    ("parameter style", "default"): CALL + r'"\w+",\s*"[^"]*",\s*"[^"]*",\s*(?![\w:]*NoDefault)[^;]+\);',
    ("parameter style", "default and flags"): (
        CALL + r'"\w+",\s*"[^"]*",\s*"[^"]*",\s*(?![\w:]*NoDefault)[^;]+,\s*GXF_PARAMETER_FLAGS'),
    ("parameter style", "NoDefaultParameter and flags"): r"NoDefaultParameter\(\),\s*GXF_PARAMETER_FLAGS",
    ("parameter style", "own ParameterParser"): r"struct (?:nvidia::gxf::)?ParameterParser<",
    ("parameter style", "own ParameterWrapper"): r"struct (?:nvidia::gxf::)?ParameterWrapper<",
    ("parameter style", "YAML::Node"): r"Parameter<YAML::Node>",
    ("parameter style", "vector of handles"): r"Parameter<std::vector<[\w:]*Handle<",
    ("parameter style", "FixedVector of handles"): r"Parameter<\s*nvidia::FixedVector<[\w:]*Handle<",
    ("parameter style", "vector of vectors"): r"Parameter<std::vector<std::vector<",
    ("parameter style", "map"): r"Parameter<std::map<",
    ("parameter style", "own enumeration"): r"Parameter<Quality>",
    ("parameter style", "handle to an own type"): r"Parameter<[\w:]*Handle<(?:Gauge|Calibration)>>",
    ("parameter style", "extern \"C\" around the factory"): r'extern "C" \{\s*GXF_EXT_FACTORY_BEGIN',
}


def sources():
    # The probe has every name once, which nobody writes; what programs load is not like an extension of somebody.
    skipped = {"probe", "embed"}
    for path in sorted(FOLDER.rglob("*")):
        inside = path.relative_to(FOLDER)
        if path.suffix in {".cpp", ".cu", ".hpp"} and inside.parts[0] not in skipped:
            text = re.sub(r"//[^\n]*", "", path.read_text())
            yield str(inside), text


def find_uses():
    """(kind, name, extensions in the survey, first file or None) of each use."""
    texts = list(sources())
    uses = []
    for kind, names in SURVEY.items():
        for name, count in names.items():
            pattern = SPECIAL.get((kind, name)) or PATTERNS[kind].replace("{}", re.escape(name))
            regex = re.compile(pattern, re.MULTILINE)
            uses.append((kind, name, count, next((file for file, text in texts if regex.search(text)), None)))
    return uses


def markdown(uses):
    lines = ["| kind | use | extensions | file |", "|---|---|---|---|"]
    lines += [f"| {kind} | `{name}` | {count} | {file or '-'} |" for kind, name, count, file in uses]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", action="store_true", help="print the table of docs/compatibility.md")
    parser.add_argument("--check", action="store_true", help="also fail when that table, if it is there, is old")
    arguments = parser.parse_args()

    uses = find_uses()
    if arguments.markdown:
        print(markdown(uses))
        return 0
    if not arguments.check:
        for kind, name, count, file in uses:
            print(f"{kind:16} {name:45} {count:3}  {file or '-'}")
    missing = [(kind, name) for kind, name, _, file in uses if file is None]
    by_kind = 100 * (1 - len(missing) / len(uses))
    total = sum(count for _, _, count, _ in uses)
    by_number = 100 * sum(count for _, _, count, file in uses if file) / total
    print(f"{len(uses) - len(missing)} of {len(uses)} uses, {by_kind:.1f} %; by extensions {by_number:.1f} %")
    for kind, name in missing:
        print(f"missing: {kind} {name}")
    old = arguments.check and TABLE.exists() and markdown(uses) not in TABLE.read_text()
    if old:
        print("the table in docs/compatibility.md is old: see `uses.py --markdown`")
    return 1 if min(by_kind, by_number) < LEAST or old else 0


if __name__ == "__main__":
    sys.exit(main())
