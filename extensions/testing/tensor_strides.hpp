#pragma once

#include <cstddef>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Makes tensors of all ranks and element types per tick and fails when their strides are not
/// row-major, or do not follow a reordering of the dimensions.
class TestTensorStrides final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  void make(Tensor& tensor, const Shape& shape, ElementType type);

  Parameter<Handle<Allocator>> pool_;
  std::vector<std::byte> memory_;
};

}  // namespace gxr::testing
