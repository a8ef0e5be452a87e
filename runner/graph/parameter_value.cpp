#include "graph/parameter_value.hpp"

#include <algorithm>
#include <limits>

#include "document/document.hpp"
#include "document/no_handles.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"
#include "gxr/queue.hpp"

namespace gxr {
namespace {

/// The YAML text of the default; nullptr: there is none.
const std::string* default_of(const GraphComponent& component, std::string_view key) {
  if (component.type == nullptr) {
    return nullptr;
  }
  const auto info = std::ranges::find(component.type->parameters, key, &ParameterInfo::key);
  return info == component.type->parameters.end() || !info->default_value ? nullptr
                                                                          : &*info->default_value;
}

template <class Parse>
auto read(const GraphComponent& component, std::string_view key, Parse parse)
    -> std::optional<decltype(parse(Value{}))> {
  const ParameterAssignment* assignment = component.find(key);
  try {
    if (assignment != nullptr) {
      return parse(*assignment->value);
    }
    const std::string_view text = parameter_text(component, key);
    return text.empty()
               ? std::nullopt
               : std::optional(parse(Value::make_scalar(ValueKind::Scalar, text, false, {})));
  } catch (const Error&) {
    return std::nullopt;  // reported when parameters were checked
  }
}

}  // namespace

std::optional<std::uint64_t> unsigned_parameter(const GraphComponent& component,
                                                std::string_view key) {
  return read(component, key, [](const Value& value) {
    return detail::parse_uint(value, std::numeric_limits<std::uint64_t>::max());
  });
}

std::optional<std::int64_t> integer_parameter(const GraphComponent& component,
                                              std::string_view key) {
  return read(component, key, [](const Value& value) {
    return detail::parse_int(value, std::numeric_limits<std::int64_t>::min(),
                             std::numeric_limits<std::int64_t>::max());
  });
}

std::optional<std::int64_t> duration_parameter(const GraphComponent& component,
                                               std::string_view key) {
  return read(component, key, [](const Value& value) {
    return detail::parse_duration(value, NoHandles()).nanoseconds;
  });
}

std::optional<bool> bool_parameter(const GraphComponent& component, std::string_view key) {
  return read(component, key, [](const Value& value) { return detail::parse_bool(value); });
}

std::optional<std::uint64_t> capacity_of(const GraphComponent& queue) {
  const Capability* const plain = queue.capability(Capability::Kind::PlainQueue);
  return plain == nullptr ? std::nullopt : unsigned_parameter(queue, plain->key(0));
}

bool fails_when_full(const GraphComponent& queue) {
  const Capability* const plain = queue.capability(Capability::Kind::PlainQueue);
  return plain != nullptr && unsigned_parameter(queue, plain->key(1)) ==
                                 static_cast<std::uint64_t>(OverflowPolicy::Fault);
}

std::optional<std::string> text_parameter(const GraphComponent& component, std::string_view key) {
  if (const ParameterAssignment* assignment = component.find(key)) {
    return assignment->value->is_scalar() ? std::optional(std::string(assignment->value->text()))
                                          : std::nullopt;
  }
  const std::string* const yaml = default_of(component, key);
  if (yaml == nullptr) {
    return std::nullopt;
  }
  try {
    Document document;
    return std::string(document.make_value(*yaml).text());
  } catch (const Error&) {
    return std::nullopt;  // gxr-declare refuses it
  }
}

std::string_view parameter_text(const GraphComponent& component, std::string_view key) {
  if (const ParameterAssignment* assignment = component.find(key)) {
    return assignment->value->text();
  }
  const std::string* const yaml = default_of(component, key);
  return yaml == nullptr ? std::string_view{} : *yaml;
}

}  // namespace gxr
