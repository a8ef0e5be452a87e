#pragma once

#include <cstdint>
#include <vector>

#include "gxr/cuda/ring.hpp"

namespace gxr::test {

/// Memory with a ring.
class RingInMemory {
 public:
  RingInMemory(std::uint32_t slots, std::uint32_t frame_bytes)
      : lines_(cuda::ring_bytes(slots, frame_bytes) / sizeof(Line)),
        ring_(cuda::make_ring(lines_.data(), slots, frame_bytes)) {}

  [[nodiscard]] const cuda::RingView& ring() const noexcept { return ring_; }
  [[nodiscard]] void* memory() noexcept { return lines_.data(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return lines_.size() * sizeof(Line); }

 private:
  struct alignas(cuda::kRingLine) Line {
    std::uint8_t bytes[cuda::kRingLine] = {};
  };
  std::vector<Line> lines_;
  cuda::RingView ring_;
};

}  // namespace gxr::test
