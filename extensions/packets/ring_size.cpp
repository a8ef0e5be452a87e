#include "packets/ring_size.hpp"

#include <string>

#include "gxr/cuda/ring.hpp"

namespace gxr::cuda {
namespace {

constexpr std::uint32_t kUsualSlots = 1024;
constexpr std::uint32_t kUsualFrame = 1472;  // what fits into an Ethernet frame with IPv4 and UDP

}  // namespace

void RingSize::declare(Interface& interface) {
  interface.parameter(slots_, "slots", "Frames that it holds, a power of two")
      .default_value(kUsualSlots)
      .range(2, kRingMostSlots);
  interface.parameter(frame_bytes_, "frame_bytes", "Most bytes of a frame")
      .default_value(kUsualFrame)
      .range(1, kRingMostFrameBytes)
      .unit("bytes");
}

void RingSize::check() const {
  if (!is_ring_size(slots(), frame_bytes())) {
    throw Error(ErrorCode::InvalidParameter,
                "'slots' is a power of two from 2 to " + std::to_string(kRingMostSlots) +
                    ", and 'frame_bytes' is 1 to " + std::to_string(kRingMostFrameBytes) +
                    ", not " + std::to_string(slots()) + " and " + std::to_string(frame_bytes()));
  }
}

}  // namespace gxr::cuda
