#include "rank_run/rank_trails.hpp"

#include <atomic>
#include <unordered_map>
#include <utility>

#include "graph/roles.hpp"
#include "graph/working_entities.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

std::vector<bool> find_working(const Plan& plan) {
  Roles roles(*plan.catalog);
  return entities_with_codelets(*plan.graph, roles);
}

}  // namespace

RankTrails::RankTrails(const Plan& plan, bool shares_clock)
    : RankTrails(*plan.graph, find_working(plan), shares_clock) {}

RankTrails::RankTrails(const Graph& whole, std::vector<bool> works, bool shares_clock)
    : works_(std::move(works)), shares_clock_(shares_clock) {
  for (const GraphEntity& entity : whole.entities) {
    names_.push_back(entity.name);
    checks_ages_ = checks_ages_ || (entity.deadline && !entity.deadline->ages.empty());
  }
}

std::vector<std::string> RankTrails::other_sources(const std::vector<LiveEntity>& own) {
  std::unordered_map<std::string, std::uint32_t> of_own;
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    of_own[own[i].graph->name] = i;
  }
  std::vector<std::string> others;
  here_.assign(names_.size(), kNone);
  whole_.assign(own.size(), kNone);
  for (std::uint32_t number = 0; number < names_.size(); ++number) {
    if (const auto found = of_own.find(names_[number]); found != of_own.end()) {
      here_[number] = found->second;
      whole_[found->second] = number;
    } else if (works_[number]) {
      here_[number] = static_cast<std::uint32_t>(own.size() + others.size());
      others.push_back(names_[number]);
      whole_.push_back(number);
    }
  }
  return others;
}

RankTrail RankTrails::of(const Message& message) const {
  const detail::MessageBlock* const block = EngineAccess::block(message);
  const std::uint32_t source = block->source.load(kRelaxed);
  if (source == 0 || source > whole_.size() || whole_[source - 1] == kNone) {
    return {};
  }
  return {whole_[source - 1] + 1, shares_clock_ ? 1U : 0U, block->trail.acquired.load(kRelaxed)};
}

void RankTrails::put(const Message& message, const RankTrail& trail) const {
  if (trail.source == 0 || trail.source > here_.size() || here_[trail.source - 1] == kNone) {
    return;
  }
  const bool is_known = shares_clock_ && trail.shares_clock != 0;
  detail::MessageBlock* const block = EngineAccess::block(message);
  block->trail.acquired.store(is_known ? trail.acquired : counter_.now(), kRelaxed);
  block->trail.publisher.store(0, kRelaxed);
  block->source.store(here_[trail.source - 1] + 1, kRelaxed);
}

}  // namespace gxr
