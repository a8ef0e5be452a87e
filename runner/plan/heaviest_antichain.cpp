#include "plan/heaviest_antichain.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gxr {
namespace {

/// Greatest flow in a network of capacities.
class Flow {
 public:
  explicit Flow(std::size_t nodes) : edges_of_(nodes), level_(nodes), next_(nodes) {}

  void add(std::size_t from, std::size_t to, std::uint64_t capacity) {
    edges_of_[from].push_back(edges_.size());
    edges_.push_back({to, capacity});
    edges_of_[to].push_back(edges_.size());
    edges_.push_back({from, 0});
  }

  std::uint64_t greatest(std::size_t source, std::size_t sink) {
    std::uint64_t sum = 0;
    while (find_levels(source, sink)) {
      std::fill(next_.begin(), next_.end(), 0);
      while (const std::uint64_t pushed =
                 push(source, sink, std::numeric_limits<std::uint64_t>::max())) {
        sum += pushed;
      }
    }
    return sum;
  }

 private:
  struct Edge {
    std::size_t to;
    std::uint64_t room;
  };

  /// Distances from the source; is the sink within reach?
  bool find_levels(std::size_t source, std::size_t sink) {
    std::fill(level_.begin(), level_.end(), kFar);
    level_[source] = 0;
    std::vector<std::size_t> queue{source};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::size_t e : edges_of_[queue[i]]) {
        if (edges_[e].room > 0 && level_[edges_[e].to] == kFar) {
          level_[edges_[e].to] = level_[queue[i]] + 1;
          queue.push_back(edges_[e].to);
        }
      }
    }
    return level_[sink] != kFar;
  }

  /// Sends what one shortest path can take. A path has few nodes, so the recursion is shallow.
  std::uint64_t push(std::size_t node, std::size_t sink, std::uint64_t most) {
    if (node == sink) {
      return most;
    }
    for (std::size_t& i = next_[node]; i < edges_of_[node].size(); ++i) {
      const std::size_t e = edges_of_[node][i];
      if (edges_[e].room == 0 || level_[edges_[e].to] != level_[node] + 1) {
        continue;
      }
      if (const std::uint64_t sent = push(edges_[e].to, sink, std::min(most, edges_[e].room))) {
        edges_[e].room -= sent;
        edges_[e ^ 1U].room += sent;
        return sent;
      }
    }
    return 0;
  }

  static constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();

  std::vector<std::vector<std::size_t>> edges_of_;
  std::vector<Edge> edges_;  // an edge and its reverse, side by side
  std::vector<std::size_t> level_;
  std::vector<std::size_t> next_;
};

}  // namespace

std::uint64_t heaviest_antichain(const std::vector<std::uint64_t>& weights,
                                 const std::function<bool(std::size_t, std::size_t)>& before) {
  const std::size_t count = weights.size();
  const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  const std::size_t source = 2 * count;
  const std::size_t sink = source + 1;
  Flow flow(2 * count + 2);
  for (std::size_t a = 0; a < count; ++a) {
    flow.add(source, a, weights[a]);
    flow.add(count + a, sink, weights[a]);
    for (std::size_t b = 0; b < count; ++b) {
      if (before(a, b)) {
        flow.add(a, count + b, sum);
      }
    }
  }
  return sum - flow.greatest(source, sink);
}

}  // namespace gxr
