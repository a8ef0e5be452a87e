#include "rank_run/rank_session.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

#include "catch.hpp"
#include "ipc/file_descriptor.hpp"
#include "rank_run/rank_mesh.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;
using std::chrono::milliseconds;

constexpr milliseconds kLong{60'000};

RankBytes bytes_of(const std::string& text) {
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

RankChannel channel(Rank from, Rank to, std::uint64_t credits) {
  RankChannel made;
  made.from = from;
  made.to = to;
  made.credits = credits;
  return made;
}

/// So many ranks in one process. Some may be mere sockets, with which a test does what it likes.
class Ranks {
 public:
  explicit Ranks(Rank number, std::vector<RankChannel> channels = {})
      : channels_(std::move(channels)), sockets_(number) {
    for (auto& of_one : sockets_) {
      of_one.resize(number);
    }
    for (Rank a = 0; a < number; ++a) {
      for (Rank b = a + 1; b < number; ++b) {
        std::array<int, 2> pair{};
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
        sockets_[a][b] = FileDescriptor(pair[0]);
        sockets_[b][a] = FileDescriptor(pair[1]);
      }
    }
    meshes_.resize(number);
    sessions_.resize(number);
  }

  RankSession& start(Rank rank) {
    meshes_[rank] = std::make_unique<RankMesh>(rank, std::move(sockets_[rank]));
    sessions_[rank] =
        std::make_unique<RankSession>(*meshes_[rank], channels_, RankTrails(graph_, {}, true));
    sessions_[rank]->begin();
    return *sessions_[rank];
  }
  RankMesh& mesh(Rank rank) { return *meshes_[rank]; }
  int socket(Rank of, Rank to) { return sockets_[of][to].get(); }
  /// As if the process had died.
  void drop(Rank rank) {
    meshes_[rank].reset();
    sessions_[rank].reset();
    sockets_[rank].clear();
  }

 private:
  std::vector<RankChannel> channels_;
  std::vector<std::vector<FileDescriptor>> sockets_;
  Graph graph_;
  std::vector<std::unique_ptr<RankSession>> sessions_;
  std::vector<std::unique_ptr<RankMesh>> meshes_;  // whose threads call the sessions
};

bool arrives(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kLong;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

void rest(RankSession& session) { session.rest(session.events()); }

TEST_CASE("messages of a channel arrive in order, and each gives its sender a credit",
          "[rank_run]") {
  Ranks ranks(2, {channel(0, 1, 2)});
  RankSession& sender = ranks.start(0);
  RankSession& receiver = ranks.start(1);
  const std::string large(8'000'000, 'x');  // more than a socket takes
  sender.send(0, bytes_of("small"));
  sender.send(0, bytes_of(large));
  CHECK(sender.outlook(0).credits == 0);
  REQUIRE(arrives([&] { return receiver.arrivals(0).messages == 2; }));
  CHECK(receiver.take(0) == bytes_of("small"));
  CHECK(receiver.take(0) == bytes_of(large));
  CHECK_FALSE(receiver.take(0).has_value());
  CHECK(arrives([&] { return sender.outlook(0).credits == 2; }));
}

TEST_CASE("many small messages", "[rank_run]") {
  constexpr std::uint64_t kMessages = 20'000;
  Ranks ranks(2, {channel(0, 1, kMessages)});
  RankSession& sender = ranks.start(0);
  RankSession& receiver = ranks.start(1);
  for (std::uint64_t i = 0; i < kMessages; ++i) {
    sender.send(0, bytes_of(std::to_string(i)));
  }
  REQUIRE(arrives([&] { return receiver.arrivals(0).messages == kMessages; }));
  std::uint64_t right = 0;
  while (const auto message = receiver.take(0)) {
    right += *message == bytes_of(std::to_string(right)) ? 1 : 0;
  }
  CHECK(right == kMessages);
}

TEST_CASE("ranks end when all are at rest and nothing is under way", "[rank_run]") {
  Ranks ranks(3, {channel(0, 2, 1)});
  RankSession& first = ranks.start(0);
  RankSession& second = ranks.start(1);
  RankSession& third = ranks.start(2);
  const std::uint64_t before = third.events();
  first.send(0, bytes_of("m"));
  REQUIRE(arrives([&] { return third.arrivals(0).messages == 1; }));
  third.rest(before);  // it did not see the message
  rest(first);
  second.leave();
  std::this_thread::sleep_for(milliseconds(50));
  CHECK(first.outlook(0).open);
  CHECK(third.take(0).has_value());
  rest(third);
  REQUIRE(arrives([&] { return first.outlook(0).credits == 1; }));
  rest(first);
  first.wait_for_end();
  second.wait_for_end();
  third.wait_for_end();
  CHECK_FALSE(first.outlook(0).open);
  CHECK_FALSE(third.early_end());
}

TEST_CASE("one rank ends all early", "[rank_run]") {
  Ranks ranks(3);
  RankSession& first = ranks.start(0);
  RankSession& second = ranks.start(1);
  RankSession& third = ranks.start(2);
  std::atomic<int> interrupts = 0;
  const AttachedRun attached(&first, [&] { ++interrupts; });
  second.end_all({1, {}, false});
  third.end_all({2, {}, false});
  first.wait_for_end();
  third.wait_for_end();
  REQUIRE(arrives([&] { return interrupts == 1; }));
  REQUIRE(first.early_end());
  CHECK(first.early_end()->by > 0);
  const AttachedRun late(&third, [&] { ++interrupts; });
  CHECK(interrupts == 2);
}

TEST_CASE("a rank that is gone ends the others", "[rank_run]") {
  Ranks ranks(3);
  RankSession& first = ranks.start(0);
  ranks.start(1);
  RankSession& third = ranks.start(2);
  ranks.drop(1);
  first.wait_for_end();
  third.wait_for_end();
  REQUIRE(first.early_end());
  CHECK(first.early_end()->is_loss);
  CHECK(first.early_end()->by == 1);
  CHECK(first.early_end()->text == "its process is gone");
}

TEST_CASE("what is no frame, or one that a rank cannot send, loses the rank", "[rank_run]") {
  struct Header {
    std::uint32_t kind = 0;
    std::uint32_t channel = 0;
    std::uint64_t bytes = 0;
  };
  const auto [header, body, why] = GENERATE(table<Header, std::string, std::string>({
      {{99, 0, 0}, "", "no frame of gxr"},
      {{1, 0, std::uint64_t{1} << 60U}, "", "no frame of gxr"},
      {{1, 7, 1}, "x", "a channel that it does not have"},
      {{1, 0, 1}, "x", "a channel that it does not have"},  // it receives, and does not send
      {{2, 0, 3}, "xyz", "a wrong size"},
      {{3, 0, 3}, "xyz", "a wrong size"},
      {{4, 0, 3}, "xyz", "bytes end amid a value"},
      {{6, 0, 1}, "x", "a wrong size"},
  }));
  Ranks ranks(2, {channel(0, 1, 1)});
  RankSession& session = ranks.start(0);
  std::string sent(sizeof(header), '\0');
  std::memcpy(sent.data(), &header, sizeof(header));
  sent += body;
  REQUIRE(::send(ranks.socket(1, 0), sent.data(), sent.size(), 0) ==
          static_cast<ssize_t>(sent.size()));
  session.wait_for_end();
  REQUIRE(session.early_end());
  CHECK_THAT(session.early_end()->text, ContainsSubstring(why));
}

TEST_CASE("the lowest rank that is there gets all reports", "[rank_run]") {
  Ranks ranks(3);
  RankSession& first = ranks.start(0);
  RankSession& second = ranks.start(1);
  RankSession& third = ranks.start(2);

  SECTION("all are there") {
    std::thread others([&] {
      CHECK_FALSE(second.exchange("two", kLong));
      CHECK_FALSE(third.exchange("three", kLong));
    });
    std::thread last([&] { static_cast<void>(third.exchange("three", kLong)); });
    const auto reports = first.exchange("one", kLong);
    REQUIRE(reports);
    CHECK(reports->texts == std::map<Rank, std::string>{{0, "one"}, {1, "two"}, {2, "three"}});
    CHECK(reports->missing.empty());
    first.finish(3);
    last.join();
    others.join();
    CHECK(third.exit_code() == 3);
  }
  SECTION("it dies before it has written") {
    std::thread last([&] { CHECK_FALSE(third.exchange("three", kLong)); });
    ranks.drop(0);
    const auto reports = second.exchange("two", kLong);
    REQUIRE(reports);
    CHECK(reports->texts == std::map<Rank, std::string>{{1, "two"}, {2, "three"}});
    REQUIRE(reports->lost.size() == 1);
    CHECK(reports->lost.front().rank == 0);
    second.finish(1);
    last.join();
  }
  SECTION("one says nothing") {
    const auto reports = first.exchange("one", milliseconds(20));
    REQUIRE(reports);
    CHECK(reports->missing == std::vector<Rank>{1, 2});
  }
}

TEST_CASE("a rank that says goodbye is not lost", "[rank_run]") {
  Ranks ranks(2);
  RankSession& first = ranks.start(0);
  ranks.start(1);
  ranks.mesh(1).finish(kLong);
  ranks.drop(1);
  std::this_thread::sleep_for(milliseconds(20));
  CHECK_FALSE(first.early_end());
}

}  // namespace
}  // namespace gxr
