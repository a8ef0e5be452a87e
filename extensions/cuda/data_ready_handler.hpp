#pragma once

#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// Says that the operator of its entity looks for input of another one, on the GPU. It does nothing
/// itself: the planner reads it.
class DataReadyHandler final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<Handle<gxr::Codelet>> source_;
};

}  // namespace gxr::cuda
