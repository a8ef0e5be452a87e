#include "ranks/termination.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gxr/error.hpp"

namespace gxr {

Termination::Termination(Rank rank, Rank ranks, Send send)
    : rank_(rank), ranks_(ranks), send_(std::move(send)) {}

void Termination::rest() {
  at_rest_ = true;
  if (rank_ == 0 && !is_open_ && !ended_) {
    begin_wave();
  } else {
    answer_if_complete();
  }
}

void Termination::receive(Rank from, const TerminationMessage& message) {
  const bool is_of_parent = rank_ != 0 && from == parent();
  if (message.kind == TerminationMessage::Kind::Ask && is_of_parent && !is_open_ && !ended_ &&
      message.wave == wave_ + 1) {
    begin_wave();
  } else if (message.kind == TerminationMessage::Kind::Answer && is_child(from) && is_open_ &&
             message.wave == wave_ && (answered_ & bit_of(from)) == 0) {
    take_answer(from, message);
  } else if (message.kind == TerminationMessage::Kind::End && is_of_parent && !is_open_ &&
             !ended_ && wave_ > 1) {
    end();
  } else {
    throw Error(ErrorCode::InvalidData, "rank " + std::to_string(from) +
                                            " sent what nobody asked for about the end of the run");
  }
}

void Termination::take_answer(Rank child, const TerminationMessage& answer) {
  answered_ |= bit_of(child);
  sent_below_ += answer.sent;
  received_below_ += answer.received;
  answer_if_complete();
}

void Termination::begin_wave() {
  ++wave_;
  is_open_ = true;
  answered_ = 0;
  sent_below_ = 0;
  received_below_ = 0;
  tell_children({TerminationMessage::Kind::Ask, wave_, 0, 0});
  answer_if_complete();
}

/// Counts when it answers, not when it is asked: an answer says that the rank is at rest.
void Termination::answer_if_complete() {
  const std::uint32_t all = (1U << children()) - 1;
  if (!is_open_ || !at_rest_ || answered_ != all) {
    return;
  }
  is_open_ = false;
  if (rank_ == 0) {
    conclude_wave();
  } else {
    send_(parent(), {TerminationMessage::Kind::Answer, wave_, sent_ + sent_below_,
                     received_ + received_below_});
  }
}

void Termination::conclude_wave() {
  const std::uint64_t received_before =
      std::exchange(received_before_, received_ + received_below_);
  // The first wave has none before it.
  if (wave_ > 1 && sent_ + sent_below_ == received_before) {
    end();
  } else {
    begin_wave();
  }
}

void Termination::end() {
  ended_ = true;
  is_open_ = false;
  tell_children({TerminationMessage::Kind::End, wave_, 0, 0});
}

void Termination::tell_children(const TerminationMessage& message) const {
  for (Rank i = 0; i < children(); ++i) {
    send_(rank_ * kFanOut + 1 + i, message);
  }
}

bool Termination::is_child(Rank other) const noexcept {
  return other < ranks_ && other != 0 && (other - 1) / kFanOut == rank_;
}

Rank Termination::children() const noexcept {
  const std::uint64_t first = std::uint64_t{rank_} * kFanOut + 1;
  return first >= ranks_ ? 0 : static_cast<Rank>(std::min<std::uint64_t>(kFanOut, ranks_ - first));
}

}  // namespace gxr
