#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.hpp"
#include "gxr/parameter.hpp"

namespace gxr {

/// The value of a parameter as the component will see it: assigned, else the default of its type.
/// Nothing when the component has no such parameter or the value is invalid.
std::optional<std::uint64_t> unsigned_parameter(const GraphComponent& component,
                                                std::string_view key);
std::optional<std::int64_t> integer_parameter(const GraphComponent& component,
                                              std::string_view key);
std::optional<bool> bool_parameter(const GraphComponent& component, std::string_view key);
/// Of a duration, in nanoseconds.
std::optional<std::int64_t> duration_parameter(const GraphComponent& component,
                                               std::string_view key);
/// Of a text; an empty text is a value, too.
std::optional<std::string> text_parameter(const GraphComponent& component, std::string_view key);
/// The assigned value, or the YAML text of the default; "" when there is neither.
std::string_view parameter_text(const GraphComponent& component, std::string_view key);

/// Messages that each stage of a plain queue can hold; nothing for other queues.
std::optional<std::uint64_t> capacity_of(const GraphComponent& queue);

/// Is a message for which a plain queue has no room a fault?
bool fails_when_full(const GraphComponent& queue);

/// The value of an enumeration; E{} when it is none, which was reported.
template <class E>
E enum_parameter(const GraphComponent& component, std::string_view key) {
  const std::string_view text = parameter_text(component, key);
  for (const auto& [value, name] : EnumNames<E>::values) {
    if (text == name) {
      return value;
    }
  }
  return E{};
}

}  // namespace gxr
