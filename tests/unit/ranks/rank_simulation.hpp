#pragma once

#include <cstdint>
#include <string>

#include "ranks/faulty_termination.hpp"
#include "ranks/rank_map.hpp"

namespace gxr::test {

/// What the ranks of a simulated run do.
enum class Load {
  Random,  ///< any links, sources, timers, outside events, changes, full receivers and delays
  Stream,  ///< lines of up to 8 ranks, each with a source that a timer ticks
  Token,   ///< one message goes round all ranks, and the others rest
};

struct Outcome {
  std::string violation;                ///< empty: the end was found, and not too early
  std::uint64_t messages = 0;           ///< between ranks
  std::uint64_t frames = 0;             ///< these messages and credits
  std::uint64_t control_messages = 0;   ///< of Termination
  std::uint64_t control_after_end = 0;  ///< of these: delivered when nothing could run any more
  std::uint32_t waves = 0;
  bool is_deadlock = false;  ///< it ended with messages that nobody takes
};

/// Runs an application over `ranks` ranks until all know that it has ended, or something is wrong.
/// Everything is the same for the same arguments.
///
/// Ranks send messages over links, for which they need credits, and send credits back when they
/// take messages. Frames and messages of Termination have delays and overtake each other. At each
/// step one of all pending things happens, at random; so delays are distributed exponentially, with
/// means that change during a run.
///
/// A violation is: a rank says that the run has ended, and another rank can still do something or a
/// frame is under way; or nothing can run any more, and the end is not known everywhere after
/// 7 (ranks - 1) messages of Termination; or one of these messages was refused, or is too many.
Outcome simulate(Rank ranks, std::uint64_t seed, Load load = Load::Random,
                 Fault fault = Fault::None);

}  // namespace gxr::test
