#include <algorithm>
#include <limits>

#include "gxr/error.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
namespace {

void require_dimensions(const std::int32_t* dimensions, std::size_t rank) {
  if (rank > Shape::kMaxRank) {
    throw Error(ErrorCode::InvalidArgument,
                "a shape has at most 8 dimensions, not " + std::to_string(rank));
  }
  // Zero counts as one here, so that strides of empty tensors do not overflow either.
  std::int64_t product = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    if (dimensions[i] < 0) {
      throw Error(ErrorCode::InvalidArgument,
                  "dimension " + std::to_string(i) +
                      " of the shape is negative: " + std::to_string(dimensions[i]));
    }
    const std::int64_t extent = std::max<std::int64_t>(dimensions[i], 1);
    if (__builtin_mul_overflow(product, extent, &product)) {
      throw Error(ErrorCode::InvalidArgument, "the shape has more than 2^63 elements");
    }
  }
}

}  // namespace

Shape::Shape(std::initializer_list<std::int32_t> dimensions)
    : Shape(dimensions.begin(), dimensions.size()) {}

Shape::Shape(const std::int32_t* dimensions, std::size_t rank) {
  require_dimensions(dimensions, rank);
  rank_ = static_cast<std::uint32_t>(rank);
  std::copy_n(dimensions, rank, dimensions_.begin());
}

std::uint64_t Shape::element_count() const noexcept {
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < rank_; ++i) {
    count *= static_cast<std::uint64_t>(dimensions_[i]);
  }
  return count;
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (std::uint32_t i = 0; i < rank_; ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(dimensions_[i]);
  }
  return text + "]";
}

Strides contiguous_strides(const Shape& shape, std::uint64_t bytes_per_element) noexcept {
  Strides strides{};
  std::uint64_t stride = bytes_per_element;
  for (std::uint32_t i = shape.rank(); i-- > 0;) {
    strides[i] = stride;
    stride *= static_cast<std::uint64_t>(shape.dimension(i));
  }
  return strides;
}

}  // namespace gxr
