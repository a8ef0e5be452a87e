#include "executors/cuda_graph/launches_in_flight.hpp"

#include <cstdint>
#include <vector>

#include "catch.hpp"

namespace {

using namespace gxr;

/// A stream that notes the work that was waited for.
class NotedStream final : public DeviceStream {
 public:
  NotedStream() : DeviceStream(nullptr, 0, true) {}
  void record() override {}
  void wait_for(const DeviceWork&) override {}
  bool is_done(std::uint64_t) override { return true; }
  void wait_on_host(std::uint64_t number) override { waited.push_back(number); }

  std::vector<std::uint64_t> waited;
};

TEST_CASE("A launch waits for the oldest of so many launches", "[launches_in_flight]") {
  constexpr std::uint64_t kMost = 64;
  NotedStream stream;
  LaunchesInFlight launches;
  for (std::uint64_t number = 1; number <= kMost + 2; ++number) {
    launches.wait_for_room();
    launches.note({&stream, number});
  }
  CHECK(stream.waited == std::vector<std::uint64_t>{1, 2});
  CHECK(launches.count() == kMost + 2);
}

TEST_CASE("A launch of another graph waits for none of the one before", "[launches_in_flight]") {
  NotedStream stream;
  LaunchesInFlight launches;
  for (std::uint64_t number = 1; number <= 64; ++number) {
    launches.note({&stream, number});
  }
  launches.begin_graph();
  launches.wait_for_room();
  CHECK(stream.waited.empty());
  CHECK(launches.count() == 64);
  launches.clear();
  CHECK(launches.count() == 0);
}

}  // namespace
