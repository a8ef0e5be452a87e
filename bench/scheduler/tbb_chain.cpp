#include "peers.hpp"

#ifdef GXR_BENCH_TBB
#include <chrono>
#include <memory>
#include <vector>

#include <tbb/flow_graph.h>
#endif

namespace gxr::bench {

#ifdef GXR_BENCH_TBB

double tbb_chain_seconds(int forwards, std::int64_t messages) {
  namespace flow = tbb::flow;
  using Node = flow::function_node<void*, void*, flow::queueing_lightweight>;
  flow::graph graph;
  std::int64_t left = messages;
  int payload = 0;
  flow::input_node<void*> source(graph, [&](tbb::flow_control& control) -> void* {
    if (left == 0) {
      control.stop();
      return nullptr;
    }
    --left;
    return &payload;
  });
  std::vector<std::unique_ptr<Node>> nodes;
  for (int i = 0; i < forwards; ++i) {
    nodes.push_back(
        std::make_unique<Node>(graph, flow::serial, [](void* message) { return message; }));
  }
  std::int64_t received = 0;
  flow::function_node<void*, flow::continue_msg, flow::queueing_lightweight> sink(
      graph, flow::serial, [&](void*) { ++received; });
  flow::sender<void*>* previous = &source;
  for (const auto& node : nodes) {
    flow::make_edge(*previous, *node);
    previous = node.get();
  }
  flow::make_edge(*previous, sink);
  const auto begin = std::chrono::steady_clock::now();
  source.activate();
  graph.wait_for_all();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return received == messages ? seconds : -1.0;
}

#else

double tbb_chain_seconds(int, std::int64_t) { return -1.0; }

#endif

}  // namespace gxr::bench
