#pragma once

#include <cstdint>
#include <string>

#include "gxr/cuda/frame_order.hpp"
#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// The parts of a frame: a header with the sender's number, then the elements of a tensor.
struct FrameLayout {
  FrameNumber number;
  std::uint32_t header_bytes = 0;
  std::uint32_t data_bytes = 0;

  [[nodiscard]] GXR_RING_CALL std::uint32_t bytes() const noexcept {
    return header_bytes + data_bytes;
  }
};

/// The parameters of a frame's header, the same for receiver and sender.
class FrameFormat {
 public:
  void declare(Interface& interface);
  /// The layout of frames with `data_bytes` bytes of elements, for a ring of that component.
  /// Throws Error(InvalidParameter) when the number does not lie in the header, and when such
  /// frames do not fit into a slot of the ring.
  [[nodiscard]] FrameLayout layout(std::uint64_t data_bytes, std::uint32_t most_bytes,
                                   const std::string& ring) const;

 private:
  [[nodiscard]] FrameNumber number() const;

  Parameter<std::uint32_t> header_bytes_;
  Parameter<std::string> number_;
  Parameter<std::uint32_t> number_offset_;
  Parameter<std::string> byte_order_;
};

}  // namespace gxr::cuda
