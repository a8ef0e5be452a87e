#pragma once

#include <cstdint>

#include "ranks/termination.hpp"

namespace gxr::test {

/// A mistake in a simulated run, which the simulation must notice.
enum class Fault {
  None,
  RestsWithTimer,    ///< a rank with an armed timer counts as at rest
  RestsWithOutside,  ///< so does a rank that waits for an outside event
  UncountedCredits,  ///< credits are no frames
  UncountedFrame,    ///< one frame of a rank is not counted where it is sent
  AnswersAtWork,     ///< ranks answer at once, not when they are at rest
  OneWave,           ///< a wave that counts as many sent frames as received ones ends the run
  ChangesAnywhere,   ///< changes that users make do not pass through rank 0
};

/// A rank's Termination, with a fault in it or in its use.
class FaultyTermination {
 public:
  FaultyTermination(Rank rank, Rank ranks, Termination::Send send, Fault fault);

  void count_sent(bool is_credit);
  void count_received(bool is_credit);
  void begin_work() { termination_.begin_work(); }
  void rest();
  void receive(Rank from, const TerminationMessage& message);

  [[nodiscard]] bool has_ended() const { return has_ended_early_ || termination_.has_ended(); }
  [[nodiscard]] std::uint32_t waves() const { return termination_.waves(); }

 private:
  void end_after_one_wave();

  Termination termination_;
  Rank rank_;
  Rank children_;  // of rank 0
  Fault fault_;
  bool has_ended_early_ = false;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  Rank answers_ = 0;                  // in this wave, to rank 0
  std::uint64_t sent_below_ = 0;      // by those
  std::uint64_t received_below_ = 0;  // likewise
};

}  // namespace gxr::test
