#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// The parameters of a ring's size.
class RingSize {
 public:
  void declare(Interface& interface);
  /// Throws Error(InvalidParameter) when there can be no such ring.
  void check() const;
  /// Frames that it holds.
  [[nodiscard]] std::uint32_t slots() const { return *slots_; }
  [[nodiscard]] std::uint32_t frame_bytes() const { return *frame_bytes_; }

 private:
  Parameter<std::uint32_t> slots_;
  Parameter<std::uint32_t> frame_bytes_;
};

}  // namespace gxr::cuda
