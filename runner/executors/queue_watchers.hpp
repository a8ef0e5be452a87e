#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gxr/scheduling_term.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// How a job is polled whose entity waits.
struct Polling {
  std::int64_t period = 0;   ///< ns; 0: not at all
  bool keeps_alive = false;  ///< does a poll to come keep the run alive?
};

/// Which jobs are to be looked at when a queue changes, as the scheduling terms say.
class QueueWatchers {
 public:
  explicit QueueWatchers(std::size_t components) : arrivals_(components), spaces_(components) {}

  /// Enters the job `index` wherever the terms of its entity say. Returns how they ask to be
  /// polled, with the shortest period. Throws ComponentFailure.
  Polling watch(std::uint32_t index, const LiveEntity& entity, const Instance& instance);

  /// Jobs whose terms ask for messages of this receiver.
  [[nodiscard]] std::span<const std::uint32_t> arrivals(ComponentId receiver) const noexcept {
    return arrivals_[receiver];
  }
  /// Jobs whose terms ask for room in this receiver, or want to know that a message was taken.
  [[nodiscard]] std::span<const std::uint32_t> spaces(ComponentId receiver) const noexcept {
    return spaces_[receiver];
  }

 private:
  class Collector;

  std::vector<std::vector<std::uint32_t>> arrivals_;  // by ComponentId
  std::vector<std::vector<std::uint32_t>> spaces_;    // by ComponentId
};

}  // namespace gxr
