// The life of a resident loop, without one: every event in every state.

#include "executors/cuda_graph/resident_session.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace {

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using State = SessionState;
using Event = SessionEvent;

State state_at(std::size_t number) { return static_cast<State>(number); }
Event event_at(std::size_t number) { return static_cast<Event>(number); }

/// Events that lead to a state from the begin, for all that can be reached.
std::map<State, std::vector<Event>> ways_to_states() {
  std::map<State, std::vector<Event>> ways{{State::Unbuilt, {}}};
  for (bool found = true; found;) {
    found = false;
    for (const auto& [from, way] : std::map(ways)) {
      for (std::size_t event = 0; event < kSessionEvents; ++event) {
        const auto to = ResidentSession::next(from, event_at(event));
        if (to && !ways.contains(*to)) {
          ways[*to] = way;
          ways[*to].push_back(event_at(event));
          found = true;
        }
      }
    }
  }
  return ways;
}

ResidentSession session_in(State state) {
  ResidentSession session;
  const std::vector<Event> way = ways_to_states().at(state);
  for (const Event event : way) {
    session.on(event);
  }
  REQUIRE(session.state() == state);
  return session;
}

/// What is written here a second time, so that no entry of the table changes by accident.
const std::map<std::pair<State, Event>, State> kExpected = {
    {{State::Unbuilt, Event::Launched}, State::Running},
    {{State::Unbuilt, Event::Dropped}, State::Unbuilt},
    {{State::Running, Event::ChangeAsked}, State::Changing},
    {{State::Running, Event::EndAsked}, State::Ending},
    {{State::Running, Event::TearDownAsked}, State::TearingDown},
    {{State::Running, Event::LoopEnded}, State::Ended},
    {{State::Running, Event::WatchdogTripped}, State::Stalled},
    {{State::Running, Event::DeviceFailed}, State::Failed},
    {{State::Running, Event::Dropped}, State::Unbuilt},
    {{State::Changing, Event::EndAsked}, State::Ending},
    {{State::Changing, Event::TearDownAsked}, State::TearingDown},
    {{State::Changing, Event::LoopEnded}, State::Replacing},
    {{State::Changing, Event::WatchdogTripped}, State::Stalled},
    {{State::Changing, Event::DeviceFailed}, State::Failed},
    {{State::Changing, Event::Dropped}, State::Unbuilt},
    {{State::Replacing, Event::Launched}, State::Running},
    {{State::Replacing, Event::LimitReached}, State::Ended},
    {{State::Replacing, Event::DeviceFailed}, State::Failed},
    {{State::Replacing, Event::Dropped}, State::Unbuilt},
    {{State::Ending, Event::EndAsked}, State::Ending},
    {{State::Ending, Event::LoopEnded}, State::Ended},
    {{State::Ending, Event::WatchdogTripped}, State::Stalled},
    {{State::Ending, Event::DeviceFailed}, State::Failed},
    {{State::Ending, Event::GaveUp}, State::Hung},
    {{State::Ending, Event::Dropped}, State::Unbuilt},
    {{State::TearingDown, Event::EndAsked}, State::Ending},
    {{State::TearingDown, Event::LoopEnded}, State::TornDown},
    {{State::TearingDown, Event::WatchdogTripped}, State::Stalled},
    {{State::TearingDown, Event::DeviceFailed}, State::Failed},
    {{State::TearingDown, Event::Dropped}, State::Unbuilt},
    {{State::TornDown, Event::Launched}, State::Running},
    {{State::TornDown, Event::DeviceFailed}, State::Failed},
    {{State::TornDown, Event::Dropped}, State::Unbuilt},
    {{State::Ended, Event::DeviceFailed}, State::Failed},
    {{State::Ended, Event::Dropped}, State::Unbuilt},
    {{State::Stalled, Event::EndAsked}, State::Stalled},
    {{State::Stalled, Event::LoopEnded}, State::Ended},
    {{State::Stalled, Event::DeviceFailed}, State::Failed},
    {{State::Stalled, Event::GaveUp}, State::Hung},
    {{State::Stalled, Event::Dropped}, State::Unbuilt},
    {{State::Failed, Event::DeviceFailed}, State::Failed},
    {{State::Failed, Event::Dropped}, State::Unbuilt},
    {{State::Hung, Event::DeviceFailed}, State::Hung},
    {{State::Hung, Event::Dropped}, State::Hung},
};

}  // namespace

TEST_CASE("Each event leads where it should, or cannot happen", "[resident_session]") {
  for (std::size_t s = 0; s < kSessionStates; ++s) {
    for (std::size_t e = 0; e < kSessionEvents; ++e) {
      const State from = state_at(s);
      const Event event = event_at(e);
      INFO(std::string(name_of(from)) << ", " << std::string(name_of(event)));
      ResidentSession session = session_in(from);
      const auto found = kExpected.find({from, event});
      if (found != kExpected.end()) {
        session.on(event);
        CHECK(session.state() == found->second);
        continue;
      }
      try {
        session.on(event);
        FAIL("it can happen");
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::InvalidState);
        CHECK_THAT(error.message(), ContainsSubstring("'" + std::string(name_of(from)) + "'"));
        CHECK_THAT(error.message(), ContainsSubstring("'" + std::string(name_of(event)) + "'"));
      }
      CHECK(session.state() == from);
    }
  }
}

TEST_CASE("Names of states and events differ", "[resident_session]") {
  std::set<std::string_view> names;
  for (std::size_t s = 0; s < kSessionStates; ++s) {
    names.insert(name_of(state_at(s)));
  }
  for (std::size_t e = 0; e < kSessionEvents; ++e) {
    names.insert(name_of(event_at(e)));
  }
  CHECK(names.size() == kSessionStates + kSessionEvents);
}

TEST_CASE("A state says what may be done", "[resident_session]") {
  const auto in = [](State state, std::initializer_list<State> states) {
    return std::find(states.begin(), states.end(), state) != states.end();
  };
  for (std::size_t s = 0; s < kSessionStates; ++s) {
    const State state = state_at(s);
    INFO(std::string(name_of(state)));
    const ResidentSession session = session_in(state);
    CHECK(session.accepts() == in(state, {State::Running}));
    CHECK(session.changes() == in(state, {State::Changing}));
    CHECK(session.is_open() == in(state, {State::Running, State::Changing}));
    CHECK(session.runs() == in(state, {State::Running, State::Changing, State::Ending,
                                       State::TearingDown, State::Stalled}));
    CHECK(session.was_torn_down() == in(state, {State::TearingDown, State::TornDown}));
    CHECK(session.was_told_to_end() == in(state, {State::Ending, State::TearingDown}));
  }
}

TEST_CASE("docs/gpu-loops.md has the table of the session", "[resident_session]") {
  std::ifstream file(std::filesystem::path(GXR_SOURCE_DIR) / "docs" / "gpu-loops.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string begin = "<!-- begin: session_table_as_markdown() -->\n";
  const std::size_t at = page.find(begin);
  REQUIRE(at != std::string::npos);
  const std::size_t from = at + begin.size();
  CHECK(page.substr(from, page.find("<!-- end -->", from) - from) == session_table_as_markdown());
}
