#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "observe/trace_events.hpp"

namespace gxr {

/// Tracks of one name for what may run beside each other, as on a GPU. One thread at a time.
class TraceLanes {
 public:
  TraceLanes(TraceEvents& trace, std::string name) : trace_(trace), name_(std::move(name)) {}

  /// The first track in which nothing runs at `begin`, until `end` from now on.
  TraceEvents::Track& take(std::int64_t begin, std::int64_t end) {
    const auto free =
        std::ranges::find_if(lanes_, [&](const Lane& lane) { return lane.until <= begin; });
    Lane& lane = free != lanes_.end() ? *free : add();
    lane.until = end;
    return *lane.track;
  }

 private:
  struct Lane {
    TraceEvents::Track* track;
    std::int64_t until;
  };
  Lane& add() {
    const std::string number = lanes_.empty() ? "" : " (" + std::to_string(lanes_.size() + 1) + ")";
    return lanes_.emplace_back(Lane{&trace_.add_track(name_ + number), 0});
  }

  TraceEvents& trace_;
  std::string name_;
  std::vector<Lane> lanes_;
};

}  // namespace gxr
