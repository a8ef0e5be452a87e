#pragma once

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Makes tensors of all ranks and element types per tick and fails when their strides are not
/// row-major, or do not follow a reordering of the dimensions.
class TestTensorStrides final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<Handle<Allocator>> pool_;
};

}  // namespace gxr::testing
