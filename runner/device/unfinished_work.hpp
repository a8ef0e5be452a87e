#pragma once

#include <cstdint>

#include "gxr/device_work.hpp"

namespace gxr {

/// Work of this process on a GPU that is not done.
struct UnfinishedWork {
  /// Which work a question concerns.
  enum class Scope : std::uint8_t {
    Streams,  ///< DeviceStreams and loops
    Devices,  ///< also streams that are no DeviceStreams, unless a loop runs; ends all captures
  };
  enum class Of : std::uint8_t {
    Stream,  ///< a DeviceStream; `work` is the oldest that is not done
    Device,  ///< all streams of the GPU, also those that are no DeviceStreams
    Loop,    ///< a DeviceLoop, which ends when it is told to
  };
  Of of = Of::Stream;
  int device = 0;
  DeviceWork work;           ///< of a Stream
  std::uint64_t number = 0;  ///< of the others: changes when some of their work ends

  friend bool operator==(const UnfinishedWork& a, const UnfinishedWork& b) noexcept {
    return a.of == b.of && a.device == b.device && a.work.stream == b.work.stream &&
           a.work.number == b.work.number && a.number == b.number;
  }
};

}  // namespace gxr
