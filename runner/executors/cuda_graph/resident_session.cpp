#include "executors/cuda_graph/resident_session.hpp"

#include <array>

#include "gxr/error.hpp"

namespace gxr {
namespace {

using NextState = std::optional<SessionState>;

struct SessionRow {
  SessionState state;
  std::string_view name;
  std::string_view meaning;
  std::array<NextState, kSessionEvents> next;  // by event
};
using SessionTable = std::array<SessionRow, kSessionStates>;

constexpr std::array<std::string_view, kSessionEvents> kSessionEventNames = {
    "Launched",  "ChangeAsked",     "LimitReached", "EndAsked", "TearDownAsked",
    "LoopEnded", "WatchdogTripped", "DeviceFailed", "GaveUp",   "Dropped"};

constexpr SessionTable make_session_table() {
  using enum SessionState;
  constexpr NextState kNot;  // it cannot happen
  // clang-format off
  return {{
    // Launched  ChangeAsked  LimitReached  EndAsked  TearDownAsked  LoopEnded  WatchdogTripped  DeviceFailed  GaveUp  Dropped
    {Unbuilt, "Unbuilt", "there is no loop",
     {Running,   kNot,        kNot,         kNot,     kNot,          kNot,      kNot,            kNot,         kNot,   Unbuilt}},
    {Running, "Running", "launched, and open for inputs",
     {kNot,      Changing,    kNot,         Ending,   TearingDown,   Ended,     Stalled,         Failed,       kNot,   Unbuilt}},
    {Changing, "Changing", "works on the inputs that it has; then it goes on with other nodes or shapes",
     {kNot,      kNot,        kNot,         Ending,   TearingDown,   Replacing, Stalled,         Failed,       kNot,   Unbuilt}},
    {Replacing, "Replacing", "has ended for that, and gets them",
     {Running,   kNot,        Ended,        kNot,     kNot,          kNot,      kNot,            Failed,       kNot,   Unbuilt}},
    {Ending, "Ending", "was told to end for good",
     {kNot,      kNot,        kNot,         Ending,   kNot,          Ended,     Stalled,         Failed,       Hung,   Unbuilt}},
    {TearingDown, "TearingDown", "was told to end by the program, which may launch it again",
     {kNot,      kNot,        kNot,         Ending,   kNot,          TornDown,  Stalled,         Failed,       kNot,   Unbuilt}},
    {TornDown, "TornDown", "has ended so",
     {Running,   kNot,        kNot,         kNot,     kNot,          kNot,      kNot,            Failed,       kNot,   Unbuilt}},
    {Ended, "Ended", "has ended for good: at its limit, or told so",
     {kNot,      kNot,        kNot,         kNot,     kNot,          kNot,      kNot,            Failed,       kNot,   Unbuilt}},
    {Stalled, "Stalled", "runs, but the watchdog has tripped: the run fails",
     {kNot,      kNot,        kNot,         Stalled,  kNot,          Ended,     kNot,            Failed,       Hung,   Unbuilt}},
    {Failed, "Failed", "the device has failed: it tells nothing any more",
     {kNot,      kNot,        kNot,         kNot,     kNot,          kNot,      kNot,            Failed,       kNot,   Unbuilt}},
    {Hung, "Hung", "does not end: nothing that it uses is touched again",
     {kNot,      kNot,        kNot,         kNot,     kNot,          kNot,      kNot,            Hung,         kNot,   Hung}},
  }};
  // clang-format on
}

constexpr SessionTable kSessionTable = make_session_table();

constexpr bool has_session_states_in_order() {
  for (std::size_t i = 0; i < kSessionTable.size(); ++i) {
    if (static_cast<std::size_t>(kSessionTable[i].state) != i) {
      return false;
    }
  }
  return true;
}
static_assert(has_session_states_in_order());

constexpr const SessionRow& row_of(SessionState state) noexcept {
  return kSessionTable[static_cast<std::size_t>(state)];
}

}  // namespace

std::string_view name_of(SessionState state) noexcept { return row_of(state).name; }

std::string_view name_of(SessionEvent event) noexcept {
  return kSessionEventNames[static_cast<std::size_t>(event)];
}

std::optional<SessionState> ResidentSession::next(SessionState state, SessionEvent event) noexcept {
  return row_of(state).next[static_cast<std::size_t>(event)];
}

void ResidentSession::on(SessionEvent event) {
  const NextState to = next(state_, event);
  if (!to) {
    throw Error(ErrorCode::InvalidState, "the session of a loop is '" +
                                             std::string(name_of(state_)) + "', in which '" +
                                             std::string(name_of(event)) + "' cannot happen");
  }
  state_ = *to;
}

bool ResidentSession::runs() const noexcept {
  return is_open() || was_told_to_end() || is(SessionState::Stalled);
}

bool ResidentSession::is_open() const noexcept {
  return is(SessionState::Running) || is(SessionState::Changing);
}

bool ResidentSession::was_told_to_end() const noexcept {
  return is(SessionState::Ending) || is(SessionState::TearingDown);
}

bool ResidentSession::was_torn_down() const noexcept {
  return is(SessionState::TearingDown) || is(SessionState::TornDown);
}

std::string session_table_as_markdown() {
  std::string text =
      "| state of the loop | meaning | event → next state; others cannot happen |\n|---|---|---|\n";
  for (const SessionRow& row : kSessionTable) {
    std::string ways;
    for (std::size_t event = 0; event < kSessionEvents; ++event) {
      if (const NextState& to = row.next[event]) {
        ways += (ways.empty() ? "" : ", ") + std::string(kSessionEventNames[event]) + " → " +
                std::string(name_of(*to));
      }
    }
    text +=
        "| `" + std::string(row.name) + "` | " + std::string(row.meaning) + " | " + ways + " |\n";
  }
  return text;
}

}  // namespace gxr
