#include "executors/cuda_graph/earlier_graphs.hpp"

#include <utility>

namespace gxr {

void EarlierGraphs::add(DeviceGraph& graph, std::uint64_t launched) {
  measured_ = with(graph.measured());
  launched_ = launched;
  updates_ = with(graph.updates());
  ++updates_.instantiations;
}

DeviceGraphUpdates EarlierGraphs::with(DeviceGraphUpdates now) const noexcept {
  return {updates_.nodes + now.nodes, updates_.graphs + now.graphs,
          updates_.instantiations + now.instantiations};
}

std::vector<MeasuredIteration> EarlierGraphs::with(std::vector<MeasuredIteration> now) const {
  constexpr std::size_t kMostEarlier = 4096;
  std::vector<MeasuredIteration> all = measured_;
  for (MeasuredIteration& each : now) {
    each.number += launched_;
    all.push_back(std::move(each));
  }
  if (all.size() > kMostEarlier) {
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(kMostEarlier));
  }
  return all;
}

}  // namespace gxr
