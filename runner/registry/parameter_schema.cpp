#include "registry/parameter_schema.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "document/choice_words.hpp"
#include "document/document.hpp"
#include "document/parameter_type.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;
using Kind = ParameterType::Kind;

// --- numbers -----------------------------------------------------------------------------------

constexpr const char* kIntegerPattern = "^[+-]?(0[xX][0-9a-fA-F]+|[0-9]+)$";
constexpr const char* kFloatPattern =
    "^([+-]?(\\.inf|\\.Inf|\\.INF|([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?)|\\.nan|\\.NaN|\\."
    "NAN)$";
constexpr const char* kBoolPattern =
    "^([yY]|[nN]|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$";
constexpr const char* kComplexPattern = "^[^ijIJ]*[ijIJ]$";
/// A number and perhaps a unit: "50ms", "30 Hz", "4MB".
constexpr const char* kQuantityPattern = "^ *[+]?[0-9.][0-9.eE+-]* ?[A-Za-z]* *$";

bool is_integer(Kind kind) { return kind >= Kind::Int8 && kind <= Kind::UInt64; }

/// Least and greatest value of the kinds whose range editors can check exactly (they compute with
/// doubles).
struct Bounds {
  std::optional<double> minimum, maximum;
};

Bounds natural_range(Kind kind) {
  switch (kind) {
    case Kind::Int8:
      return {-0x1p7, 0x1p7 - 1};
    case Kind::Int16:
      return {-0x1p15, 0x1p15 - 1};
    case Kind::Int32:
      return {-0x1p31, 0x1p31 - 1};
    case Kind::UInt8:
      return {0.0, 0x1p8 - 1};
    case Kind::UInt16:
      return {0.0, 0x1p16 - 1};
    case Kind::UInt32:
      return {0.0, 0x1p32 - 1};
    case Kind::UInt64:
      return {0.0, std::nullopt};
    default:
      return {};
  }
}

Json number(double value) {
  constexpr double exact = 0x1p53;
  if (std::floor(value) == value && std::abs(value) <= exact) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Json number_schema(const ParameterInfo& parameter, Kind kind) {
  Bounds range = natural_range(kind);
  if (parameter.minimum) {
    range.minimum = std::max(*parameter.minimum, range.minimum.value_or(*parameter.minimum));
  }
  if (parameter.maximum) {
    range.maximum = std::min(*parameter.maximum, range.maximum.value_or(*parameter.maximum));
  }
  Json schema{{"type", {is_integer(kind) ? "integer" : "number", "string"}},
              {"pattern", is_integer(kind) ? kIntegerPattern : kFloatPattern}};
  if (range.minimum) {
    schema["minimum"] = number(*range.minimum);
  }
  if (range.maximum) {
    schema["maximum"] = number(*range.maximum);
  }
  return schema;
}

// --- choices -----------------------------------------------------------------------------------

std::optional<std::int64_t> integer_of(const std::string& text) {
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole && !text.empty() ? std::optional(value) : std::nullopt;
}

void add_choice(Json& schema, Json value, const std::string& description) {
  schema["enum"].push_back(std::move(value));
  schema["enumDescriptions"].push_back(description);
}

Json choices_schema(const std::vector<Choice>& choices, Kind kind) {
  Json schema = Json::object();
  for (const Choice& choice : choices) {
    if (is_number(kind)) {
      add_choice(schema, number(number_of(choice)), choice.description);
      if (const std::string_view word = word_of(choice); !word.empty()) {
        add_choice(schema, word, choice.description);
      }
      continue;
    }
    add_choice(schema, choice.name, choice.description);
    // YAML reads an unquoted 16 as a number, gxr as the text that it is.
    if (const std::optional<std::int64_t> integer = integer_of(choice.name)) {
      add_choice(schema, *integer, choice.description);
    }
  }
  const bool silent = std::all_of(choices.begin(), choices.end(),
                                  [](const Choice& c) { return c.description.empty(); });
  if (silent) {
    schema.erase("enumDescriptions");
  }
  return schema;
}

// --- all kinds ---------------------------------------------------------------------------------

Json scalar_schema(const ParameterInfo& parameter, const ParameterType& type) {
  if (!type.choices.empty()) {
    return choices_schema(type.choices, type.kind);
  }
  if (!parameter.choices.empty() && (is_number(type.kind) || type.kind == Kind::String)) {
    return choices_schema(parameter.choices, type.kind);
  }
  switch (type.kind) {
    case Kind::Bool:
      return {{"type", {"boolean", "string"}}, {"pattern", kBoolPattern}};
    case Kind::Complex64:
    case Kind::Complex128:
      return {{"type", "string"}, {"pattern", kComplexPattern}};
    case Kind::String:
    case Kind::File: {
      Json schema{{"type", {"string", "number", "boolean"}}};
      if (type.length > 0) {
        schema["maxLength"] = type.length;
      }
      return schema;
    }
    case Kind::Duration:
    case Kind::Size:
      return {{"type", {"string", "number"}}, {"pattern", kQuantityPattern}};
    case Kind::Handle:
      return {{"type", {"string", "number", "boolean"}}};
    case Kind::Any:
      return Json::object();
    default:
      return number_schema(parameter, type.kind);
  }
}

Json schema_of(const ParameterInfo& parameter, const ParameterType& type) {
  switch (type.kind) {
    case Kind::List: {
      Json schema{{"type", "array"}, {"items", schema_of(parameter, type.of[0])}};
      if (type.length > 0) {
        schema["maxItems"] = type.length;
      }
      return schema;
    }
    case Kind::Array:
      return {{"type", "array"},
              {"items", schema_of(parameter, type.of[0])},
              {"minItems", type.length},
              {"maxItems", type.length}};
    case Kind::Pair:
      return {{"type", "array"},
              {"items", {schema_of(parameter, type.of[0]), schema_of(parameter, type.of[1])}},
              {"minItems", 2},
              {"maxItems", 2}};
    case Kind::Map:
      return {{"type", "object"}, {"additionalProperties", schema_of(parameter, type.of[0])}};
    default:
      return scalar_schema(parameter, type);
  }
}

// --- defaults ----------------------------------------------------------------------------------

Json default_of(const Value& value, const ParameterType& type);

Json default_elements(const Value& value, const ParameterType& type) {
  Json list = Json::array();
  for (std::size_t i = 0; i < value.size(); ++i) {
    list.push_back(default_of(value.at(i), type.of[std::min(i, type.of.size() - 1)]));
  }
  return list;
}

Json default_entries(const Value& value, const ParameterType& type) {
  Json map = Json::object();
  for (std::size_t i = 0; i < value.size(); ++i) {
    map[std::string(value.key(i).text())] = default_of(value.value(i), type.of[0]);
  }
  return map;
}

/// Throws Error when the text does not fit the type.
Json default_of(const Value& value, const ParameterType& type) {
  switch (type.kind) {
    case Kind::Bool:
      return detail::parse_bool(value);
    case Kind::UInt64:
      return detail::parse_uint(value, std::numeric_limits<std::uint64_t>::max());
    case Kind::Float32:
    case Kind::Float64:
      return detail::parse_double(value);
    case Kind::List:
    case Kind::Array:
    case Kind::Pair:
      return default_elements(value, type);
    case Kind::Map:
      return default_entries(value, type);
    case Kind::Any:
      throw Error(ErrorCode::NotSupported, "a value of unknown form");
    default:
      break;
  }
  if (is_integer(type.kind)) {
    return detail::parse_int(value, std::numeric_limits<std::int64_t>::min(),
                             std::numeric_limits<std::int64_t>::max());
  }
  return std::string(value.text());
}

void add_default(Json& schema, const ParameterInfo& parameter) {
  if (!parameter.default_value) {
    return;
  }
  try {
    Document document;
    Json value = default_of(document.make_value(*parameter.default_value), parameter.type);
    if (value.is_number_float() && !std::isfinite(value.get<double>())) {
      return;  // JSON cannot write it
    }
    schema["default"] = std::move(value);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the description still shows its text
  }
}

// --- texts -------------------------------------------------------------------------------------

/// "uint64, in messages, default 1"
std::string facts(const ParameterInfo& parameter) {
  std::string text = to_string(parameter.type);
  if (!parameter.unit.empty()) {
    text += ", in " + parameter.unit;
  }
  if (parameter.default_value) {
    text += ", default " + (parameter.default_value->empty() ? "''" : *parameter.default_value);
  } else {
    text += parameter.optional ? ", optional" : ", mandatory";
  }
  return text + (parameter.dynamic ? ", changeable while running" : "");
}

std::string description(const ParameterInfo& parameter) {
  std::string text = parameter.headline;
  for (const std::string& part : {parameter.description, facts(parameter)}) {
    if (!part.empty()) {
      text += (text.empty() ? "" : "\n\n") + part;
    }
  }
  return text;
}

}  // namespace

Json value_schema(const ParameterInfo& parameter) { return schema_of(parameter, parameter.type); }

Json parameter_schema(const ParameterInfo& parameter) {
  Json schema{{"description", description(parameter)}};
  add_default(schema, parameter);
  schema.update(value_schema(parameter));
  return schema;
}

}  // namespace gxr
