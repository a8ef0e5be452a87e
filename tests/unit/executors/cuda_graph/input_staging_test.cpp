// What the two streams of staging buffers are given, and in which order, without a GPU.

#include "executors/cuda_graph/input_staging.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/message.hpp"
#include "gxr/tensor.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr;

using Log = std::vector<std::string>;

/// A stream that writes down what it is given.
class LoggingStream final : public DeviceStream {
 public:
  LoggingStream(std::string name, Log& log)
      : DeviceStream(nullptr, 0, true), name_(std::move(name)), log_(log) {}
  void record() override { log_.push_back(name_ + " records " + std::to_string(given())); }
  void wait_for(const DeviceWork& work) override {
    if (work) {
      const auto& other = static_cast<const LoggingStream&>(*work.stream);
      log_.push_back(name_ + " waits for " + other.name_ + " " + std::to_string(work.number));
    }
  }
  bool is_done(std::uint64_t) override { return true; }
  void wait_on_host(std::uint64_t) override { log_.push_back("the host waits for " + name_); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  Log& log_;
};

std::vector<const DeviceStream*> users_of(const Tensor& tensor) {
  std::vector<const DeviceStream*> users;
  tensor.device_users().for_each([&](DeviceStream& user) { users.push_back(&user); });
  return users;
}

/// A graph whose input lies at `input`, with two buffers.
struct Rig {
  harness::Harness harness;
  Log log;
  LoggingStream copies{"copies", log};
  LoggingStream graph{"graph", log};
  std::int32_t host[4] = {};
  std::int32_t input = 0;
  std::array<std::int32_t, 2> buffers{};
  InputStaging staging{{&buffers[0], &buffers[1]},
                       [this](void* to, const void* from, std::size_t bytes, DeviceStream& stream) {
                         CHECK(bytes == sizeof input);
                         log.push_back(static_cast<LoggingStream&>(stream).name() + " copies " +
                                       name_of(from) + " to " + name_of(to));
                       }};

  [[nodiscard]] std::string name_of(const void* memory) const {
    return memory == &input        ? "input"
           : memory == &buffers[0] ? "buffer 0"
           : memory == &buffers[1] ? "buffer 1"
                                   : "host";
  }
  /// What happens for a message, whose memory is page-locked, or not.
  Log pass(const DeviceWork& behind, MemoryStorageType storage = MemoryStorageType::Host) {
    Message message = harness.new_message();
    auto& tensor = message.add<Tensor>();
    tensor.wrap(host, {1}, ElementType::Int32, storage, nullptr, nullptr);
    message.set_device_work(behind);
    log.clear();
    staging.pass(message, tensor, &input, copies, graph);
    const std::vector<const DeviceStream*> wanted{&copies};
    CHECK(users_of(tensor) ==
          (storage == MemoryStorageType::Host ? wanted : std::vector<const DeviceStream*>{}));
    return log;
  }
};

}  // namespace

TEST_CASE("Inputs go through staging buffers in turn, behind what is moved out of them") {
  Rig rig;
  CHECK(rig.pass({}) == Log{"copies copies host to buffer 0", "graph waits for copies 1",
                            "graph copies buffer 0 to input", "graph records 1"});
  // The copy does not wait for the graph: the other buffer is free.
  CHECK(rig.pass({}) == Log{"copies copies host to buffer 1", "graph waits for copies 2",
                            "graph copies buffer 1 to input", "graph records 2"});
  rig.graph.mark();  // iterations in between
  CHECK(rig.pass({}) == Log{"copies waits for graph 1", "copies copies host to buffer 0",
                            "graph waits for copies 3", "graph copies buffer 0 to input",
                            "graph records 4"});
  CHECK(rig.pass({}) == Log{"copies waits for graph 2", "copies copies host to buffer 1",
                            "graph waits for copies 4", "graph copies buffer 1 to input",
                            "graph records 5"});
  CHECK(rig.pass({}).front() == "copies waits for graph 4");
}

TEST_CASE("A message with device work of its own is copied behind it") {
  Rig rig;
  LoggingStream producer("producer", rig.log);
  CHECK(rig.pass(producer.mark()) ==
        Log{"copies waits for producer 1", "copies copies host to buffer 0",
            "graph waits for copies 1", "graph copies buffer 0 to input", "graph records 1"});
}

TEST_CASE("Memory that devices do not reach has no users when its copy was called for") {
  Rig rig;
  CHECK(rig.pass({}, MemoryStorageType::System).front() == "copies copies host to buffer 0");
}
