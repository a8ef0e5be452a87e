#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gxr/value.hpp"

namespace gxr {

/// Memory for the values of a document: only ever grows, is freed at once, and never moves what it
/// gave out. Used by one thread at a time.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// A copy of `values` that stays where it is; nullptr for none.
  const Value* keep(std::span<const Value> values);
  /// A copy of `text`, followed by a NUL that its size does not count.
  std::string_view keep(std::string_view text);
  /// Bytes taken from the system.
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

 private:
  void* allocate(std::size_t bytes, std::size_t alignment);
  void add_block(std::size_t at_least);

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  void* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace gxr
