#pragma once

#include <cstdint>
#include <functional>

#include "internal_api.hpp"
#include "ranks/rank_map.hpp"

namespace gxr {

/// What ranks tell each other to find out that none of them will do anything any more.
struct TerminationMessage {
  enum class Kind : std::uint32_t {
    Ask = 1,     ///< from the parent: count, once you are at rest
    Answer = 2,  ///< to the parent: the counts of a rank and of all below it, which were at rest
    End = 3,     ///< from the parent: all ranks are at rest, and nothing is under way
  };
  Kind kind = Kind::Ask;
  std::uint32_t wave = 0;      ///< of Ask and Answer, from 1
  std::uint64_t sent = 0;      ///< of Answer: frames that were sent
  std::uint64_t received = 0;  ///< of Answer: frames that arrived

  friend bool operator==(const TerminationMessage&, const TerminationMessage&) = default;
};

/// One rank's part in finding out that a run over several ranks has ended by itself: each rank is
/// at rest, so that only a frame of another rank can wake it, and no frame is under way.
///
/// Rank 0 sends waves through a tree of ranks. A rank answers a wave when it is at rest and all
/// ranks below it have answered. The run has ended when a wave counts as many sent frames as the
/// wave before it counted received ones: docs/ranks.md#how-the-end-is-found argues why. A wave
/// costs 2 (ranks - 1) messages, and none is complete while a rank stays at work.
///
/// A state machine without clock, threads and sockets: whoever owns it passes on the messages, in
/// any order and after any time, but each once.
class GXR_INTERNAL_API Termination {
 public:
  /// Ranks directly below another one.
  static constexpr Rank kFanOut = 4;

  /// Must not deliver the message before it returns.
  using Send = std::function<void(Rank to, const TerminationMessage& message)>;

  /// Precondition: rank < ranks. The rank is at work.
  Termination(Rank rank, Rank ranks, Send send);

  /// A frame will be sent now to another rank: the rank is at work, and stays so. To be counted
  /// before the frame can arrive.
  void count_sent() noexcept { ++sent_; }
  /// A frame of another rank arrived, which puts the rank to work.
  void count_received() noexcept {
    ++received_;
    at_rest_ = false;
  }
  /// Something else than a frame put the rank to work, such as a change that a user makes. A rank
  /// that is at rest may get that only as rank 0 and before the end: another one cannot know
  /// whether the end is on its way, so changes reach it from rank 0, in frames.
  void begin_work() noexcept { at_rest_ = false; }
  /// Only a frame can put the rank to work again. Not after the end.
  void rest();
  /// A message of rank `from`. Throws Error(InvalidData) for one that this rank cannot get.
  void receive(Rank from, const TerminationMessage& message);

  /// Has the run ended? Then it stays so.
  [[nodiscard]] bool has_ended() const noexcept { return ended_; }
  [[nodiscard]] bool is_at_rest() const noexcept { return at_rest_; }
  /// Waves that have reached this rank.
  [[nodiscard]] std::uint32_t waves() const noexcept { return wave_; }

 private:
  void take_answer(Rank child, const TerminationMessage& answer);
  void begin_wave();
  void answer_if_complete();
  void conclude_wave();
  void end();
  void tell_children(const TerminationMessage& message) const;
  [[nodiscard]] bool is_child(Rank other) const noexcept;
  [[nodiscard]] Rank parent() const noexcept { return (rank_ - 1) / kFanOut; }
  [[nodiscard]] Rank children() const noexcept;
  [[nodiscard]] static std::uint32_t bit_of(Rank child) noexcept {
    return 1U << ((child - 1) % kFanOut);
  }

  const Rank rank_;
  const Rank ranks_;
  const Send send_;
  bool at_rest_ = false;
  bool ended_ = false;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  std::uint32_t wave_ = 0;             // the last that has begun here
  bool is_open_ = false;               // it was not answered yet
  std::uint32_t answered_ = 0;         // a bit for each child that has answered it
  std::uint64_t sent_below_ = 0;       // by those
  std::uint64_t received_below_ = 0;   // likewise
  std::uint64_t received_before_ = 0;  // by all, as the wave before counted; of rank 0
};

}  // namespace gxr
