#include "dds/sample_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>

namespace gxr::dds {
namespace {

/// Smaller ones come from the heap.
constexpr std::size_t kLarge = std::size_t{128} << 10;
constexpr std::size_t kGrain = std::size_t{64} << 10;
constexpr std::size_t kMostKept = std::size_t{64} << 20;

std::size_t rounded(std::size_t size) {
  return size < kLarge ? size : (size + kGrain - 1) / kGrain * kGrain;
}

/// Aligned, from the heap: operator new with an alignment takes five times as long. The address of
/// the block stands before the memory.
std::byte* allocate(std::size_t size) {
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= sizeof(std::byte*));
  auto* const block = static_cast<std::byte*>(::operator new(size + kSampleAlignment));
  std::byte* const memory =
      block + (kSampleAlignment - reinterpret_cast<std::uintptr_t>(block) % kSampleAlignment);
  std::memcpy(memory - sizeof(block), &block, sizeof(block));
  return memory;
}

void free_memory(std::byte* memory) noexcept {
  std::byte* block = nullptr;
  std::memcpy(&block, memory - sizeof(block), sizeof(block));
  ::operator delete(block);
}

class KeptMemory {
 public:
  /// nullptr: there is no piece of that size.
  std::byte* take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(pieces_, size, &Piece::size);
    if (found == pieces_.end()) {
      return nullptr;
    }
    std::byte* const memory = found->memory;
    pieces_.erase(found);
    kept_ -= size;
    return memory;
  }

  /// False: it is too large to be kept.
  bool keep(std::byte* memory, std::size_t size) {
    if (size > kMostKept / 2) {
      return false;
    }
    const std::lock_guard lock(mutex_);
    pieces_.push_back({memory, size});
    for (kept_ += size; kept_ > kMostKept; pieces_.pop_front()) {
      kept_ -= pieces_.front().size;
      free_memory(pieces_.front().memory);
    }
    return true;
  }

 private:
  struct Piece {
    std::byte* memory;
    std::size_t size;
  };

  std::mutex mutex_;
  std::deque<Piece> pieces_;  // the one that was given back first is in front
  std::size_t kept_ = 0;
};

/// Never destroyed: threads of libraries may give samples back at the end of the process.
KeptMemory& kept_memory() {
  static auto& kept = *new KeptMemory;
  return kept;
}

}  // namespace

std::byte* take_memory(std::size_t size) {
  const std::size_t whole = rounded(size);
  std::byte* const kept = whole < kLarge ? nullptr : kept_memory().take(whole);
  return kept != nullptr ? kept : allocate(whole);
}

void give_memory_back(std::byte* memory, std::size_t size) noexcept {
  const std::size_t whole = rounded(size);
  try {
    if (whole >= kLarge && kept_memory().keep(memory, whole)) {
      return;
    }
  } catch (const std::bad_alloc&) {
    // It cannot be noted down.
  }
  free_memory(memory);
}

}  // namespace gxr::dds
