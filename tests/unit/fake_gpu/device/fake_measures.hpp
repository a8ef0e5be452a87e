#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "device/device_measures.hpp"
#include "fake_nodes.hpp"

namespace gxr::fake {

/// Runs iterations, and measures every Nth by the steady clock. Any thread reads.
class FakeMeasures {
 public:
  /// `every`: 0: none is measured.
  explicit FakeMeasures(std::uint32_t every) : every_(every) {}

  /// The nodes of an iteration that do not poll. False: the device has failed.
  bool run(const FakeNodes& nodes, std::uint64_t number);
  /// So many at most.
  [[nodiscard]] std::vector<MeasuredIteration> last(std::size_t most) const;
  void clear();

 private:
  const std::uint32_t every_;
  mutable std::mutex mutex_;
  std::deque<MeasuredIteration> measured_;
};

}  // namespace gxr::fake
