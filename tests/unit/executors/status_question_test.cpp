// A question that the executor's thread answers in pieces.

#include "executors/status_question.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace gxr {
namespace {

using std::chrono::milliseconds;

RunStatus frame_of(std::size_t entities) {
  RunStatus frame;
  frame.executor = "one thread";
  for (std::size_t i = 0; i < entities; ++i) {
    frame.entities.emplace_back().entity = "e" + std::to_string(i);
  }
  return frame;
}

void tell_index(EntityStatus& entity, std::size_t index) {
  entity.ticks = index;
  entity.state = EntityState::Ready;
}

bool is_whole(const RunStatus& status) {
  for (std::size_t i = 0; i < status.entities.size(); ++i) {
    const EntityStatus& entity = status.entities[i];
    if (entity.ticks != i || entity.state != EntityState::Ready) {
      return false;
    }
  }
  return true;
}

/// Calls go_on() as an executor does.
class Answering {
 public:
  template <class Fill>
  Answering(StatusQuestion& question, Fill fill)
      : thread_([this, &question, fill] {
          while (!stop_) {
            if (question.is_asked()) {
              question.go_on(fill);
              ++pieces_;
            }
          }
        }) {}
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;
  ~Answering() {
    stop_ = true;
    thread_.join();
  }
  [[nodiscard]] int pieces() const { return pieces_; }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<int> pieces_{0};
  std::thread thread_;
};

TEST_CASE("several threads ask, one after the other", "[status]") {
  for (const bool pauses : {false, true}) {
    StatusQuestion question(pauses);
    const Answering answering(question, tell_index);
    std::atomic<int> whole{0};
    std::vector<std::thread> askers;
    for (int i = 0; i < 3; ++i) {
      askers.emplace_back([&] {
        for (int j = 0; j < 20; ++j) {
          const auto status = question.ask(frame_of(100), milliseconds(20'000), [] {});
          whole += status && status->executor == "one thread" && is_whole(*status) ? 1 : 0;
        }
      });
    }
    for (std::thread& asker : askers) {
      asker.join();
    }
    CHECK(whole == 60);
  }
}

TEST_CASE("a long answer comes in pieces", "[status]") {
  StatusQuestion question(true);
  const Answering answering(question, [](EntityStatus& entity, std::size_t index) {
    const std::int64_t end = steady_now() + StatusQuestion::kLongestPiece;
    while (steady_now() < end) {
    }
    tell_index(entity, index);
  });
  const auto status = question.ask(frame_of(20), milliseconds(20'000), [] {});
  REQUIRE(status);
  CHECK(is_whole(*status));
  CHECK(answering.pieces() >= 20);
}

TEST_CASE("an answer that does not come is not waited for", "[status]") {
  StatusQuestion question(true);
  CHECK_FALSE(question.ask(frame_of(1), milliseconds(10), [] {}));
  CHECK_FALSE(question.is_asked());
  question.go_on(tell_index);  // too late: it writes nowhere
  const Answering answering(question, tell_index);
  const auto status = question.ask(frame_of(3), milliseconds(20'000), [] {});
  REQUIRE(status);
  CHECK(is_whole(*status));
}

TEST_CASE("nobody waits for a run that has ended", "[status]") {
  StatusQuestion question(false);
  std::thread asker([&] { CHECK_FALSE(question.ask(frame_of(1), milliseconds(600'000), [] {})); });
  while (!question.is_asked()) {
  }
  question.end();
  asker.join();
  CHECK_FALSE(question.ask(frame_of(1), milliseconds(600'000), [] {}));
}

}  // namespace
}  // namespace gxr
