#pragma once

#include <algorithm>
#include <string_view>

#include "gxr/type_info.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Calls `use(handle, type)` for each handle in the value of a parameter of this type; `type` is
/// the base type that the handle asks for. Other texts are passed over.
template <class Use>
void each_handle(const Value& value, const ParameterType& type, const Use& use) {
  using Kind = ParameterType::Kind;
  switch (type.kind) {
    case Kind::Handle:
      if (value.is_scalar()) {
        use(value, type.name);
      }
      return;
    case Kind::List:
    case Kind::Array:
      for (std::size_t i = 0; value.is_sequence() && i < value.size(); ++i) {
        each_handle(value.at(i), type.of.front(), use);
      }
      return;
    case Kind::Map:
      for (std::size_t i = 0; value.is_map() && i < value.size(); ++i) {
        each_handle(value.value(i), type.of.front(), use);
      }
      return;
    case Kind::Pair:
      for (std::size_t i = 0; value.is_sequence() && i < value.size() && i < type.of.size(); ++i) {
        each_handle(value.at(i), type.of[i], use);
      }
      return;
    default:
      return;
  }
}

/// The same for the parameter `key` of a component type, if it has one.
template <class Use>
void each_handle(const Value& value, const TypeInfo& type, std::string_view key, const Use& use) {
  const auto info = std::ranges::find(type.parameters, key, &ParameterInfo::key);
  if (info != type.parameters.end()) {
    each_handle(value, info->type, use);
  }
}

/// The same for all entries of `parameters`, a map.
template <class Use>
void each_handle_in(const Value& parameters, const TypeInfo& type, const Use& use) {
  for (std::size_t i = 0; parameters.is_map() && i < parameters.size(); ++i) {
    if (parameters.key(i).is_scalar()) {
      each_handle(parameters.value(i), type, parameters.key(i).text(), use);
    }
  }
}

}  // namespace gxr
