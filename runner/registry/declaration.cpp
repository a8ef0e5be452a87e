#include "registry/declaration.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "document/document.hpp"
#include "document/form_rules.hpp"
#include "document/parameter_type.hpp"
#include "document/scalar_rules.hpp"
#include "gxr/codelet.hpp"
#include "gxr/component.hpp"
#include "gxr/error.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/parameter.hpp"
#include "gxr/plain_text.hpp"
#include "gxr/tensor.hpp"
#include "gxr/type_name.hpp"
#include "observe/call_site.hpp"
#include "observe/exception_text.hpp"
#include "registry/capabilities.hpp"
#include "registry/no_application.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

// --- making the interfaces ---------------------------------------------------------------------

/// What contradicts the type's base classes; empty: nothing.
std::string declare(RegisteredType& type) {
  NoApplication context(
      "constructor and declare must not log or use the application: there is none yet");
  const std::string none;
  const CallSite constructing{"constructor", {}, {}, type.info.name};
  const CallScope scope(constructing);
  const std::unique_ptr<Component> component(type.create());
  EngineAccess::attach(*component, {&context, &none, &none, &type.info.name, 0, 0});
  type.info.capturable = dynamic_cast<const Codelet*>(component.get()) != nullptr &&
                         dynamic_cast<const GraphOperator*>(component.get()) != nullptr;
  const CallSite declaring{"declare", {}, {}, type.info.name};
  const CallScope inner_scope(declaring);
  Interface interface = EngineAccess::make_interface(type.info);
  component->declare(interface);
  add_found_capabilities(*component, type.info);
  return flaw_of_capabilities(type.info, *component);
}

void drop_infinite(std::optional<double>& bound) {
  if (bound && std::isinf(*bound)) {
    bound.reset();  // no bound at all, and JSON has no infinity
  }
}

// --- checking them -----------------------------------------------------------------------------

using Problems = std::vector<std::string>;

std::string quoted_name(std::string_view text) { return "'" + std::string(text) + "'"; }

bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == ':'; }

void check_name(const TypeInfo& type, std::string_view name, Problems& problems) {
  const std::string what = "type " + quoted_name(name);
  if (name.empty()) {
    problems.push_back("type " + quoted_name(type.name) + " has an empty name or alias");
  } else if (name.find("{anonymous}") != std::string_view::npos ||
             name.find("(anonymous") != std::string_view::npos) {
    problems.push_back(
        what + " is in an unnamed namespace, so YAML cannot name it: move it into a named one");
  } else if (type.component && name.find('<') != std::string_view::npos) {
    problems.push_back(
        what + " is a template, so it has no stable name: derive a class with a name from it");
  } else if (type.component && !std::all_of(name.begin(), name.end(), is_name_character)) {
    problems.push_back(what + " has a name that is not a C++ name at namespace scope");
  }
}

void check_names(const std::vector<TypeInfo>& types, Problems& problems) {
  std::set<std::string_view> seen;
  for (const TypeInfo& type : types) {
    std::vector<std::string_view> names{type.name};
    names.insert(names.end(), type.aliases.begin(), type.aliases.end());
    for (const std::string_view name : names) {
      check_name(type, name, problems);
      if (!seen.insert(name).second) {
        problems.push_back("the name " + quoted_name(name) +
                           " is given twice, as type or as alias");
      }
    }
  }
}

/// Throws Error when a default, or an element of it, breaks what the parameter says of its values.
void check_default(const ParameterInfo& parameter, const ParameterType& type, const Value& value) {
  using Kind = ParameterType::Kind;
  if (type.kind == Kind::List || type.kind == Kind::Array || type.kind == Kind::Pair) {
    const Lengths lengths = lengths_of(type);
    detail::require_list(value, lengths.least, lengths.most);
    for (std::size_t i = 0; i < value.size(); ++i) {
      check_default(parameter, type.of[type.kind == Kind::Pair ? i : 0], value.at(i));
    }
    return;
  }
  if (type.kind == Kind::Map) {
    detail::require_map(value);
    for (std::size_t i = 0; i < value.size(); ++i) {
      check_default(parameter, type.of[0], value.value(i));
    }
    return;
  }
  const std::optional<double> number = read_scalar(value, type, parameter);
  if (number && !in_range(parameter, *number)) {
    throw Error(ErrorCode::OutOfRange, "lies outside its range");
  }
  const std::vector<Choice>& choices = type.kind == Kind::Enum ? type.choices : parameter.choices;
  const bool scalar =
      (number && !is_quantity(type)) || type.kind == Kind::String || type.kind == Kind::Enum;
  if (scalar && !choices.empty() && std::ranges::none_of(choices, [&](const Choice& choice) {
        return is_choice(choice, value, number);
      })) {
    throw Error(ErrorCode::OutOfRange, "is not among its choices");
  }
}

void check_default(const TypeInfo& type, const ParameterInfo& parameter, Problems& problems) {
  if (!parameter.default_value) {
    return;
  }
  try {
    Document document;
    check_default(parameter, parameter.type, document.make_value(*parameter.default_value));
  } catch (const Error& error) {
    problems.push_back("parameter " + quoted_name(parameter.key) + " of " + quoted_name(type.name) +
                       ": its default '" + *parameter.default_value + "' " + error.message());
  }
}

bool is_key(std::string_view key) {
  return !key.empty() && std::none_of(key.begin(), key.end(), [](char c) {
    return c == '/' || c == '=' || static_cast<unsigned char>(c) <= ' ';
  });
}

void check_parameter(const TypeInfo& type, const ParameterInfo& parameter, Problems& problems) {
  const std::string what =
      "parameter " + quoted_name(parameter.key) + " of " + quoted_name(type.name);
  if (!is_key(parameter.key)) {
    problems.push_back(what + ": a key is not empty and holds no blank, '/' or '='");
  }
  const double minimum = parameter.minimum.value_or(0.0);
  const double maximum = parameter.maximum.value_or(minimum);
  if (std::isnan(minimum) || std::isnan(maximum) || (parameter.minimum && minimum > maximum)) {
    problems.push_back(what + ": its range is empty");
  }
  if (const std::string flaw = flaw_of_elements(parameter.type); !flaw.empty()) {
    problems.push_back(what + ": " + flaw);
  } else {
    check_default(type, parameter, problems);
  }
}

bool has_whole_types(const TypeInfo& type) {
  return std::ranges::all_of(type.parameters, [](const ParameterInfo& parameter) {
    return flaw_of_elements(parameter.type).empty();
  });
}

void check_parameters(const TypeInfo& type, Problems& problems) {
  std::set<std::string_view> keys;
  for (const ParameterInfo& parameter : type.parameters) {
    check_parameter(type, parameter, problems);
    if (!keys.insert(parameter.key).second) {
      problems.push_back("parameter " + quoted_name(parameter.key) + " of " +
                         quoted_name(type.name) + " is declared twice");
    }
  }
}

void check_part(const TypeInfo& type, const PortInfo& port, const PartInfo& part,
                Problems& problems) {
  const std::string what = "port " + quoted_name(port.key) + " of " + quoted_name(type.name) +
                           ", part " + quoted_name(part.type) + ": ";
  const bool is_tensor = part.type == type_name<Tensor>();
  if (!is_tensor && (!part.elements.empty() || part.rank || !part.dimensions.empty())) {
    problems.push_back(what + "only a tensor has elements and dimensions");
  }
  if (is_tensor && !part.formats.empty()) {
    problems.push_back(what + "a tensor has no format of a picture");
  }
  if (part.rank.value_or(0) > Shape::kMaxRank) {
    problems.push_back(what + "a tensor has at most " + std::to_string(Shape::kMaxRank) +
                       " dimensions");
  }
  if (!part.dimensions.empty() && part.rank != part.dimensions.size()) {
    problems.push_back(what + "rank and dimensions contradict each other");
  }
}

void check_ports(const TypeInfo& type, Problems& problems) {
  for (const PortInfo& port : type.ports) {
    if (std::ranges::find(type.parameters, port.key, &ParameterInfo::key) ==
        type.parameters.end()) {
      problems.push_back("port " + quoted_name(port.key) + " of " + quoted_name(type.name) +
                         ": the type declares no parameter of this key");
    }
    if (port.other_parts && port.direction == PortInfo::Direction::Input) {
      problems.push_back("port " + quoted_name(port.key) + " of " + quoted_name(type.name) +
                         ": only an output declares other parts");
    }
    for (const PartInfo& part : port.parts) {
      check_part(type, port, part, problems);
    }
  }
}

/// Is it a handle to this type, or does it hold any?
bool names_type(const ParameterType& parameter, std::string_view type) {
  return (parameter.kind == ParameterType::Kind::Handle && parameter.name == type) ||
         std::ranges::any_of(
             parameter.of, [&](const ParameterType& element) { return names_type(element, type); });
}

}  // namespace

std::vector<std::string> declare_interfaces(std::vector<RegisteredType>& types) {
  Problems problems;
  for (RegisteredType& type : types) {
    if (type.create == nullptr) {
      continue;
    }
    try {
      if (const std::string flaw = declare(type); !flaw.empty()) {
        problems.push_back("type " + quoted_name(type.info.name) + ": " + flaw);
      }
    } catch (const std::exception& error) {
      problems.push_back("constructor or declare of " + quoted_name(type.info.name) +
                         " failed: " + exception_text(error));
    } catch (...) {
      problems.push_back("constructor or declare of " + quoted_name(type.info.name) +
                         " threw something that is not a std::exception");
    }
    for (ParameterInfo& parameter : type.info.parameters) {
      drop_infinite(parameter.minimum);
      drop_infinite(parameter.maximum);
    }
  }
  return problems;
}

std::vector<std::string> check_declarations(const std::vector<TypeInfo>& types) {
  Problems problems;
  check_names(types, problems);
  for (const TypeInfo& type : types) {
    check_parameters(type, problems);
    check_ports(type, problems);
    if (!has_whole_types(type)) {
      continue;  // was reported
    }
    if (const std::string flaw = flaw_of_capabilities(type); !flaw.empty()) {
      problems.push_back("type " + quoted_name(type.name) + ": " + flaw);
    }
  }
  return problems;
}

std::vector<std::string> suspicious_declarations(const std::vector<TypeInfo>& types) {
  Problems problems;
  for (const TypeInfo& type : types) {
    const bool is_used = std::ranges::any_of(types, [&](const TypeInfo& other) {
      return other.base == type.name ||
             std::ranges::any_of(other.parameters, [&](const ParameterInfo& parameter) {
               return names_type(parameter.type, type.name);
             });
    });
    if (type.why_abstract && !is_used) {
      problems.push_back("no application can use the codelet " + quoted_name(type.name) +
                         ", which is abstract" +
                         (type.why_abstract->empty() ? "" : ": " + *type.why_abstract) +
                         " (a base for types elsewhere is registered by add_base())");
    }
  }
  return problems;
}

}  // namespace gxr
