#include "dds/sample_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dds/losses.hpp"
#include "tests/unit/catch.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr::dds;

Guid guid(std::uint8_t number) { return {number}; }

/// Has the samples that a test puts into it.
class Samples final : public Reader {
 public:
  void add(std::uint8_t writer, std::uint64_t number, std::int64_t expires = 0) {
    samples_.push_back(
        {std::make_shared<SampleBytes>(0), guid(writer), number, 0, {}, false, expires});
  }
  void add_bad(std::uint8_t writer, std::uint64_t number) {
    samples_.push_back({nullptr, guid(writer), number, 0, "too short"});
  }
  void listen() override {}
  bool take(std::size_t most, std::vector<Received>& samples) override {
    const std::size_t count = std::min({most, std::size_t{3}, samples_.size()});
    for (std::size_t i = 0; i < count; ++i) {
      samples.push_back(std::move(samples_.front()));
      samples_.pop_front();
    }
    return !samples_.empty();
  }
  [[nodiscard]] std::size_t count() const { return samples_.size(); }

 private:
  std::deque<Received> samples_;
};

Losses::Writer of(const Losses& losses, std::uint8_t number) {
  for (const Losses::Writer& writer : losses.writers()) {
    if (writer.guid == guid(number)) {
      return writer;
    }
  }
  return {};
}

struct Queue {
  explicit Queue(std::uint32_t depth, Ownership ownership = Ownership::Shared) {
    Qualities qualities;
    qualities.depth = depth;
    qualities.ownership = ownership;
    harness.initialize();
    queue.open(term, reader, qualities,
               [this](const Received& sample) { bad.push_back(sample.flaw); });
  }
  /// Number and loss of the next one; 0 for none.
  std::pair<std::uint64_t, std::uint64_t> take(std::int64_t now = 0) {
    const auto entry = queue.take(now);
    return entry ? std::pair{entry->sample.number, entry->lost} : std::pair{0UL, 0UL};
  }

  gxr::harness::Harness harness;
  gxr::AsynchronousSchedulingTerm& term = harness.add<gxr::AsynchronousSchedulingTerm>("e/term");
  Samples reader;
  std::vector<std::string> bad;
  SampleQueue queue;
};

using Next = std::pair<std::uint64_t, std::uint64_t>;

TEST_CASE("a full queue drops the oldest, for which the next of its writer answers") {
  Queue queue(3);
  queue.reader.add(1, 1);
  queue.reader.add(2, 1);
  queue.reader.add(1, 4);
  queue.reader.add(2, 2);
  queue.reader.add(2, 3);
  queue.queue.fill();
  CHECK(queue.take() == Next{4, 3});  // 2 on the way, and 1 here
  CHECK(queue.take() == Next{2, 1});
  CHECK(queue.take() == Next{3, 0});
  CHECK(queue.take() == Next{0, 0});
  CHECK(of(queue.queue.losses(), 1).lost == 2);
  CHECK(of(queue.queue.losses(), 1).dropped == 1);
  CHECK(of(queue.queue.losses(), 2).dropped == 1);
}

TEST_CASE("a later sample answers for one that was dropped when no other of its writer waited") {
  Queue queue(1);
  queue.reader.add(1, 1);
  queue.reader.add(2, 1);
  queue.queue.fill();
  CHECK(queue.take() == Next{1, 0});
  queue.reader.add(1, 3);
  queue.reader.add(1, 4);
  queue.queue.fill();
  CHECK(queue.take() == Next{4, 3});  // 1 and 3 here, and 2 on the way
  queue.reader.add(1, 5);
  queue.queue.fill();
  CHECK(queue.take() == Next{5, 0});
}

TEST_CASE("a sample whose lifespan has passed is dropped, for which the next one answers") {
  Queue queue(8);
  queue.reader.add(1, 1, 100);
  queue.reader.add(1, 2, 200);
  queue.reader.add(2, 1);
  queue.reader.add(1, 3, 300);
  queue.queue.fill();
  CHECK(queue.take(99) == Next{1, 0});
  CHECK(queue.take(200) == Next{1, 0});  // of the other
  CHECK(queue.take(299) == Next{3, 1});
  CHECK(of(queue.queue.losses(), 1).dropped == 1);
  queue.reader.add(1, 4, 400);
  queue.queue.fill();
  CHECK(queue.take(400) == Next{0, 0});
  queue.reader.add(1, 5);
  queue.queue.fill();
  CHECK(queue.take(500) == Next{5, 1});
}

TEST_CASE("a bad sample is told, and is not lost") {
  Queue queue(8);
  queue.reader.add(1, 1);
  queue.reader.add_bad(1, 3);
  queue.reader.add(1, 4);
  queue.queue.fill();
  CHECK(queue.bad == std::vector<std::string>{"too short"});
  CHECK(queue.take() == Next{1, 0});
  CHECK(queue.take() == Next{4, 1});  // 2 on the way
  CHECK(of(queue.queue.losses(), 1).lost == 1);
}

TEST_CASE("the next sample of a writer answers for one that was taken and is no message") {
  Queue queue(8);
  queue.reader.add(1, 1);
  queue.reader.add(1, 4);
  queue.reader.add(2, 1);
  queue.reader.add(1, 5);
  queue.queue.fill();
  CHECK(queue.take() == std::pair{1UL, 0UL});
  CHECK(queue.take() == std::pair{4UL, 2UL});
  queue.queue.add_to_next(guid(1), 2);  // number 4 was bad
  CHECK(queue.take() == std::pair{1UL, 0UL});
  CHECK(queue.take() == std::pair{5UL, 2UL});
  queue.queue.add_to_next(guid(1), 3);  // none waits
  queue.reader.add(1, 6);
  queue.queue.fill();
  CHECK(queue.take() == std::pair{6UL, 3UL});
}

TEST_CASE("without a depth, samples wait in the reader") {
  constexpr std::uint64_t kMany = 200;
  Queue queue(0);
  for (std::uint64_t i = 1; i <= kMany; ++i) {
    queue.reader.add(1, i);
  }
  queue.queue.fill();
  CHECK(queue.reader.count() > 0);
  for (std::uint64_t i = 1; i <= kMany; ++i) {
    CHECK(queue.take() == Next{i, 0});
  }
  CHECK(queue.term.event_state() == gxr::AsynchronousEventState::EventWaiting);
}

TEST_CASE("a writer that takes over an exclusive topic has lost nothing before") {
  const auto losses = [](Ownership ownership) {
    Queue queue(8, ownership);
    queue.reader.add(1, 1);
    queue.reader.add(2, 5);
    queue.reader.add(1, 9);
    queue.reader.add(1, 11);
    queue.queue.fill();
    return of(queue.queue.losses(), 1).lost;
  };
  CHECK(losses(Ownership::Exclusive) == 1);
  CHECK(losses(Ownership::Shared) == 8);
}

}  // namespace
