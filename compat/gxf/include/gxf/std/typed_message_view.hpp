#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "gxf/core/entity.hpp"

namespace nvidia {
namespace gxf {

/// Messages that have a part of each of these types, with the given names.
template <typename... Ts>
class TypedMessageView {
 public:
  template <typename... Names>
  explicit TypedMessageView(Names... names) : names_{names...} {
    static_assert(sizeof...(Names) == sizeof...(Ts), "one name is needed for each type");
  }

  /// Adds the parts.
  Expected<void> add_to_entity(Entity& entity) const {
    return add(entity, std::index_sequence_for<Ts...>());
  }
  /// Are all parts there?
  Expected<void> check_entity(Entity& entity) const {
    return check(entity, std::index_sequence_for<Ts...>());
  }

 private:
  template <std::size_t... I>
  Expected<void> add(Entity& entity, std::index_sequence<I...>) const {
    gxf_result_t code = GXF_SUCCESS;
    static_cast<void>(
        (((code = ToResultCode(entity.template add<Ts>(names_[I]))) == GXF_SUCCESS) && ...));
    return ExpectedOrCode(code);
  }
  template <std::size_t... I>
  Expected<void> check(Entity& entity, std::index_sequence<I...>) const {
    gxf_result_t code = GXF_SUCCESS;
    static_cast<void>(
        (((code = ToResultCode(entity.template get<Ts>(names_[I]))) == GXF_SUCCESS) && ...));
    return ExpectedOrCode(code);
  }

  std::array<const char*, sizeof...(Ts)> names_;
};

}  // namespace gxf
}  // namespace nvidia
