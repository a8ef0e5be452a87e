#include "document/arena.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>

namespace gxr {

namespace {

constexpr std::size_t kFirstBlock = 4096;
constexpr std::size_t kLargestBlock = std::size_t{256} * 1024;

static_assert(sizeof(Value) == 32, "a file has millions of them");
static_assert(std::is_trivially_destructible_v<Value> && std::is_trivially_copyable_v<Value>,
              "an arena never calls destructors");

}  // namespace

void Arena::add_block(std::size_t at_least) {
  // Blocks grow with the arena, so that a small document stays small and a large one wastes little.
  const std::size_t grown = std::clamp(capacity_ / 2, kFirstBlock, kLargestBlock);
  const std::size_t size = std::max(grown, at_least);
  blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
  next_ = blocks_.back().get();
  left_ = size;
  capacity_ += size;
}

void* Arena::allocate(std::size_t bytes, std::size_t alignment) {
  if (next_ == nullptr || std::align(alignment, bytes, next_, left_) == nullptr) {
    add_block(bytes + alignment);
    std::align(alignment, bytes, next_, left_);
  }
  void* const memory = next_;
  next_ = static_cast<std::byte*>(next_) + bytes;
  left_ -= bytes;
  return memory;
}

const Value* Arena::keep(std::span<const Value> values) {
  if (values.empty()) {
    return nullptr;
  }
  auto* const copy = static_cast<Value*>(allocate(values.size_bytes(), alignof(Value)));
  std::uninitialized_copy(values.begin(), values.end(), copy);
  return copy;
}

std::string_view Arena::keep(std::string_view text) {
  auto* const copy = static_cast<char*>(allocate(text.size() + 1, 1));
  std::copy(text.begin(), text.end(), copy);
  copy[text.size()] = '\0';
  return {copy, text.size()};
}

}  // namespace gxr
