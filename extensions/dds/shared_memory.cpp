#include "dds/shared_memory.hpp"

#include <utility>

namespace gxr::dds {
namespace {

void release(void* owner, void* /*pointer*/) noexcept { delete static_cast<SharedBytes*>(owner); }

/// Receivers only read what they share; who changes a part gets a copy of it first.
void* writable(const std::byte* first) { return const_cast<std::byte*>(first); }

}  // namespace

Tensor tensor_within(const SharedBytes& sample, const std::byte* first, const Shape& shape,
                     ElementType type, std::uint64_t bytes_per_element, const Strides* strides) {
  auto keeper = std::make_unique<SharedBytes>(sample);
  Tensor tensor;
  tensor.wrap(writable(first), shape, type, MemoryStorageType::System, keeper.get(), &release,
              bytes_per_element, strides);
  static_cast<void>(keeper.release());
  return tensor;
}

VideoBuffer picture_within(const SharedBytes& sample, const std::byte* first, std::uint64_t size,
                           const VideoBufferInfo& info) {
  auto keeper = std::make_unique<SharedBytes>(sample);
  VideoBuffer picture;
  picture.wrap(info, size, MemoryStorageType::System, writable(first), keeper.get(), &release);
  static_cast<void>(keeper.release());
  return picture;
}

}  // namespace gxr::dds
