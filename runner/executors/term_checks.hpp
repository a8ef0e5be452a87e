#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "executors/urgent_term.hpp"
#include "gxr/scheduling_term.hpp"
#include "observe/call_site.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// What the term says; what it throws instead becomes a ComponentFailure that names it.
inline TermQuestion question_of(SchedulingTerm& term, const Instance& instance) {
  TermQuestion question;
  guarded(instance.site(term, "question"), [&] { question = term.question(); });
  return question;
}

/// What a term asks that waits for messages or for room and nothing else: how many messages a
/// Holder has, which is a receiver's ring or inbox.
template <class Holder>
struct MessageRange {
  const Holder* holder = nullptr;
  std::uint32_t least = 0;
  std::uint32_t span = 0;  ///< greatest - least

  [[nodiscard]] bool met() const noexcept { return holder->total() - least <= span; }

  static MessageRange at_least(const Holder& holder, std::size_t messages) noexcept {
    // A queue never holds so many messages that a greater minimum would mean another thing.
    const auto least = static_cast<std::uint32_t>(std::min<std::size_t>(messages, kMost));
    return {&holder, least, kMost - least};
  }
  static MessageRange with_room_for(const Holder& holder, std::size_t messages) noexcept {
    if (messages > holder.capacity()) {
      return {&holder, kMost, 0};  // never met
    }
    return {&holder, 0, static_cast<std::uint32_t>(holder.capacity() - messages)};
  }

 private:
  static constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
};

/// Do all ranges hold?
template <class Ranges>
[[nodiscard]] bool all_met(const Ranges& ranges) noexcept {
  bool met = true;
  for (const auto& range : ranges) {
    met = met && range.met();
  }
  return met;
}

/// Puts into `ranges` what the question of a term asks of the holders of its receivers, as
/// `holder_of` gives them (null: none). False when the term is more than that; it is to be asked
/// itself then.
template <class Holder, class Ranges, class HolderOf>
bool add_ranges(const TermQuestion& question, const HolderOf& holder_of, Ranges& ranges) {
  using Range = MessageRange<Holder>;
  if (question.receiver != nullptr) {
    const Holder* holder = holder_of(*question.receiver);
    if (holder != nullptr) {
      ranges.push_back(Range::at_least(*holder, question.messages));
    }
    return holder != nullptr;
  }
  const Transmitter* transmitter = question.transmitter;
  if (transmitter == nullptr || transmitter->receivers().empty() ||
      !std::ranges::all_of(transmitter->receivers(),
                           [&](const Receiver* r) { return holder_of(*r) != nullptr; })) {
    return false;
  }
  for (const Receiver* receiver : transmitter->receivers()) {
    if (question.messages == 0) {
      break;  // always met, also while a receiver that may drop messages has more than its capacity
    }
    ranges.push_back(Range::with_room_for(*holder_of(*receiver), question.messages));
  }
  return true;
}

/// A scheduling term that is more than a MessageRange.
struct TermCheck {
  std::int64_t* remaining = nullptr;  ///< ticks that are left, read without a call; or null
  SchedulingTerm* term = nullptr;
  const CallSite* check_site = nullptr;
  const CallSite* on_execute_site = nullptr;
  UrgentTerm* urgent = nullptr;  ///< `term`, if it is one
};

/// `question` is the term's; `keep` stores a call site and gives its address.
template <class Keep>
TermCheck make_check(SchedulingTerm& term, const TermQuestion& question, const Instance& instance,
                     Keep&& keep) {
  return {question.ticks_left, &term, keep(instance.site(term, "check")),
          keep(instance.site(term, "on_execute")), dynamic_cast<UrgentTerm*>(&term)};
}

/// The first of the terms that is urgent; nullptr: none is. `call_site` gets the mark of the one
/// that is asked.
template <class Checks, class Site>
[[nodiscard]] UrgentTerm* find_urgent(const Checks& checks, Site& call_site) {
  for (const TermCheck& check : checks) {
    if (check.urgent != nullptr) {
      call_site.set(check.check_site);
      if (check.urgent->is_urgent()) {
        return check.urgent;
      }
    }
  }
  return nullptr;
}

}  // namespace gxr
