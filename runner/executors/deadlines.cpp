#include "executors/deadlines.hpp"

#include <algorithm>
#include <string>

#include "graph/text.hpp"
#include "observe/facts_text.hpp"

namespace gxr {
namespace {

constexpr auto kCounter = std::memory_order_relaxed;  // nothing else follows from a count

}  // namespace

Deadlines::Deadlines(const DeadlineRule& rule, const std::vector<std::uint32_t>& indices,
                     const DataSources& sources)
    : fails_(rule.fails),
      deadlines_(std::make_unique<Deadline[]>(rule.ages.size() + (rule.tick_ns ? 1 : 0))) {
  if (rule.tick_ns) {
    deadlines_[count_++].limit_ns = *rule.tick_ns;
  }
  for (const DeadlineRule::Age& age : rule.ages) {
    const bool is_of_any = age.source == kNone && age.elsewhere.empty();
    const std::uint32_t source = is_of_any             ? kNone
                                 : age.source != kNone ? indices[age.source]
                                                       : sources.number_elsewhere(age.elsewhere);
    if (!is_of_any && source == kNone) {
      continue;  // it has no codelets, so nothing comes from it
    }
    Deadline& deadline = deadlines_[count_++];
    deadline.is_age = true;
    deadline.limit_ns = age.limit_ns;
    deadline.source = is_of_any ? 0 : source + 1;
  }
}

bool Deadlines::wants_ages() const noexcept { return count_ != 0 && deadlines_[count_ - 1].is_age; }

void Deadlines::add_tick(std::int64_t ns) noexcept {
  if (count_ != 0 && !deadlines_[0].is_age) {
    add(deadlines_[0], ns);
  }
}

void Deadlines::add_age(std::uint32_t source, std::int64_t ns) noexcept {
  for (std::size_t i = 0; i < count_; ++i) {
    Deadline& deadline = deadlines_[i];
    if (deadline.is_age && (deadline.source == 0 || deadline.source == source + 1)) {
      add(deadline, ns);
    }
  }
}

/// Only one thread at a time writes.
void Deadlines::add(Deadline& deadline, std::int64_t ns) noexcept {
  deadline.checked.store(deadline.checked.load(kCounter) + 1, kCounter);
  if (ns > deadline.longest_ns.load(kCounter)) {
    deadline.longest_ns.store(ns, kCounter);
  }
  if (ns <= deadline.limit_ns) {
    return;
  }
  deadline.missed.store(deadline.missed.load(kCounter) + 1, kCounter);
  if (fails_ && miss_.deadline == nullptr) {
    miss_ = {&deadline, ns};
  }
}

void Deadlines::require_met(const LiveEntity& entity) {
  if (miss_.deadline == nullptr) {
    return;
  }
  const Deadline& missed = *miss_.deadline;
  const std::string took = duration_text(static_cast<double>(miss_.ns));
  miss_ = {};
  throw ComponentFailure(
      {entity.graph->name,
       {},
       {},
       "deadline",
       (missed.is_age ? "the data was " + took + " old" : "the tick took " + took) +
           ", but the deadline is " + duration_text(static_cast<double>(missed.limit_ns)),
       ErrorCode::Failure});
}

std::vector<DeadlineStatus> Deadlines::status(const DataSources& sources) const {
  std::vector<DeadlineStatus> all;
  for (std::size_t i = 0; i < count_; ++i) {
    const Deadline& each = deadlines_[i];
    all.push_back({each.is_age, each.source == 0 ? std::string() : sources.name(each.source - 1),
                   each.limit_ns, each.checked.load(kCounter), each.missed.load(kCounter),
                   each.longest_ns.load(kCounter)});
  }
  return all;
}

}  // namespace gxr
