#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "common/type_name.hpp"
#include "gxf/core/component.hpp"
#include "gxr/component.hpp"

namespace nvidia::gxf::layer {

/// A facade and the name of its type for sources; null: no facade.
using MadeFacade = std::pair<std::unique_ptr<Component>, const char*>;

/// A facade under the name of `Type`, if the component is a `Native`.
template <class Facade, class Native, class Type = Facade>
bool try_facade(gxr::Component& component, MadeFacade& made) {
  auto* const native = dynamic_cast<Native*>(&component);
  if (native == nullptr) {
    return false;
  }
  if constexpr (std::is_constructible_v<Facade, Native&>) {
    made = {std::make_unique<Facade>(*native), TypenameAsString<Type>()};
  } else {
    made = {std::make_unique<Facade>(), TypenameAsString<Type>()};
  }
  return true;
}

/// Facades of gxr's extension `cuda`; null for other components.
MadeFacade make_cuda_facade(gxr::Component& component);
/// Facades of serializers, endpoints, connections and the like; null for other components.
MadeFacade make_graph_facade(gxr::Component& component);

}  // namespace nvidia::gxf::layer
