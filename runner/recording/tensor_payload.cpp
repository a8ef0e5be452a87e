#include "recording/tensor_payload.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "gxr/error.hpp"
#include "gxr/host_copy.hpp"

namespace gxr {
namespace {

[[noreturn]] void throw_wrong(const std::string& what) {
  throw Error(ErrorCode::InvalidData, "the tensor's header is wrong: " + what);
}

/// Do the elements fill their memory, in whatever order?
bool is_gapless(const Tensor& tensor) { return tensor.span_bytes() == tensor.size(); }

/// Writes a tensor with gaps: the longest runs without one, in the order of the elements.
class GapWriter {
 public:
  GapWriter(const Tensor& tensor, const std::byte* content, Endpoint& endpoint)
      : tensor_(tensor), content_(content), endpoint_(endpoint), outer_(tensor.rank()) {
    run_ = tensor.bytes_per_element();
    while (outer_ > 0 && tensor.stride(outer_ - 1) == run_) {
      --outer_;
      run_ *= static_cast<std::uint64_t>(tensor.shape().dimension(outer_));
    }
  }

  void write() { write(0, content_); }

 private:
  void write(std::uint32_t dimension, const std::byte* at) {
    if (dimension == outer_) {
      endpoint_.write(at, run_);
      return;
    }
    for (std::int32_t i = 0; i < tensor_.shape().dimension(dimension); ++i) {
      write(dimension + 1, at + static_cast<std::uint64_t>(i) * tensor_.stride(dimension));
    }
  }

  const Tensor& tensor_;
  const std::byte* content_;
  Endpoint& endpoint_;
  std::uint32_t outer_;    // dimensions outside of a run
  std::uint64_t run_ = 0;  // bytes
};

Shape checked_shape(const TensorHeader& header) {
  if (header.rank > Shape::kMaxRank) {
    throw_wrong("its rank is " + std::to_string(header.rank) + ", the greatest is 8");
  }
  try {
    return {header.dimensions.data(), header.rank};
  } catch (const Error& error) {
    throw_wrong(error.message());
  }
}

std::uint64_t checked_bytes(const CheckedTensor& tensor) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(tensor.shape.element_count(), tensor.bytes_per_element, &bytes)) {
    throw_wrong("shape " + tensor.shape.to_string() + " with " +
                std::to_string(tensor.bytes_per_element) + " bytes an element is too large");
  }
  return bytes;
}

/// Throws unless all elements lie within the bytes that are recorded.
void check_strides(const CheckedTensor& tensor) {
  std::uint64_t span = tensor.bytes == 0 ? 0 : tensor.bytes_per_element;
  for (std::uint32_t i = 0; i < tensor.shape.rank() && span > 0; ++i) {
    std::uint64_t reach = 0;
    const auto steps = static_cast<std::uint64_t>(tensor.shape.dimension(i)) - 1;
    if (__builtin_mul_overflow(steps, tensor.strides.at(i), &reach) ||
        __builtin_add_overflow(span, reach, &span) || span > tensor.bytes) {
      throw_wrong("its strides reach beyond the " + std::to_string(tensor.bytes) +
                  " bytes of its elements (GXF cuts off tensors with gaps when it records them)");
    }
  }
}

}  // namespace

TensorHeader header_of(const Tensor& tensor) {
  TensorHeader header;
  header.storage_type = static_cast<std::int32_t>(tensor.recorded_storage_type());
  header.element_type = static_cast<std::int32_t>(tensor.element_type());
  header.bytes_per_element = tensor.bytes_per_element();
  header.rank = tensor.rank();
  for (std::uint32_t i = 0; i < Shape::kMaxRank; ++i) {
    header.dimensions.at(i) = tensor.shape().dimension(i);
    header.strides.at(i) = tensor.stride(i);
  }
  if (!is_gapless(tensor)) {
    header.strides = contiguous_strides(tensor.shape(), tensor.bytes_per_element());
  }
  return header;
}

std::uint64_t write_tensor(const Tensor& tensor, Endpoint& endpoint) {
  const HostView content(tensor);
  const auto header = encode(header_of(tensor));
  endpoint.write(header.data(), header.size());
  if (is_gapless(tensor)) {
    endpoint.write(content.pointer(), tensor.size());
  } else {
    GapWriter(tensor, content.pointer(), endpoint).write();
  }
  return header.size() + tensor.size();
}

TensorHeader read_tensor_header(Endpoint& endpoint) {
  std::array<std::byte, TensorHeader::kSize> bytes{};
  endpoint.read_all(bytes.data(), bytes.size(), "the header of a tensor");
  return decode_tensor_header(bytes.data());
}

CheckedTensor check(const TensorHeader& header, std::uint64_t readable) {
  CheckedTensor tensor;
  tensor.shape = checked_shape(header);
  tensor.type = static_cast<ElementType>(header.element_type);
  if (header.element_type < 0 ||
      header.element_type > static_cast<std::int32_t>(ElementType::Float16)) {
    throw_wrong("there is no element type " + std::to_string(header.element_type));
  }
  if (header.storage_type < 0 || header.storage_type > 2) {
    throw_wrong("there is no storage type " + std::to_string(header.storage_type));
  }
  tensor.storage = static_cast<MemoryStorageType>(header.storage_type);
  tensor.bytes_per_element = header.bytes_per_element;
  const bool empty = header.bytes_per_element == 0 && header.rank == 0;
  if (!empty && header.bytes_per_element < std::max<std::size_t>(size_of(tensor.type), 1)) {
    throw_wrong(std::string("an element of ") + to_string(tensor.type) + " cannot have " +
                std::to_string(header.bytes_per_element) + " bytes");
  }
  tensor.strides = header.strides;
  tensor.bytes = checked_bytes(tensor);
  if (tensor.bytes > readable) {
    throw Error(ErrorCode::InvalidData, "a tensor of shape " + tensor.shape.to_string() +
                                            " needs " + std::to_string(tensor.bytes) + " bytes, " +
                                            std::to_string(readable) + " are left");
  }
  check_strides(tensor);
  return tensor;
}

void read_elements(const CheckedTensor& checked, Allocator& allocator, Endpoint& endpoint,
                   Tensor& tensor, const std::byte* start, std::uint64_t begun) {
  if (checked.bytes_per_element == 0) {
    return;  // a tensor that never got memory
  }
  void* memory = nullptr;
  if (checked.bytes > 0) {
    memory = allocator.allocate(checked.bytes, MemoryStorageType::System);
  }
  try {
    tensor.wrap(memory, checked.shape, checked.type, MemoryStorageType::System, &allocator,
                memory != nullptr ? Allocator::release : nullptr, checked.bytes_per_element,
                &checked.strides);
  } catch (...) {
    allocator.free(memory);
    throw;
  }
  if (begun > 0) {
    std::memcpy(memory, start, begun);
  }
  if (checked.bytes > begun) {
    endpoint.read_all(static_cast<std::byte*>(memory) + begun, checked.bytes - begun,
                      "the data of a tensor");
  }
  tensor.set_recorded_storage_type(checked.storage);
}

}  // namespace gxr
