// Strides of tensors.

#include "gxf/std/tensor.hpp"

namespace nvidia::gxf {
namespace {

uint64_t round_up(uint64_t value, uint64_t step) {
  return step == 0 ? value : (value + step - 1) / step * step;
}

}  // namespace

Tensor::stride_array_t ComputeStrides(const Shape& shape,
                                      const Tensor::stride_array_t& stride_steps) {
  Tensor::stride_array_t strides{};
  uint64_t bytes = 1;
  for (uint32_t i = shape.rank(); i-- > 0;) {
    strides[i] = round_up(bytes, stride_steps[i]);
    bytes = strides[i] * static_cast<uint64_t>(shape.dimension(i));
  }
  return strides;
}

Tensor::stride_array_t ComputeTrivialStrides(const Shape& shape, uint32_t bytes_per_element) {
  Tensor::stride_array_t steps{};
  if (shape.rank() > 0) {
    steps[shape.rank() - 1] = bytes_per_element;
  }
  return ComputeStrides(shape, steps);
}

Expected<Tensor::stride_array_t> ComputeRowStrides(const Shape& shape, uint32_t row_step,
                                                   uint32_t bytes_per_element) {
  if (shape.rank() < 3) {
    return Unexpected{GXF_ARGUMENT_INVALID};
  }
  Tensor::stride_array_t steps{};
  steps[shape.rank() - 1] = bytes_per_element;
  steps[shape.rank() - 3] = row_step;
  return ComputeStrides(shape, steps);
}

}  // namespace nvidia::gxf
