#include "tensor_strides.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gxr::testing {
namespace {

/// Extents from 2 on, so that every dimension has another one; at most 5 elements of rank 1.
Shape shape_of_rank(std::uint32_t rank) {
  std::int32_t dimensions[Shape::kMaxRank];
  for (std::uint32_t i = 0; i < rank; ++i) {
    dimensions[i] = static_cast<std::int32_t>(2 + i % 3);
  }
  return {dimensions, rank};
}

void require_stride(const Tensor& tensor, std::uint32_t dimension, std::uint64_t expected) {
  if (tensor.stride(dimension) != expected) {
    throw Error(ErrorCode::InvalidData, "stride " + std::to_string(dimension) + " of " +
                                            tensor.shape().to_string() + " is " +
                                            std::to_string(tensor.stride(dimension)) +
                                            ", expected " + std::to_string(expected));
  }
}

void require_row_major(const Tensor& tensor) {
  std::uint64_t expected = tensor.bytes_per_element();
  for (std::uint32_t i = tensor.rank(); i-- > 0;) {
    require_stride(tensor, i, expected);
    expected *= static_cast<std::uint64_t>(tensor.shape().dimension(i));
  }
  require_stride(tensor, tensor.rank(), 0);
  if (expected != tensor.size() || !tensor.is_contiguous()) {
    throw Error(ErrorCode::InvalidData, tensor.shape().to_string() + " is not contiguous");
  }
}

void check_permutation(Tensor& tensor) {
  const std::uint64_t outer = tensor.stride(0);
  const std::uint64_t inner = tensor.stride(1);
  tensor.permute({1, 0});
  require_stride(tensor, 0, inner);
  require_stride(tensor, 1, outer);
}

}  // namespace

void TestTensorStrides::declare(Interface& interface) {
  interface.parameter(pool_, "pool",
                      "Gives the tensors their memory, where its blocks are large enough");
}

/// Strides are the same whatever the memory, so blocks that are too small make no difference.
void TestTensorStrides::make(Tensor& tensor, const Shape& shape, ElementType type) {
  constexpr std::size_t kNoBlocks = 1;
  const std::size_t block = pool_->block_size();
  const std::size_t bytes = shape.element_count() * size_of(type);
  if (block == kNoBlocks || bytes <= block) {
    tensor.allocate(*pool_.get(), shape, type);
    return;
  }
  memory_.resize(std::max(memory_.size(), bytes));
  tensor.wrap(memory_.data(), shape, type, MemoryStorageType::System, nullptr, nullptr);
}

void TestTensorStrides::tick() {
  constexpr auto kFirst = static_cast<std::int32_t>(ElementType::Int8);
  constexpr auto kLast = static_cast<std::int32_t>(ElementType::Float16);
  for (std::int32_t type = kFirst; type <= kLast; ++type) {
    for (std::uint32_t rank = 1; rank <= Shape::kMaxRank; ++rank) {
      Tensor tensor;
      make(tensor, shape_of_rank(rank), static_cast<ElementType>(type));
      require_row_major(tensor);
      if (rank == 2) {
        check_permutation(tensor);
      }
    }
  }
  log_info("the strides of all ranks and element types are right");
}

}  // namespace gxr::testing
