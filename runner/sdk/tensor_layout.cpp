// Other views of a tensor's elements: reshape, permute, insert_dimension.

#include <algorithm>
#include <string>

#include "gxr/error.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
namespace {

using Extents = std::array<std::int32_t, Shape::kMaxRank>;

[[noreturn]] void throw_bad_order(const Shape& shape) {
  throw Error(ErrorCode::InvalidArgument,
              "permute: the order must name each of the " + std::to_string(shape.rank()) +
                  " dimensions of shape " + shape.to_string() + " once, counted from 0");
}

void require_permutation(const Shape& shape, std::initializer_list<std::uint32_t> order) {
  if (order.size() != shape.rank()) {
    throw_bad_order(shape);
  }
  std::uint32_t seen = 0;
  for (const std::uint32_t index : order) {
    if (index >= shape.rank() || (seen >> index & 1U) != 0) {
      throw_bad_order(shape);
    }
    seen |= 1U << index;
  }
}

}  // namespace

void Tensor::reshape(const Shape& shape) {
  if (shape.element_count() != element_count()) {
    throw Error(ErrorCode::InvalidArgument,
                "reshape: " + shape.to_string() + " has " + std::to_string(shape.element_count()) +
                    " elements, the tensor of shape " + shape_.to_string() + " has " +
                    std::to_string(element_count()));
  }
  if (!is_contiguous()) {
    throw Error(ErrorCode::InvalidArgument, "reshape: the tensor of shape " + shape_.to_string() +
                                                " has gaps or permuted dimensions");
  }
  shape_ = shape;
  strides_ = contiguous_strides(shape_, bytes_per_element_);
}

void Tensor::permute(std::initializer_list<std::uint32_t> order) {
  require_permutation(shape_, order);
  Extents extents{};
  Strides strides{};
  std::size_t i = 0;
  for (const std::uint32_t from : order) {
    extents[i] = shape_.dimension(from);
    strides[i] = strides_[from];
    ++i;
  }
  shape_ = Shape(extents.data(), rank());
  strides_ = strides;
}

void Tensor::insert_dimension(std::uint32_t index) {
  if (index > rank() || rank() == Shape::kMaxRank) {
    throw Error(ErrorCode::InvalidArgument, "insert_dimension: no dimension can be inserted at " +
                                                std::to_string(index) + " into shape " +
                                                shape_.to_string());
  }
  Extents extents{};
  for (std::uint32_t i = 0; i < rank(); ++i) {
    extents[i] = shape_.dimension(i);
  }
  // The stride of an extent of 1 is never used; this one makes the strides of packed tensors
  // packed.
  const std::uint64_t stride = index < rank()
                                   ? strides_[index] * static_cast<std::uint64_t>(extents[index])
                                   : bytes_per_element_;
  std::copy_backward(extents.begin() + index, extents.begin() + rank(),
                     extents.begin() + rank() + 1);
  std::copy_backward(strides_.begin() + index, strides_.begin() + rank(),
                     strides_.begin() + rank() + 1);
  extents[index] = 1;
  strides_[index] = stride;
  shape_ = Shape(extents.data(), rank() + 1);
}

}  // namespace gxr
