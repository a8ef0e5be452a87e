#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/instance.hpp"

namespace gxr {

/// The sources of data, by number: the entities of this process by their place in
/// Instance::entities(), and behind them those of other ranks.
class DataSources {
 public:
  DataSources(const std::vector<LiveEntity>& own, std::vector<std::string> others)
      : own_(own), others_(std::move(others)) {}

  [[nodiscard]] const std::string& name(std::uint32_t source) const {
    return source < own_.size() ? own_[source].graph->name : others_[source - own_.size()];
  }
  /// kNone: there is no such one.
  [[nodiscard]] std::uint32_t number_elsewhere(const std::string& name) const {
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (others_[i] == name) {
        return static_cast<std::uint32_t>(own_.size() + i);
      }
    }
    return kNone;
  }
  [[nodiscard]] std::size_t elsewhere() const noexcept { return others_.size(); }

 private:
  const std::vector<LiveEntity>& own_;
  const std::vector<std::string> others_;
};

}  // namespace gxr
