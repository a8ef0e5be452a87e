#include "sdk/kept_memory.hpp"

#include <bit>
#include <cstdlib>

namespace gxr {
namespace {

/// From this size on, glibc may map memory for each request.
constexpr std::size_t kLarge = std::size_t{128} << 10U;
constexpr std::size_t kLargest = std::size_t{1} << 60U;  // rounding must not overflow

}  // namespace

bool KeptMemory::keeps(std::size_t size) noexcept {
#ifdef __SANITIZE_ADDRESS__
  constexpr bool kWorks = false;  // the sanitizer is to see accesses to what was freed
#else
  constexpr bool kWorks = true;
#endif
  return kWorks && size >= kLarge && size <= kLargest;
}

/// Eight sizes between two powers of two.
std::size_t KeptMemory::rounded(std::size_t size) noexcept {
  const std::size_t step = std::bit_floor(size) / 8;
  return step < 2 ? size : (size + step - 1) / step * step;
}

void* KeptMemory::take(std::size_t size) noexcept {
  const auto found = pieces_.find(rounded(size));
  if (found == pieces_.end()) {
    return nullptr;
  }
  void* const memory = found->second;
  bytes_ -= found->first;
  pieces_.erase(found);
  return memory;
}

void KeptMemory::keep(void* memory, std::size_t size, std::size_t most) {
  const std::size_t room = rounded(size);
  if (room > most) {
    std::free(memory);
    return;
  }
  while (bytes_ > most - room) {
    const auto other = pieces_.begin();
    std::free(other->second);
    bytes_ -= other->first;
    pieces_.erase(other);
  }
  try {
    pieces_.emplace(room, memory);
    bytes_ += room;
  } catch (...) {
    std::free(memory);
  }
}

void KeptMemory::clear() noexcept {
  for (const auto& [size, memory] : pieces_) {
    std::free(memory);
  }
  pieces_.clear();
  bytes_ = 0;
}

}  // namespace gxr
