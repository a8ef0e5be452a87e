#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "catch.hpp"
#include "extensions/cuda/runtime/graph.hpp"
#include "extensions/cuda/runtime/runtime.hpp"

namespace gxr::test {

/// A graph and the stream that it is launched on.
class Launched {
 public:
  explicit Launched(const DeviceGraphOptions& options = {})
      : graph(options), stream_(cuda::runtime().acquire_stream({})) {}
  Launched(const Launched&) = delete;
  Launched& operator=(const Launched&) = delete;
  ~Launched() { cuda::runtime().release_stream(stream_); }

  void launch() { graph.launch(stream_.handle()); }
  void run() {
    launch();
    wait();
  }
  void wait() { stream_.wait_on_host(stream_.mark().number); }
  void update() {
    const DeviceWork launched = stream_.mark();
    stream_.record();
    graph.update(launched);
  }

  cuda::RuntimeGraph graph;

 private:
  DeviceStream& stream_;
};

inline bool is(const DeviceGraphUpdates& updates, std::uint64_t nodes, std::uint64_t graphs,
               std::uint64_t instantiations) {
  CAPTURE(updates.nodes, updates.graphs, updates.instantiations);
  CHECK(updates.nodes == nodes);
  CHECK(updates.graphs == graphs);
  CHECK(updates.instantiations == instantiations);
  return updates.nodes == nodes && updates.graphs == graphs &&
         updates.instantiations == instantiations;
}

inline bool soon(const std::function<bool()>& is_true) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (!is_true() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(1ms);
  }
  return is_true();
}

}  // namespace gxr::test
