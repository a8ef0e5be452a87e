#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gxr {

/// Where the loop of a region is in its life.
enum class SessionState : std::uint8_t {
  Unbuilt,      ///< there is no loop
  Running,      ///< launched, and open for inputs
  Changing,     ///< works on the inputs that it has; then it goes on with other nodes or shapes
  Replacing,    ///< has ended for that, and gets them
  Ending,       ///< was told to end for good
  TearingDown,  ///< was told to end by the program, which may launch it again
  TornDown,     ///< has ended so
  Ended,        ///< has ended for good: at its limit, or told so
  Stalled,      ///< runs, but the watchdog has tripped: the run fails
  Failed,       ///< the device has failed: it tells nothing any more
  Hung,         ///< does not end: nothing that it uses is touched again
};
inline constexpr std::size_t kSessionStates = 11;

/// An event in its life.
enum class SessionEvent : std::uint8_t {
  Launched,
  ChangeAsked,      ///< new values that need other nodes, or messages of other shapes
  LimitReached,     ///< there is nothing left to go on with
  EndAsked,         ///< by a timeout, or the end of the run
  TearDownAsked,    ///< by the program
  LoopEnded,        ///< nothing of it runs any more
  WatchdogTripped,  ///< no iteration has ended for too long
  DeviceFailed,
  GaveUp,   ///< it was told to end, and did not
  Dropped,  ///< the region gives the loop up
};
inline constexpr std::size_t kSessionEvents = 10;

[[nodiscard]] std::string_view name_of(SessionState state) noexcept;
[[nodiscard]] std::string_view name_of(SessionEvent event) noexcept;

/// The life of a resident loop, as one table of states and events. It knows nothing of loops: its
/// user says what happens, and asks what may be done. One thread at a time.
class ResidentSession {
 public:
  /// Where an event leads from a state; nothing: it cannot happen there.
  [[nodiscard]] static std::optional<SessionState> next(SessionState state,
                                                        SessionEvent event) noexcept;

  [[nodiscard]] SessionState state() const noexcept { return state_; }
  [[nodiscard]] bool is(SessionState state) const noexcept { return state_ == state; }
  /// Throws Error(InvalidState) that names both when the event cannot happen now.
  void on(SessionEvent event);

  /// Was it launched, and has not ended, as far as is known?
  [[nodiscard]] bool runs() const noexcept;
  /// Does it run, and was not told to end? A change is no end.
  [[nodiscard]] bool is_open() const noexcept;
  /// Is it to be given inputs, and new values?
  [[nodiscard]] bool accepts() const noexcept { return is(SessionState::Running); }
  /// Does it work on what it has, to get other nodes then?
  [[nodiscard]] bool changes() const noexcept { return is(SessionState::Changing); }
  /// By the program: may it run again?
  [[nodiscard]] bool was_torn_down() const noexcept;
  /// Was it told to end, for now or for good, and runs?
  [[nodiscard]] bool was_told_to_end() const noexcept;

 private:
  SessionState state_ = SessionState::Unbuilt;
};

/// The table for docs/gpu-loops.md.
[[nodiscard]] std::string session_table_as_markdown();

}  // namespace gxr
