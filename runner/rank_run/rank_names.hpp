#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "gxr/run_status.hpp"
#include "internal_api.hpp"
#include "plan/plan.hpp"
#include "ranks/rank_channels.hpp"

namespace gxr {

/// The names of entities and queues of an application's parts, as people know them: those that
/// stand for other ranks are not in it.
class RankNames {
 public:
  GXR_INTERNAL_API RankNames(const Plan& plan, const std::vector<RankChannel>& channels);

  [[nodiscard]] bool is_end(const std::string& entity) const {
    return queue_behind_.contains(entity);
  }
  /// The queue between two ranks for which this one stands, or itself.
  [[nodiscard]] std::string queue(const std::string& name) const;
  /// Puts the names of such queues into a text.
  void put_into(std::string& text) const;
  /// The place of an entity in the order of the plan.
  [[nodiscard]] std::size_t place(const std::string& entity) const;
  /// Adds the entities of a part to those of the whole; `part` is empty afterwards.
  GXR_INTERNAL_API void add(RunStatus& whole, RunStatus& part) const;
  /// Once all parts are in it: sorts them.
  GXR_INTERNAL_API void finish(RunStatus& whole, Rank ranks) const;

 private:
  std::unordered_map<std::string, std::string> queue_behind_;  // by entity
  std::unordered_map<std::string, std::size_t> place_;
};

}  // namespace gxr
