#include "rank_run/mpi_transport.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/socket.h>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

using std::chrono::milliseconds;

bool comes(const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

/// What two ports have between them. Sends are done only when they have been received.
struct FakeNetwork {
  struct Message {
    std::uint32_t tag = 0;
    std::vector<std::byte> bytes;
    std::shared_ptr<bool> taken;
  };
  std::mutex mutex;
  std::array<std::deque<Message>, 2> to;  // by rank
  int in_barrier = 0;
  bool fails = false;
  int finished = 0;
};

class FakePort final : public MpiPort {
 public:
  FakePort(FakeNetwork& network, std::uint32_t rank) : network_(network), rank_(rank) {}

  [[nodiscard]] std::uint32_t rank() const noexcept override { return rank_; }
  [[nodiscard]] std::uint32_t ranks() const noexcept override { return 2; }
  [[nodiscard]] std::uint32_t ranks_of_host() const noexcept override { return 2; }
  [[nodiscard]] std::uint32_t rank_of_host() const noexcept override { return rank_; }
  [[nodiscard]] std::uint32_t greatest_tag() const noexcept override { return 99; }
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> /*own*/) override {
    return {};
  }
  Request send(std::uint32_t to, std::uint32_t tag, std::span<const std::byte> bytes) override {
    const std::lock_guard lock(network_.mutex);
    if (network_.fails) {
      throw Error(ErrorCode::InputOutput, "MPI: MPI_Isend: it is broken");
    }
    auto taken = std::make_shared<bool>(false);
    network_.to.at(to).push_back({tag, {bytes.begin(), bytes.end()}, taken});
    requests_.push_back(std::move(taken));
    return requests_.size() - 1;
  }
  std::optional<Arrival> probe() override {
    const std::lock_guard lock(network_.mutex);
    auto& queue = network_.to.at(rank_);
    if (queue.empty()) {
      return std::nullopt;
    }
    probed_ = std::move(queue.front());
    queue.pop_front();
    return Arrival{1 - rank_, probed_.tag, probed_.bytes.size()};
  }
  Request receive(std::span<std::byte> bytes) override {
    const std::lock_guard lock(network_.mutex);
    std::copy(probed_.bytes.begin(), probed_.bytes.end(), bytes.begin());
    *probed_.taken = true;
    requests_.push_back(std::make_shared<bool>(true));
    return requests_.size() - 1;
  }
  bool is_done(Request request) override {
    const std::lock_guard lock(network_.mutex);
    return request == kBarrier ? network_.in_barrier == 2 : *requests_.at(request);
  }
  Request begin_barrier() override {
    const std::lock_guard lock(network_.mutex);
    ++network_.in_barrier;
    return kBarrier;
  }
  void finish() override {
    const std::lock_guard lock(network_.mutex);
    ++network_.finished;
  }

 private:
  static constexpr Request kBarrier = ~Request{0};
  FakeNetwork& network_;
  std::uint32_t rank_;
  std::vector<std::shared_ptr<bool>> requests_;
  FakeNetwork::Message probed_;
};

/// Two ranks in one process, and what each has heard.
struct Pair {
  explicit Pair(std::size_t channels = 4) {
    std::array<int, 2> sockets{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) == 0);
    for (Rank rank = 0; rank < 2; ++rank) {
      std::vector<FileDescriptor> own(2);
      own.at(1 - rank) = FileDescriptor(sockets.at(rank));
      transports.at(rank) = std::make_unique<MpiTransport>(
          std::make_unique<FakePort>(network, rank), std::move(own), channels);
    }
  }
  void begin() {
    for (Rank rank = 0; rank < 2; ++rank) {
      transports.at(rank)->begin(
          {[this, rank](Rank from, RankFrame kind, std::uint32_t channel, const RankBytes& body) {
             const std::lock_guard lock(mutex);
             heard.at(rank).push_back(std::to_string(from) + " " +
                                      std::to_string(static_cast<int>(kind)) + " " +
                                      std::to_string(channel) + " " + std::to_string(body.size()));
           },
           [this, rank](Rank other, const std::string& why) {
             const std::lock_guard lock(mutex);
             lost.at(rank).push_back(std::to_string(other) + ": " + why);
           }});
    }
  }
  std::vector<std::string> heard_by(Rank rank) {
    const std::lock_guard lock(mutex);
    return heard.at(rank);
  }
  std::vector<std::string> lost_by(Rank rank) {
    const std::lock_guard lock(mutex);
    return lost.at(rank);
  }

  FakeNetwork network;
  std::mutex mutex;
  std::array<std::vector<std::string>, 2> heard;
  std::array<std::vector<std::string>, 2> lost;
  std::array<std::unique_ptr<MpiTransport>, 2> transports;
};

TEST_CASE("messages and credits keep their order", "[rank_run]") {
  Pair pair;
  pair.begin();
  constexpr std::size_t kMessages = 500;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < kMessages; ++i) {
    const RankFrame kind = i % 3 == 0 ? RankFrame::Credit : RankFrame::Message;
    pair.transports[0]->send(1, kind, 3, RankBytes(i));
    expected.push_back("0 " + std::to_string(static_cast<int>(kind)) + " 3 " + std::to_string(i));
  }
  CHECK(comes([&] { return pair.heard_by(1).size() == kMessages; }));
  CHECK(pair.heard_by(1) == expected);
  pair.transports[1]->send(0, RankFrame::Termination, 0, RankBytes(5));  // by sockets
  CHECK(comes([&] { return pair.heard_by(0) == std::vector<std::string>{"1 3 0 5"}; }));
}

TEST_CASE("who has nothing to do polls", "[rank_run]") {
  Pair pair;
  pair.begin();
  const std::atomic<bool> never{false};
  const std::atomic<bool> at_once{true};
  CHECK_FALSE(pair.transports[1]->poll(never, 1000));
  CHECK_FALSE(pair.transports[1]->poll(at_once, 1'000'000'000));
  pair.transports[0]->send(1, RankFrame::Message, 0, RankBytes(7));
  CHECK(comes([&] {  // either the polling thread or the transport's takes it
    return pair.transports[1]->poll(never, 1'000'000) || !pair.heard_by(1).empty();
  }));
  CHECK(comes([&] { return pair.heard_by(1) == std::vector<std::string>{"0 1 0 7"}; }));
}

TEST_CASE("both end in order", "[rank_run]") {
  Pair pair;
  pair.begin();
  pair.transports[0]->send(1, RankFrame::Message, 0, RankBytes(7));  // under way
  std::thread other([&] { pair.transports[1]->finish(milliseconds(1000)); });
  pair.transports[0]->finish(milliseconds(1000));
  other.join();
  CHECK(pair.network.finished == 2);
  CHECK(pair.heard_by(1).size() == 1);
  CHECK(pair.lost_by(0).empty());
  CHECK(pair.lost_by(1).empty());
}

TEST_CASE("a rank that is gone is lost, and MPI is left as it is", "[rank_run]") {
  Pair pair;
  pair.begin();
  pair.transports[1].reset();
  CHECK(
      comes([&] { return pair.lost_by(0) == std::vector<std::string>{"1: its process is gone"}; }));
  pair.transports[0]->send(1, RankFrame::Message, 0, RankBytes(7));
  pair.transports[0]->finish(milliseconds(1000));
  CHECK(pair.network.finished == 0);
}

TEST_CASE("a failure of MPI loses the others", "[rank_run]") {
  Pair pair;
  pair.begin();
  {
    const std::lock_guard lock(pair.network.mutex);
    pair.network.fails = true;
  }
  pair.transports[0]->send(1, RankFrame::Message, 0, RankBytes(7));
  CHECK(comes([&] {
    return pair.lost_by(0) == std::vector<std::string>{"1: MPI: MPI_Isend: it is broken"};
  }));
}

TEST_CASE("more channels than tags are refused", "[rank_run]") {
  CHECK_NOTHROW(Pair(50));
  CHECK_THROWS_AS(Pair(51), Error);
}

}  // namespace
}  // namespace gxr
