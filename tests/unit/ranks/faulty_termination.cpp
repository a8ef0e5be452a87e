#include "ranks/faulty_termination.hpp"

#include <algorithm>
#include <utility>

namespace gxr::test {

FaultyTermination::FaultyTermination(Rank rank, Rank ranks, Termination::Send send, Fault fault)
    : termination_(rank, ranks, std::move(send)),
      rank_(rank),
      children_(std::min(Termination::kFanOut, ranks - 1)),
      fault_(fault) {}

void FaultyTermination::count_sent(bool is_credit) {
  ++sent_;
  const bool is_forgotten = (fault_ == Fault::UncountedCredits && is_credit) ||
                            (fault_ == Fault::UncountedFrame && sent_ == 2);
  if (!is_forgotten) {
    termination_.count_sent();
  }
}

void FaultyTermination::count_received(bool is_credit) {
  ++received_;
  if (fault_ == Fault::UncountedCredits && is_credit) {
    termination_.begin_work();
  } else {
    termination_.count_received();
  }
}

void FaultyTermination::rest() {
  if (!termination_.is_at_rest()) {
    end_after_one_wave();
  }
  termination_.rest();
}

void FaultyTermination::receive(Rank from, const TerminationMessage& message) {
  if (fault_ == Fault::AnswersAtWork && !termination_.is_at_rest()) {
    termination_.rest();
    termination_.receive(from, message);
    termination_.begin_work();
    return;
  }
  if (rank_ == 0) {
    ++answers_;
    sent_below_ += message.sent;
    received_below_ += message.received;
    if (termination_.is_at_rest()) {
      end_after_one_wave();
    }
  }
  termination_.receive(from, message);
}

/// Rank 0 is at rest. If the wave is complete, compares what it counts.
void FaultyTermination::end_after_one_wave() {
  if (fault_ != Fault::OneWave || rank_ != 0 || answers_ < children_) {
    return;
  }
  has_ended_early_ = sent_ + sent_below_ == received_ + received_below_;
  answers_ = 0;
  sent_below_ = 0;
  received_below_ = 0;
}

}  // namespace gxr::test
