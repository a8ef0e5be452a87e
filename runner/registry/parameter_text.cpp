#include "registry/parameter_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;

std::string number_text(double number) {
  const auto whole = static_cast<std::int64_t>(std::clamp(number, -9e15, 9e15));
  return static_cast<double>(whole) == number ? std::to_string(whole) : Json(number).dump();
}

std::string range_text(const ParameterInfo& parameter) {
  if (parameter.minimum && parameter.maximum) {
    return "from " + bound_text(parameter, *parameter.minimum) + " to " +
           bound_text(parameter, *parameter.maximum);
  }
  if (parameter.minimum) {
    return "at least " + bound_text(parameter, *parameter.minimum);
  }
  return parameter.maximum ? "at most " + bound_text(parameter, *parameter.maximum) : "";
}

std::int64_t whole_number(const std::string& digits) {
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::string need_text(const ParameterInfo& parameter) {
  if (parameter.default_value && parameter.type.kind == ParameterType::Kind::Duration) {
    return "default " + exact_duration(whole_number(*parameter.default_value));
  }
  if (parameter.default_value) {
    return "default " + (parameter.default_value->empty() ? "''" : *parameter.default_value);
  }
  return parameter.optional ? "optional" : "mandatory";
}

}  // namespace

std::string exact_duration(std::int64_t nanoseconds) {
  constexpr std::pair<std::int64_t, const char*> kUnits[] = {
      {1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}};
  for (const auto& [factor, unit] : kUnits) {
    if (nanoseconds != 0 && nanoseconds % factor == 0) {
      return std::to_string(nanoseconds / factor) + unit;
    }
  }
  return std::to_string(nanoseconds) + "ns";
}

std::string bound_text(const ParameterInfo& parameter, double bound) {
  const ParameterType* type = &parameter.type;
  while (!type->of.empty()) {
    type = &type->of.back();
  }
  switch (type->kind) {
    case ParameterType::Kind::Duration:
      return exact_duration(static_cast<std::int64_t>(bound));
    case ParameterType::Kind::Size:
      return number_text(bound) + "B";
    default:
      return number_text(bound);
  }
}

std::string facts_of(const ParameterInfo& parameter) {
  std::vector<std::string> parts{to_string(parameter.type), need_text(parameter),
                                 range_text(parameter)};
  if (parameter.step) {
    parts.push_back("in steps of " + number_text(*parameter.step));
  }
  if (!parameter.unit.empty()) {
    parts.push_back("in " + parameter.unit);
  }
  if (parameter.dynamic) {
    parts.emplace_back("changeable while running");
  }
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() || part.empty() ? "" : ", ") + part;
  }
  return text;
}

}  // namespace gxr
