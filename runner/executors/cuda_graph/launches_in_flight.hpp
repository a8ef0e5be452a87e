#pragma once

#include <array>
#include <cstdint>

#include "gxr/device_work.hpp"

namespace gxr {

/// The last launches of a graph by the host, so many that the GPU has enough to do.
class LaunchesInFlight {
 public:
  /// Returns when few enough are in flight for another one. CUDA's queue is longer, and a call that
  /// waits for room in that waits for a graph that hangs, too.
  void wait_for_room() const;
  void note(const DeviceWork& launch) { last_[count_++ % last_.size()] = launch; }
  /// So many were noted since clear().
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// None is in flight, and the next is the first.
  void clear() noexcept;
  /// The same for another graph, but launches count on.
  void begin_graph() noexcept { last_.fill({}); }

 private:
  std::uint64_t count_ = 0;
  std::array<DeviceWork, 64> last_;
};

}  // namespace gxr
