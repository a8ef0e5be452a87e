#include "sdk/kept_memory.hpp"

#include <cstddef>

#include "catch.hpp"
#include "sdk/allocator_memory.hpp"

namespace gxr {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

void* piece(std::size_t size) { return allocate_system_memory(KeptMemory::rounded(size)); }

}  // namespace

TEST_CASE("A kept piece serves the next request of about its size") {
  KeptMemory kept;
  CHECK(kept.take(kMiB) == nullptr);
  void* const memory = piece(kMiB - 100);
  kept.keep(memory, kMiB - 100, 4 * kMiB);
  CHECK(kept.bytes() == kMiB);
  CHECK(kept.take(kMiB / 2) == nullptr);
  CHECK(kept.take(2 * kMiB) == nullptr);
  void* const again = kept.take(kMiB);
  CHECK(again == memory);
  CHECK(kept.bytes() == 0);
  CHECK(kept.take(kMiB) == nullptr);
  kept.keep(again, kMiB, 4 * kMiB);
}

TEST_CASE("No more is kept than the given number of bytes") {
  KeptMemory kept;
  for (int i = 0; i < 5; ++i) {
    kept.keep(piece(kMiB), kMiB, 3 * kMiB);
  }
  CHECK(kept.bytes() == 3 * kMiB);
  kept.keep(piece(2 * kMiB), 2 * kMiB, 3 * kMiB);
  CHECK(kept.bytes() == 3 * kMiB);
  kept.keep(piece(4 * kMiB), 4 * kMiB, 3 * kMiB);
  CHECK(kept.bytes() == 3 * kMiB);
  kept.clear();
  CHECK(kept.bytes() == 0);
}

TEST_CASE("Sizes are rounded up by an eighth at most") {
  for (std::size_t size = 1; size < 3 * kMiB; size = size * 5 / 4 + 1) {
    CHECK(KeptMemory::rounded(size) >= size);
    CHECK(KeptMemory::rounded(size) <= size + size / 8 + 1);
    CHECK(KeptMemory::rounded(KeptMemory::rounded(size)) == KeptMemory::rounded(size));
  }
  CHECK_FALSE(KeptMemory::keeps(1000));
  CHECK_FALSE(KeptMemory::keeps(~std::size_t{0}));
}

}  // namespace gxr
