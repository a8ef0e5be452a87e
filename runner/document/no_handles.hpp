#pragma once

#include "gxr/error.hpp"
#include "gxr/parameter.hpp"

namespace gxr {

/// For values that name no component: scalars, durations, tensors.
class NoHandles final : public ParameterContext {
 public:
  /// `declaration` is that of the parameter, if there is one.
  explicit NoHandles(const ParameterInfo* declaration = nullptr) { set_declaration(declaration); }
  Component* resolve(const Value& /*value*/) override {
    throw Error(ErrorCode::NotFound, "this value names no component");
  }
};

}  // namespace gxr
