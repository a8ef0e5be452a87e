#include "registry/type_json.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "document/classic_locale.hpp"
#include "document/foreign_json.hpp"
#include "document/parameter_type.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/tensor.hpp"
#include "registry/capabilities.hpp"

namespace gxr {
namespace {

using ParsedJson = nlohmann::json;
using Json = nlohmann::ordered_json;
using Kind = ParameterType::Kind;

/// Changes when a reader of the older format would misunderstand the newer.
constexpr int kFormat = 1;

/// Before and behind the lines of the types; the number is kFormat.
constexpr std::string_view kHead = R"({"format":1,"types":[)";
constexpr std::string_view kTail = "\n]}";

// --- writing -----------------------------------------------------------------------------------

void put(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) {
    json[key] = text;
  }
}

void put(Json& json, const char* key, const std::optional<double>& number) {
  if (number) {
    json[key] = *number;
  }
}

void put(Json& json, const char* key, bool flag) {
  if (flag) {
    json[key] = true;
  }
}

void put(Json& json, const char* key, const std::vector<Choice>& choices) {
  for (const Choice& choice : choices) {
    Json entry{{"name", choice.name}};
    put(entry, "description", choice.description);
    json[key].push_back(std::move(entry));
  }
}

Json to_json(const ParameterType& type) {
  if (type.name.empty() && type.of.empty() && type.length == 0 && type.choices.empty()) {
    return to_string(type.kind);
  }
  Json json{{"kind", to_string(type.kind)}};
  put(json, "name", type.name);
  for (const ParameterType& element : type.of) {
    json["of"].push_back(to_json(element));
  }
  if (type.length != 0) {
    json["length"] = type.length;
  }
  put(json, "choices", type.choices);
  return json;
}

Json to_json(const ParameterInfo& parameter) {
  Json json{{"key", parameter.key}, {"type", to_json(parameter.type)}};
  put(json, "headline", parameter.headline);
  put(json, "description", parameter.description);
  put(json, "unit", parameter.unit);
  if (parameter.default_value) {
    json["default"] = *parameter.default_value;
  }
  put(json, "minimum", parameter.minimum);
  put(json, "maximum", parameter.maximum);
  put(json, "step", parameter.step);
  put(json, "choices", parameter.choices);
  put(json, "optional", parameter.optional);
  put(json, "dynamic", parameter.dynamic);
  return json;
}

Json to_json(const PartInfo& part) {
  Json json{{"type", part.type}};
  put(json, "name", part.name);
  put(json, "optional", part.optional);
  put(json, "alternative", part.alternative);
  if (!part.elements.empty()) {
    json["elements"] = part.elements;
  }
  if (part.rank) {
    json["rank"] = *part.rank;
  }
  if (!part.dimensions.empty()) {
    json["dimensions"] = part.dimensions;
  }
  if (!part.formats.empty()) {
    json["formats"] = part.formats;
  }
  return json;
}

Json to_json(const PortInfo& port) {
  Json json{{"key", port.key},
            {"direction", port.direction == PortInfo::Direction::Input ? "input" : "output"}};
  for (const PartInfo& part : port.parts) {
    json["parts"].push_back(to_json(part));
  }
  put(json, "other_parts", port.other_parts);
  return json;
}

Json to_json(const Capability& capability) {
  Json json{{"kind", to_string(capability.kind)}};
  if (!capability.parameters.empty()) {
    json["parameters"] = capability.parameters;
  }
  put(json, "value", capability.value);
  return json;
}

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  const std::string text(digits.data(), end);
  return std::string(16 - text.size(), '0') + text;
}

// --- reading -----------------------------------------------------------------------------------
// A key that is missing leaves its default; a value of the wrong JSON type throws.

/// The list of this key, or an empty one. Not a copy: copies of deeply nested JSON exhaust the
/// stack.
const ParsedJson& list(const ParsedJson& json, const char* key) {
  static const ParsedJson none = ParsedJson::array();
  const auto found = json.find(key);
  if (found == json.end()) {
    return none;
  }
  if (!found->is_array()) {
    throw Error(ErrorCode::InvalidData, quote_text(key) + " is no list");
  }
  return *found;
}

template <class T>
void get(const ParsedJson& json, const char* key, T& value) {
  if (const auto found = json.find(key); found != json.end()) {
    found->get_to(value);
  }
}

void get(const ParsedJson& json, const char* key, std::optional<double>& value) {
  if (const auto found = json.find(key); found != json.end()) {
    value = found->get<double>();
  }
}

void get(const ParsedJson& json, const char* key, std::optional<std::string>& value) {
  if (const auto found = json.find(key); found != json.end()) {
    value = found->get<std::string>();
  }
}

/// What users write and messages quote: a terminal must not take a part of it for a command.
const std::string& checked_name(const ParsedJson& json) {
  const auto& name = json.get_ref<const std::string&>();
  if (printable(name) != name) {
    throw Error(ErrorCode::InvalidData,
                "the name " + quote_text(name) + " has characters that no name has");
  }
  return name;
}

void get_name(const ParsedJson& json, const char* key, std::string& name) {
  name = checked_name(json.at(key));
}

void get(const ParsedJson& json, const char* key, std::vector<Choice>& choices) {
  for (const ParsedJson& entry : list(json, key)) {
    Choice& choice = choices.emplace_back();
    get_name(entry, "name", choice.name);
    get(entry, "description", choice.description);
  }
}

Kind kind_of(std::string_view name) {
  const std::optional<Kind> kind = parse_parameter_kind(name);
  if (!kind) {
    throw Error(ErrorCode::InvalidData, "unknown parameter kind " + quote_text(name));
  }
  return *kind;
}

/// Types nest as deep as C++ types do; a text from elsewhere must not exhaust the stack.
constexpr int kDeepestType = 64;
constexpr JsonLimits kLimits{.most_bytes = kMostBytesOfTypes, .deepest = kDeepestTypes};

ParameterType parameter_type(const ParsedJson& json, int depth = 0) {
  ParameterType type;
  if (json.is_string()) {
    type.kind = kind_of(json.get_ref<const std::string&>());
    return type;
  }
  if (depth == kDeepestType) {
    throw Error(ErrorCode::InvalidData, "a parameter type is nested too deeply");
  }
  type.kind = kind_of(json.at("kind").get_ref<const std::string&>());
  if (json.contains("name")) {
    get_name(json, "name", type.name);
  }
  get(json, "length", type.length);
  get(json, "choices", type.choices);
  for (const ParsedJson& element : list(json, "of")) {
    type.of.push_back(parameter_type(element, depth + 1));
  }
  return type;
}

/// Readers may rely on the elements that a kind needs.
void require_elements(const ParameterType& type) {
  if (const std::string flaw = flaw_of_elements(type); !flaw.empty()) {
    throw Error(ErrorCode::InvalidData, flaw);
  }
}

ParameterInfo parameter_info(const ParsedJson& json) {
  ParameterInfo parameter;
  get_name(json, "key", parameter.key);
  parameter.type = parameter_type(json.at("type"));
  require_elements(parameter.type);
  get(json, "headline", parameter.headline);
  get(json, "description", parameter.description);
  get(json, "unit", parameter.unit);
  get(json, "default", parameter.default_value);
  get(json, "minimum", parameter.minimum);
  get(json, "maximum", parameter.maximum);
  get(json, "step", parameter.step);
  get(json, "choices", parameter.choices);
  get(json, "optional", parameter.optional);
  get(json, "dynamic", parameter.dynamic);
  return parameter;
}

std::uint64_t from_hexadecimal(std::string_view text) {
  std::uint64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    throw Error(ErrorCode::InvalidData, quote_text(text) + " is not half a type id");
  }
  return number;
}

TypeId type_id(const std::string& text) {
  const std::string_view view(text);
  if (view.size() != 33 || view[16] != ':') {
    throw Error(ErrorCode::InvalidData, quote_text(text) + " is not a type id");
  }
  return {from_hexadecimal(view.substr(0, 16)), from_hexadecimal(view.substr(17))};
}

std::vector<std::string> names(const ParsedJson& json, const char* key) {
  std::vector<std::string> found;
  for (const ParsedJson& name : list(json, key)) {
    found.push_back(checked_name(name));
  }
  return found;
}

std::int64_t whole_number(const ParsedJson& json, std::int64_t least, std::int64_t greatest) {
  const bool fits = json.is_number_unsigned()
                        ? json.get<std::uint64_t>() <= static_cast<std::uint64_t>(greatest)
                        : json.is_number_integer() && json.get<std::int64_t>() >= least &&
                              json.get<std::int64_t>() <= greatest;
  if (!fits) {
    throw Error(ErrorCode::InvalidData, quote_text(json.dump()) + " is no whole number from " +
                                            std::to_string(least) + " to " +
                                            std::to_string(greatest));
  }
  return json.get<std::int64_t>();
}

PartInfo part_info(const ParsedJson& json) {
  PartInfo part;
  get_name(json, "type", part.type);
  if (json.contains("name")) {
    get_name(json, "name", part.name);
  }
  get(json, "optional", part.optional);
  get(json, "alternative", part.alternative);
  part.elements = names(json, "elements");
  if (json.contains("rank")) {
    part.rank = static_cast<std::uint32_t>(whole_number(json.at("rank"), 0, Shape::kMaxRank));
  }
  for (const ParsedJson& dimension : list(json, "dimensions")) {
    constexpr auto kGreatest = std::numeric_limits<std::int32_t>::max();
    part.dimensions.push_back(static_cast<std::int32_t>(whole_number(dimension, -1, kGreatest)));
  }
  part.formats = names(json, "formats");
  return part;
}

PortInfo port_info(const ParsedJson& json) {
  const auto& direction = json.at("direction").get_ref<const std::string&>();
  PortInfo port;
  get_name(json, "key", port.key);
  port.direction = direction == "output" ? PortInfo::Direction::Output : PortInfo::Direction::Input;
  for (const ParsedJson& part : list(json, "parts")) {
    port.parts.push_back(part_info(part));
  }
  get(json, "other_parts", port.other_parts);
  return port;
}

Capability capability(const ParsedJson& json) {
  const auto& name = json.at("kind").get_ref<const std::string&>();
  const std::optional<Capability::Kind> kind = parse_capability_kind(name);
  if (!kind) {
    throw Error(ErrorCode::InvalidData, "unknown capability " + quote_text(name));
  }
  Capability capability{*kind, names(json, "parameters"), {}};
  if (json.contains("value")) {
    get_name(json, "value", capability.value);
  }
  return capability;
}

/// Readers may rely on the parameters that a capability names.
void require_capabilities(const TypeInfo& type) {
  if (const std::string flaw = flaw_of_capabilities(type); !flaw.empty()) {
    throw Error(ErrorCode::InvalidData, "type " + quote_text(type.name) + ": " + flaw);
  }
}

TypeInfo type_info(const ParsedJson& json) {
  TypeInfo type;
  get_name(json, "name", type.name);
  type.id = type_id(json.at("id").get_ref<const std::string&>());
  for (const ParsedJson& alias : list(json, "aliases")) {
    type.aliases.push_back(checked_name(alias));
  }
  if (json.contains("base")) {
    get_name(json, "base", type.base);
  }
  get(json, "headline", type.headline);
  get(json, "description", type.description);
  get(json, "abstract", type.abstract);
  get(json, "component", type.component);
  get(json, "capturable", type.capturable);
  for (const ParsedJson& entry : list(json, "capabilities")) {
    type.capabilities.push_back(capability(entry));
  }
  for (const ParsedJson& parameter : list(json, "parameters")) {
    type.parameters.push_back(parameter_info(parameter));
  }
  for (const ParsedJson& port : list(json, "ports")) {
    type.ports.push_back(port_info(port));
  }
  require_capabilities(type);
  return type;
}

std::vector<TypeInfo> type_infos(const ParsedJson& json) {
  if (const int format = json.at("format").get<int>(); format != kFormat) {
    throw Error(ErrorCode::InvalidData, "it has format " + std::to_string(format));
  }
  std::vector<TypeInfo> types;
  for (const ParsedJson& type : json.at("types")) {
    types.push_back(type_info(type));
  }
  return types;
}

/// Returns the result of `read` for JSON from elsewhere.
template <class Read>
auto read_json(const ParsedJson& json, Read read) {
  const ClassicLocale locale;
  try {
    return read(json);
  } catch (const ParsedJson::exception& error) {
    // The text begins with the library's own number in brackets.
    const std::string_view reason(error.what());
    const std::size_t end = reason.find("] ");
    throw Error(ErrorCode::InvalidData,
                printable(end == std::string_view::npos ? reason : reason.substr(end + 2)));
  }
}

}  // namespace

nlohmann::ordered_json to_json(const TypeInfo& type) {
  Json json{{"name", type.name}};
  if (!type.aliases.empty()) {
    json["aliases"] = type.aliases;
  }
  put(json, "base", type.base);
  json["id"] = hexadecimal(type.id.hash1) + ":" + hexadecimal(type.id.hash2);
  put(json, "headline", type.headline);
  put(json, "description", type.description);
  put(json, "abstract", type.abstract);
  if (!type.component) {
    json["component"] = false;
  }
  put(json, "capturable", type.capturable);
  for (const Capability& capability : type.capabilities) {
    json["capabilities"].push_back(to_json(capability));
  }
  for (const ParameterInfo& parameter : type.parameters) {
    json["parameters"].push_back(to_json(parameter));
  }
  for (const PortInfo& port : type.ports) {
    json["ports"].push_back(to_json(port));
  }
  return json;
}

std::string types_to_json(const std::vector<TypeInfo>& types) {
  std::string text(kHead);
  const char* separator = "\n";
  for (const TypeInfo& type : types) {
    text += separator + to_json(type).dump(-1, ' ', false, ParsedJson::error_handler_t::replace);
    separator = ",\n";
  }
  return text.append(kTail);
}

std::vector<TypeInfo> types_from_json(std::string_view text) {
  const ClassicLocale locale;
  return types_from_parsed_json(ForeignJson(text, kLimits).json);
}

std::vector<TypeInfo> types_from_parsed_json(const nlohmann::json& json) {
  return read_json(json, type_infos);
}

std::vector<std::string_view> lines_of_types(std::string_view text) {
  std::vector<std::string_view> lines;
  if (!text.starts_with(kHead) || !text.ends_with(kTail)) {
    return lines;
  }
  text.remove_prefix(kHead.size());
  text.remove_suffix(kTail.size());
  while (!text.empty()) {
    if (text.front() != '\n') {
      return {};  // not written by gxr-declare: whoever reads it reads it as a whole
    }
    text.remove_prefix(1);
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size());
    line.remove_suffix(line.ends_with(',') ? 1 : 0);
    lines.push_back(line);
  }
  return lines;
}

TypeInfo type_from_json(std::string_view text) {
  const ClassicLocale locale;
  return read_json(ForeignJson(text, kLimits).json, type_info);
}

}  // namespace gxr
