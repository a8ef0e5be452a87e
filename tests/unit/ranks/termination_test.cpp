#include "ranks/termination.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr {

// What a failed comparison prints.
std::ostream& operator<<(std::ostream& out, const TerminationMessage& message) {
  return out << "kind " << static_cast<std::uint32_t>(message.kind) << ", wave " << message.wave
             << ", sent " << message.sent << ", received " << message.received;
}

namespace {

using Catch::Matchers::ContainsSubstring;
using Kind = TerminationMessage::Kind;

struct Letter {
  Rank from = 0;
  Rank to = 0;
  TerminationMessage message;

  friend bool operator==(const Letter&, const Letter&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Letter& letter) {
    return out << letter.from << " to " << letter.to << ": " << letter.message;
  }
};

using Letters = std::vector<Letter>;

Letter ask(Rank from, Rank to, std::uint32_t wave) { return {from, to, {Kind::Ask, wave, 0, 0}}; }
Letter answer(Rank from, Rank to, std::uint32_t wave, std::uint64_t sent, std::uint64_t received) {
  return {from, to, {Kind::Answer, wave, sent, received}};
}
Letter end(Rank from, Rank to, std::uint32_t wave) { return {from, to, {Kind::End, wave, 0, 0}}; }

/// All ranks of a run, and the messages between them.
class Ranks {
 public:
  explicit Ranks(Rank count) {
    for (Rank rank = 0; rank < count; ++rank) {
      ranks_.emplace_back(rank, count, [this, rank](Rank to, const TerminationMessage& message) {
        under_way_.push_back({rank, to, message});
      });
    }
  }

  Termination& operator[](Rank rank) { return ranks_[rank]; }
  [[nodiscard]] const Letters& under_way() const { return under_way_; }

  /// The message that was sent first.
  void deliver() {
    REQUIRE_FALSE(under_way_.empty());
    const Letter letter = under_way_.front();
    under_way_.erase(under_way_.begin());
    ++delivered_;
    ranks_[letter.to].receive(letter.from, letter.message);
  }
  /// Until none is under way.
  void deliver_all() {
    while (!under_way_.empty()) {
      deliver();
    }
  }
  void all_rest() {
    for (Termination& rank : ranks_) {
      rank.rest();
    }
  }
  void transfer_frame(Rank from, Rank to) {
    ranks_[from].count_sent();
    ranks_[to].count_received();
  }

  [[nodiscard]] std::size_t delivered() const { return delivered_; }
  [[nodiscard]] Rank ended() const {
    Rank count = 0;
    for (const Termination& rank : ranks_) {
      count += rank.has_ended() ? 1 : 0;
    }
    return count;
  }

 private:
  std::deque<Termination> ranks_;
  Letters under_way_;
  std::size_t delivered_ = 0;
};

/// One rank, and what it sends.
class OneRank {
 public:
  OneRank(Rank rank, Rank ranks)
      : rank_(rank), termination_(rank, ranks, [this](Rank to, const TerminationMessage& message) {
          sent_.push_back({rank_, to, message});
        }) {}

  Termination* operator->() { return &termination_; }
  void receive(const Letter& letter) { termination_.receive(letter.from, letter.message); }
  /// Since the last call.
  Letters sent() { return std::exchange(sent_, {}); }

  /// Checks that it refuses the message, and that nothing has changed by this.
  void check_refuses(Rank from, const TerminationMessage& message) {
    INFO("rank " << rank_ << " gets from " << from << ": " << message);
    const bool at_rest = termination_.is_at_rest();
    const bool has_ended = termination_.has_ended();
    const std::uint32_t waves = termination_.waves();
    try {
      termination_.receive(from, message);
      FAIL_CHECK("it was not refused");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::InvalidData);
      CHECK_THAT(error.message(), ContainsSubstring("rank " + std::to_string(from) + " sent"));
    }
    CHECK(termination_.is_at_rest() == at_rest);
    CHECK(termination_.has_ended() == has_ended);
    CHECK(termination_.waves() == waves);
    CHECK(sent_.empty());
  }
  void check_refuses(const Letter& letter) { check_refuses(letter.from, letter.message); }

 private:
  Rank rank_;
  Letters sent_;
  Termination termination_;
};

}  // namespace

TEST_CASE("A rank is at work until it rests, and again when something wakes it", "[termination]") {
  Termination rank(1, 2, [](Rank, const TerminationMessage&) { FAIL("nobody asked"); });
  CHECK_FALSE(rank.is_at_rest());
  rank.count_sent();
  CHECK_FALSE(rank.is_at_rest());
  rank.rest();
  CHECK(rank.is_at_rest());
  rank.rest();
  CHECK(rank.is_at_rest());
  rank.count_received();
  CHECK_FALSE(rank.is_at_rest());
  rank.rest();
  rank.begin_work();
  CHECK_FALSE(rank.is_at_rest());
  CHECK_FALSE(rank.has_ended());
  CHECK(rank.waves() == 0);
}

TEST_CASE("One rank ends when it rests", "[termination]") {
  Ranks ranks(1);
  ranks[0].begin_work();
  CHECK_FALSE(ranks[0].has_ended());
  ranks[0].rest();
  CHECK(ranks[0].has_ended());
  CHECK(ranks.under_way().empty());
  ranks[0].rest();
  CHECK(ranks[0].has_ended());
}

TEST_CASE("Two ranks end after two waves", "[termination]") {
  Ranks ranks(2);
  ranks[1].rest();
  CHECK(ranks.under_way().empty());
  ranks[0].rest();
  CHECK(ranks.under_way() == Letters{ask(0, 1, 1)});
  ranks.deliver();
  CHECK(ranks.under_way() == Letters{answer(1, 0, 1, 0, 0)});
  ranks.deliver();
  CHECK(ranks.under_way() == Letters{ask(0, 1, 2)});
  ranks.deliver();
  CHECK(ranks.under_way() == Letters{answer(1, 0, 2, 0, 0)});
  CHECK(ranks.ended() == 0);
  ranks.deliver();
  CHECK(ranks.under_way() == Letters{end(0, 1, 2)});
  CHECK(ranks[0].has_ended());
  CHECK_FALSE(ranks[1].has_ended());
  ranks.deliver();
  CHECK(ranks[1].has_ended());
  CHECK(ranks.under_way().empty());
  CHECK(ranks[0].waves() == 2);
  CHECK(ranks[1].waves() == 2);
}

TEST_CASE("Nothing is sent twice when a rank rests twice", "[termination]") {
  Ranks ranks(2);
  ranks[0].rest();
  ranks[0].rest();
  CHECK(ranks.under_way() == Letters{ask(0, 1, 1)});
  ranks.deliver();
  ranks[1].rest();
  ranks[1].rest();
  CHECK(ranks.under_way() == Letters{answer(1, 0, 1, 0, 0)});
  ranks[0].begin_work();
  ranks[0].rest();
  CHECK(ranks.under_way() == Letters{answer(1, 0, 1, 0, 0)});
}

TEST_CASE("A rank answers once it is at rest, with the counts of that time", "[termination]") {
  OneRank leaf(1, 2);
  leaf.receive(ask(0, 1, 1));
  CHECK(leaf->waves() == 1);
  CHECK(leaf.sent().empty());
  leaf->count_sent();
  leaf->count_sent();
  leaf->count_received();
  leaf->rest();
  CHECK(leaf.sent() == Letters{answer(1, 0, 1, 2, 1)});

  leaf->count_received();
  leaf.receive(ask(0, 1, 2));
  CHECK(leaf.sent().empty());
  leaf->rest();
  CHECK(leaf.sent() == Letters{answer(1, 0, 2, 2, 2)});

  leaf->begin_work();
  leaf.receive(ask(0, 1, 3));
  CHECK(leaf.sent().empty());
  leaf->rest();
  CHECK(leaf.sent() == Letters{answer(1, 0, 3, 2, 2)});
  leaf.receive(ask(0, 1, 4));
  CHECK(leaf.sent() == Letters{answer(1, 0, 4, 2, 2)});
}

TEST_CASE("A rank waits for all ranks below it, and for itself", "[termination]") {
  // Below rank 1 of 7 are 5 and 6.
  OneRank inner(1, 7);
  inner.receive(ask(0, 1, 1));
  CHECK(inner.sent() == Letters{ask(1, 5, 1), ask(1, 6, 1)});
  inner->count_sent();
  SECTION("the rank rests last") {
    inner.receive(answer(6, 1, 1, 10, 20));
    inner.receive(answer(5, 1, 1, 100, 200));
    CHECK(inner.sent().empty());
    inner->rest();
  }
  SECTION("a rank below answers last") {
    inner->rest();
    inner.receive(answer(5, 1, 1, 100, 200));
    CHECK(inner.sent().empty());
    inner.receive(answer(6, 1, 1, 10, 20));
  }
  SECTION("a frame wakes the rank between the answers") {
    inner->rest();
    inner.receive(answer(5, 1, 1, 100, 200));
    inner->begin_work();
    inner.receive(answer(6, 1, 1, 10, 20));
    CHECK(inner.sent().empty());
    inner->rest();
  }
  CHECK(inner.sent() == Letters{answer(1, 0, 1, 111, 220)});
  // The next wave begins with nothing.
  inner.receive(ask(0, 1, 2));
  CHECK(inner.sent() == Letters{ask(1, 5, 2), ask(1, 6, 2)});
  inner.receive(answer(5, 1, 2, 100, 200));
  inner.receive(answer(6, 1, 2, 11, 21));
  CHECK(inner.sent() == Letters{answer(1, 0, 2, 112, 221)});
  inner.receive(end(0, 1, 2));
  CHECK(inner.sent() == Letters{end(1, 5, 2), end(1, 6, 2)});
  CHECK(inner->has_ended());
}

TEST_CASE("Rank 0 begins its first wave when it is at rest, and the others at once",
          "[termination]") {
  OneRank root(0, 2);
  root->begin_work();
  root->count_received();
  CHECK(root.sent().empty());
  root->rest();
  CHECK(root.sent() == Letters{ask(0, 1, 1)});
  root->begin_work();
  root.receive(answer(1, 0, 1, 1, 0));
  CHECK(root.sent().empty());
  root->rest();
  CHECK(root.sent() == Letters{ask(0, 1, 2)});
  CHECK(root->waves() == 2);
}

TEST_CASE("Rank 0 compares sent frames with those received before", "[termination]") {
  OneRank root(0, 2);
  root->rest();
  CHECK(root.sent() == Letters{ask(0, 1, 1)});
  // The first wave has none before it, whatever it counts.
  root.receive(answer(1, 0, 1, 0, 0));
  CHECK(root.sent() == Letters{ask(0, 1, 2)});
  SECTION("as many") {
    root.receive(answer(1, 0, 2, 0, 0));
    CHECK(root.sent() == Letters{end(0, 1, 2)});
    CHECK(root->has_ended());
  }
  SECTION("a frame was sent since then, though it has arrived") {
    root->count_received();
    root->rest();
    root.receive(answer(1, 0, 2, 1, 0));
    CHECK(root.sent() == Letters{ask(0, 1, 3)});
    root.receive(answer(1, 0, 3, 1, 0));
    CHECK(root.sent() == Letters{end(0, 1, 3)});
  }
  SECTION("a frame is under way") {
    for (std::uint32_t wave = 2; wave < 6; ++wave) {
      root.receive(answer(1, 0, wave, 1, 0));
      CHECK(root.sent() == Letters{ask(0, 1, wave + 1)});
    }
    root->count_received();
    root->rest();
    CHECK(root.sent().empty());
    root.receive(answer(1, 0, 6, 1, 0));
    CHECK(root.sent() == Letters{ask(0, 1, 7)});
    root.receive(answer(1, 0, 7, 1, 0));
    CHECK(root.sent() == Letters{end(0, 1, 7)});
  }
  SECTION("rank 0 is at work") {
    root->begin_work();
    root.receive(answer(1, 0, 2, 0, 0));
    CHECK(root.sent().empty());
    CHECK_FALSE(root->has_ended());
    root->rest();
    CHECK(root.sent() == Letters{end(0, 1, 2)});
  }
  SECTION("rank 0 has worked and has sent a frame") {
    root->begin_work();
    root->count_sent();
    root->rest();
    root.receive(answer(1, 0, 2, 0, 0));
    CHECK(root.sent() == Letters{ask(0, 1, 3)});
  }
}

TEST_CASE("No wave is complete while a rank is at work", "[termination]") {
  const Rank busy = GENERATE(0U, 1U, 4U, 5U, 20U, 21U);
  INFO("rank " << busy << " of 22");
  Ranks ranks(22);
  ranks.all_rest();
  ranks[busy].begin_work();
  ranks.deliver_all();
  CHECK(ranks.delivered() <= 2 * 21);
  CHECK(ranks.ended() == 0);
  ranks[busy].rest();
  ranks.deliver_all();
  CHECK(ranks.ended() == 22);
}

TEST_CASE("All ranks end after two waves when all rest before the first", "[termination]") {
  const Rank count = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 21U, 22U, 86U);
  INFO(count << " ranks");
  Ranks ranks(count);
  for (Rank rank = count; rank-- > 0;) {
    CHECK(ranks.ended() == 0);
    ranks[rank].rest();
  }
  ranks.deliver_all();
  CHECK(ranks.ended() == count);
  CHECK(ranks.delivered() == 5 * (count - 1));
  for (Rank rank = 0; rank < count; ++rank) {
    CHECK(ranks[rank].waves() == 2);
  }
}

TEST_CASE("A wave passes through a tree whose ranks have up to four below them", "[termination]") {
  Ranks ranks(22);
  ranks[0].rest();
  CHECK(ranks.under_way() == Letters{ask(0, 1, 1), ask(0, 2, 1), ask(0, 3, 1), ask(0, 4, 1)});
  for (int i = 0; i < 4; ++i) {
    ranks.deliver();
  }
  Letters asked;
  for (Rank rank = 5; rank < 21; ++rank) {
    asked.push_back(ask((rank - 1) / 4, rank, 1));
  }
  CHECK(ranks.under_way() == asked);
  for (int i = 0; i < 16; ++i) {
    ranks.deliver();
  }
  CHECK(ranks.under_way() == Letters{ask(5, 21, 1)});
  ranks.deliver();
  CHECK(ranks.under_way().empty());
}

TEST_CASE("A wave adds what all ranks count", "[termination]") {
  const Rank count = GENERATE(2U, 5U, 21U, 22U);
  INFO(count << " ranks");
  Ranks ranks(count);
  // Each rank but the last one sends a frame to the next one.
  for (Rank rank = 0; rank + 1 < count; ++rank) {
    ranks.transfer_frame(rank, rank + 1);
  }
  SECTION("all have arrived") {
    ranks.all_rest();
    ranks.deliver_all();
    CHECK(ranks.ended() == count);
    CHECK(ranks[0].waves() == 2);
  }
  SECTION("one more is under way from the last to the first for ten waves") {
    ranks[count - 1].count_sent();
    ranks.all_rest();
    while (ranks[0].waves() <= 10) {
      ranks.deliver();
    }
    CHECK(ranks.ended() == 0);
    ranks[0].count_received();
    ranks.deliver_all();
    CHECK(ranks.ended() == 0);
    ranks[0].rest();
    ranks.deliver_all();
    CHECK(ranks.ended() == count);
    CHECK(ranks[0].waves() == 12);
  }
}

TEST_CASE("A frame that outruns a wave does not end the run", "[termination]") {
  // Rank 2 answers wave 1, then a frame of rank 1 wakes it; rank 1 answers later.
  Ranks ranks(3);
  ranks[0].rest();
  ranks[2].rest();
  ranks.deliver();
  ranks.deliver();
  ranks.deliver();  // the answer of rank 2
  ranks.transfer_frame(1, 2);
  ranks[1].rest();
  ranks.deliver_all();  // wave 2 waits for rank 2
  CHECK(ranks.ended() == 0);
  CHECK(ranks[0].waves() == 2);
  // It sends a frame back, and rests while that is under way.
  ranks[2].count_sent();
  ranks[2].rest();
  for (int i = 0; i < 20; ++i) {
    ranks.deliver();
  }
  CHECK(ranks.ended() == 0);
  ranks[1].count_received();
  ranks.deliver_all();
  CHECK(ranks.ended() == 0);
  ranks[1].rest();
  ranks.deliver_all();
  CHECK(ranks.ended() == 3);
}

TEST_CASE("Rank 0 refuses what it cannot get", "[termination]") {
  OneRank root(0, 4);
  const auto check_refuses_others = [&] {
    for (const Rank from : {0U, 1U, 4U, 5U, RankMap::kEach}) {
      root.check_refuses(ask(from, 0, root->waves() + 1));
      root.check_refuses(end(from, 0, root->waves()));
      root.check_refuses(from, {Kind{0}, root->waves(), 0, 0});
      root.check_refuses(from, {Kind{4}, root->waves(), 0, 0});
    }
    for (const Rank from : {0U, 4U, 5U, RankMap::kEach}) {
      root.check_refuses(answer(from, 0, root->waves(), 0, 0));  // not below it
    }
  };
  check_refuses_others();
  root.check_refuses(answer(1, 0, 0, 0, 0));  // it has not asked
  root.check_refuses(answer(1, 0, 1, 0, 0));
  root->rest();
  CHECK(root.sent().size() == 3);
  check_refuses_others();
  root.check_refuses(answer(1, 0, 0, 0, 0));
  root.check_refuses(answer(1, 0, 2, 0, 0));
  root.receive(answer(1, 0, 1, 5, 5));
  root.check_refuses(answer(1, 0, 1, 5, 5));  // twice
  root.receive(answer(3, 0, 1, 5, 5));
  root.check_refuses(answer(1, 0, 1, 5, 5));
  root.check_refuses(answer(3, 0, 1, 5, 5));
  root->begin_work();
  root.receive(answer(2, 0, 1, 5, 5));
  root.check_refuses(answer(2, 0, 1, 5, 5));  // all have answered, and it is at work
  root->rest();
  CHECK(root.sent().size() == 3);
  root.check_refuses(answer(1, 0, 1, 5, 5));  // of the wave before
  // What was refused has not been counted.
  for (const Rank child : {1U, 2U, 3U}) {
    root.receive(answer(child, 0, 2, 5, 5));
  }
  CHECK(root.sent() == Letters{end(0, 1, 2), end(0, 2, 2), end(0, 3, 2)});
  check_refuses_others();
  root.check_refuses(answer(1, 0, 2, 5, 5));
  root.check_refuses(answer(1, 0, 3, 5, 5));
}

TEST_CASE("A rank between others refuses what it cannot get", "[termination]") {
  OneRank inner(1, 7);  // 5 and 6 are below it
  const auto check_refuses_others = [&] {
    for (const Rank from : {1U, 2U, 5U, 7U, RankMap::kEach}) {  // none is above it
      inner.check_refuses(ask(from, 1, inner->waves() + 1));
      inner.check_refuses(end(from, 1, inner->waves()));
    }
    for (const Rank from : {0U, 1U, 2U, 4U, 7U, 8U, 9U, RankMap::kEach}) {  // none is below it
      inner.check_refuses(answer(from, 1, inner->waves(), 0, 0));
    }
    inner.check_refuses(0, {Kind{0}, inner->waves() + 1, 0, 0});
    inner.check_refuses(0, {Kind{4}, inner->waves() + 1, 0, 0});
  };
  const auto check_refuses_asks_but = [&](std::uint32_t wave) {
    for (std::uint32_t other = 0; other < 5; ++other) {
      if (other != wave) {
        inner.check_refuses(ask(0, 1, other));
      }
    }
  };
  check_refuses_others();
  check_refuses_asks_but(1);
  inner.check_refuses(end(0, 1, 0));  // no wave has come
  inner.check_refuses(end(0, 1, 1));
  inner.check_refuses(answer(5, 1, 0, 0, 0));
  inner.check_refuses(answer(5, 1, 1, 0, 0));

  inner.receive(ask(0, 1, 1));
  CHECK(inner.sent().size() == 2);
  inner->rest();
  check_refuses_others();
  check_refuses_asks_but(0);
  inner.check_refuses(ask(0, 1, 0));
  inner.check_refuses(end(0, 1, 1));  // before its answer
  inner.check_refuses(answer(5, 1, 0, 0, 0));
  inner.check_refuses(answer(5, 1, 2, 0, 0));
  inner.receive(answer(5, 1, 1, 3, 4));
  inner.check_refuses(answer(5, 1, 1, 3, 4));  // twice
  inner.receive(answer(6, 1, 1, 30, 40));
  CHECK(inner.sent() == Letters{answer(1, 0, 1, 33, 44)});

  check_refuses_others();
  check_refuses_asks_but(2);
  inner.check_refuses(answer(5, 1, 1, 3, 4));
  inner.check_refuses(answer(5, 1, 2, 3, 4));  // not yet asked
  inner.check_refuses(end(0, 1, 1));           // one wave tells nothing

  inner.receive(ask(0, 1, 2));
  CHECK(inner.sent().size() == 2);
  inner.check_refuses(end(0, 1, 2));
  inner.receive(answer(6, 1, 2, 30, 40));
  inner.check_refuses(answer(6, 1, 2, 30, 40));
  inner.receive(answer(5, 1, 2, 3, 4));
  CHECK(inner.sent() == Letters{answer(1, 0, 2, 33, 44)});
  inner.receive(end(0, 1, 2));
  CHECK(inner.sent() == Letters{end(1, 5, 2), end(1, 6, 2)});

  check_refuses_others();
  inner.check_refuses(ask(0, 1, 3));
  inner.check_refuses(end(0, 1, 2));
  inner.check_refuses(answer(5, 1, 2, 3, 4));
  inner.check_refuses(answer(5, 1, 3, 3, 4));
}

TEST_CASE("A rank without others below it refuses answers", "[termination]") {
  OneRank leaf(21, 22);
  leaf.receive(ask(5, 21, 1));
  for (const Rank from : {0U, 5U, 21U, 85U, 88U}) {  // 85 to 88 would be below it
    leaf.check_refuses(answer(from, 21, 1, 0, 0));
  }
  leaf.check_refuses(ask(0, 21, 2));
  leaf->rest();
  CHECK(leaf.sent() == Letters{answer(21, 5, 1, 0, 0)});
}

TEST_CASE("A rank alone refuses everything", "[termination]") {
  OneRank alone(0, 1);
  const auto check_refuses_all = [&] {
    for (const Rank from : {0U, 1U}) {
      for (const std::uint32_t wave : {0U, 1U, 2U}) {
        alone.check_refuses(ask(from, 0, wave));
        alone.check_refuses(answer(from, 0, wave, 0, 0));
        alone.check_refuses(end(from, 0, wave));
      }
    }
  };
  check_refuses_all();
  alone->rest();
  check_refuses_all();
}

}  // namespace gxr
