#include "executors/cuda_graph/input_account.hpp"

#include <algorithm>
#include <utility>

namespace gxr {

InputAccount::InputAccount(const LoopRules& rules, Taken taken)
    : rules_(rules), taken_(std::move(taken)) {
  launch(kEndless);
}

void InputAccount::launch(std::uint64_t limit) {
  limit_ = limit;
  rung_ = 0;
  told_ = 0;
  given_.assign(rules_.inputs, Of{0, 0, false, std::vector<std::uint64_t>(remembered())});
}

void InputAccount::end_at(std::uint64_t finished) noexcept { limit_ = std::min(limit_, finished); }

bool InputAccount::has_room(std::size_t input, std::uint64_t finished) const {
  const std::uint64_t count = given_[input].count;
  return count < limit_ && count - taken(input, finished) < rules_.slots;
}

void InputAccount::give(std::size_t input, bool is_read,
                        const std::function<std::uint64_t()>& mark) {
  Of& given = given_[input];
  // An input that is read at once arrives behind earlier ones that are still being copied.
  given.is_copied_by_stream = given.is_copied_by_stream || !is_read;
  given.copied[place_of(given.count)] = given.is_copied_by_stream ? mark() : 0;
  ++given.count;
}

std::optional<InputAccount::Given> InputAccount::origin_of_next(std::uint64_t fetched) {
  std::optional<Given> first;
  for (std::size_t i = 0; i < given_.size(); ++i) {
    Of& given = given_[i];
    const std::uint64_t shown = std::exchange(given.shown, taken(i, fetched + 1));
    if (given.shown > shown && (!first || i == rules_.timestamp_from)) {
      first = Given{i, place_of(shown)};
    }
  }
  return first;
}

std::uint64_t InputAccount::iterations_given() const {
  return rules_.inputs == 0 ? rung_ : given_.front().count;
}

std::uint64_t InputAccount::iterations_told() const {
  return rules_.inputs == 0 ? told_ : given_.front().count;
}

std::uint64_t InputAccount::works_until(std::uint64_t finished) const {
  if (rules_.any) {
    if (rules_.handlers > 0) {
      return std::max(limit_, finished);  // the GPU may find some
    }
    // An iteration takes one message at least.
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const std::uint64_t before = taken(i, finished);
      left += given_[i].count > before ? given_[i].count - before : 0;
    }
    return std::max(std::min(finished + left, limit_), finished);
  }
  std::uint64_t until = rules_.host_driven ? std::min(limit_, rung_) : limit_;
  for (const Of& given : given_) {
    until = std::min(until, given.count);
  }
  return std::max(until, finished);
}

bool InputAccount::awaits_copies(std::uint64_t finished,
                                 const std::function<bool(std::uint64_t)>& is_done) const {
  bool any_comes = false;
  bool any_is_there = false;
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const std::uint64_t next = taken(i, finished);
    if (next < given_[i].count) {
      const bool is_there = is_done(given_[i].copied[place_of(next)]);
      any_is_there = any_is_there || is_there;
      any_comes = any_comes || !is_there;
    }
  }
  return any_comes && !(rules_.any && any_is_there);
}

}  // namespace gxr
