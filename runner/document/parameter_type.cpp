#include "document/parameter_type.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "document/utf8.hpp"
#include "gxr/error.hpp"

namespace gxr {

namespace {

using Kind = ParameterType::Kind;

constexpr std::size_t kDeepest = 32;

struct KindName {
  Kind kind;
  std::string_view name;
};

constexpr std::array<KindName, 24> kKindNames = {{
    {Kind::Bool, "bool"},
    {Kind::Int8, "int8"},
    {Kind::Int16, "int16"},
    {Kind::Int32, "int32"},
    {Kind::Int64, "int64"},
    {Kind::UInt8, "uint8"},
    {Kind::UInt16, "uint16"},
    {Kind::UInt32, "uint32"},
    {Kind::UInt64, "uint64"},
    {Kind::Float32, "float32"},
    {Kind::Float64, "float64"},
    {Kind::Complex64, "complex64"},
    {Kind::Complex128, "complex128"},
    {Kind::String, "string"},
    {Kind::File, "file"},
    {Kind::Duration, "duration"},
    {Kind::Size, "size"},
    {Kind::Handle, "handle"},
    {Kind::Enum, "enum"},
    {Kind::List, "list"},
    {Kind::Array, "array"},
    {Kind::Map, "map"},
    {Kind::Pair, "pair"},
    {Kind::Any, "any"},
}};

bool has_length(const ParameterType& type) {
  const bool may_have = type.kind == Kind::List || type.kind == Kind::String;
  return type.kind == Kind::Array || (may_have && type.length > 0);
}

/// What stands between the angle brackets; empty: no brackets.
std::string arguments_of(const ParameterType& type) {
  if (type.kind == Kind::Handle) {
    return type.name;
  }
  std::string text;
  for (const ParameterType& element : type.of) {
    text += text.empty() ? "" : ", ";
    text += to_string(element);
  }
  return has_length(type) ? text + (text.empty() ? "" : ", ") + std::to_string(type.length) : text;
}

[[noreturn]] void fail(std::string_view text) {
  throw Error(ErrorCode::InvalidData, quote_text(text) + " is not a parameter type");
}

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

/// Splits at the commas that are not within angle brackets.
std::vector<std::string_view> split_arguments(std::string_view text) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (text[i] == ',' && depth == 0) {
      pieces.push_back(without_blanks(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  pieces.push_back(without_blanks(text.substr(begin)));
  return pieces;
}

std::size_t parse_length(std::string_view text) {
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc{} || end != text.data() + text.size()) {
    fail(text);
  }
  return length;
}

/// How many types, and how many lengths at most and at least, stand between the brackets of a kind.
struct SequenceForm {
  std::size_t types;
  std::size_t fewest_lengths;
  std::size_t most_lengths;
};

SequenceForm shape_of(Kind kind) {
  switch (kind) {
    case Kind::List:
      return {1, 0, 1};
    case Kind::Array:
      return {1, 1, 1};
    case Kind::Map:
      return {1, 0, 0};
    case Kind::Pair:
      return {2, 0, 0};
    case Kind::String:
      return {0, 0, 1};
    default:
      return {0, 0, 0};
  }
}

ParameterType parse_nested(std::string_view text, std::size_t depth);

void parse_arguments(ParameterType& type, std::string_view text, std::size_t depth) {
  const std::vector<std::string_view> pieces = split_arguments(text);
  const SequenceForm shape = shape_of(type.kind);
  if (pieces.size() < shape.types + shape.fewest_lengths ||
      pieces.size() > shape.types + shape.most_lengths) {
    fail(text);
  }
  for (std::size_t i = 0; i < shape.types; ++i) {
    type.of.push_back(parse_nested(pieces[i], depth + 1));
  }
  type.length = pieces.size() > shape.types ? parse_length(pieces.back()) : 0;
}

ParameterType parse_nested(std::string_view text, std::size_t depth) {
  const std::size_t bracket = text.find('<');
  const std::string_view name = text.substr(0, bracket);
  const std::optional<Kind> kind = parse_parameter_kind(name);
  const bool closed = bracket == std::string_view::npos || text.ends_with('>');
  if (!kind || !closed || depth > kDeepest) {
    fail(text);
  }
  ParameterType type;
  type.kind = *kind;
  const bool needs_arguments = shape_of(type.kind).types > 0;
  if (bracket == std::string_view::npos && !needs_arguments) {
    return type;
  }
  const bool may_have_arguments = needs_arguments || shape_of(type.kind).most_lengths > 0;
  if (bracket == std::string_view::npos || (!may_have_arguments && type.kind != Kind::Handle)) {
    fail(text);
  }
  const std::string_view inner = text.substr(bracket + 1, text.size() - bracket - 2);
  if (type.kind == Kind::Handle) {
    type.name = std::string(inner);
  } else {
    parse_arguments(type, inner, depth);
  }
  return type;
}

}  // namespace

std::string_view to_string(ParameterType::Kind kind) {
  return std::find_if(kKindNames.begin(), kKindNames.end(),
                      [&](const KindName& entry) { return entry.kind == kind; })
      ->name;
}

std::optional<ParameterType::Kind> parse_parameter_kind(std::string_view name) {
  const auto* const entry =
      std::find_if(kKindNames.begin(), kKindNames.end(),
                   [&](const KindName& candidate) { return candidate.name == name; });
  return entry == kKindNames.end() ? std::nullopt : std::optional(entry->kind);
}

std::string flaw_of_elements(const ParameterType& type) {
  if (type.kind > Kind::Any) {
    return "its type is of a kind that there is not";
  }
  const std::size_t needed = shape_of(type.kind).types;
  if (type.of.size() != needed) {
    return "a " + std::string(to_string(type.kind)) + " type needs " + std::to_string(needed) +
           " element types";
  }
  for (const ParameterType& element : type.of) {
    if (std::string flaw = flaw_of_elements(element); !flaw.empty()) {
      return flaw;
    }
  }
  return {};
}

std::string to_string(const ParameterType& type) {
  const std::string arguments = arguments_of(type);
  const std::string name(to_string(type.kind));
  return arguments.empty() ? name : name + "<" + arguments + ">";
}

ParameterType parse_parameter_type(std::string_view text) {
  return parse_nested(without_blanks(text), 0);
}

}  // namespace gxr
