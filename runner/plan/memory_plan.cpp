#include "plan/memory_plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "plan/heaviest_antichain.hpp"

namespace gxr {
namespace {

using Index = std::uint32_t;
using Order = std::vector<Index>;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kMemoryAlignment - 1) / kMemoryAlignment * kMemoryAlignment;
}

/// Which steps lead to which: one row of bits for each step.
class Reachability {
 public:
  explicit Reachability(const std::vector<std::vector<Index>>& predecessors)
      : words_((predecessors.size() + 63) / 64), bits_(predecessors.size() * words_) {
    for (Index step = 0; step < predecessors.size(); ++step) {
      for (const Index before : predecessors[step]) {
        for (std::size_t i = 0; i < words_; ++i) {
          bits_[step * words_ + i] |= bits_[before * words_ + i];
        }
        bits_[step * words_ + before / 64] |= std::uint64_t{1} << (before % 64);
      }
    }
  }

  /// Has `first` always ended when `then` begins?
  [[nodiscard]] bool ordered(Index first, Index then) const {
    return (bits_[then * words_ + first / 64] >> (first % 64) & 1U) != 0;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Has everybody who uses `first` ended when `then` is written?
bool gone_before(const Reachability& steps, const MemoryRequest& first, const MemoryRequest& then) {
  return steps.ordered(first.producer, then.producer) &&
         std::ranges::all_of(first.consumers, [&](Index consumer) {
           return steps.ordered(consumer, then.producer);
         });
}

/// For every request, the ones that it must not overlap.
std::vector<Order> find_conflicts(const Reachability& steps,
                                  const std::vector<MemoryRequest>& requests) {
  std::vector<Order> conflicts(requests.size());
  for (Index a = 0; a < requests.size(); ++a) {
    for (Index b = a + 1; b < requests.size(); ++b) {
      if (!gone_before(steps, requests[a], requests[b]) &&
          !gone_before(steps, requests[b], requests[a])) {
        conflicts[a].push_back(b);
        conflicts[b].push_back(a);
      }
    }
  }
  return conflicts;
}

/// Places requests one after the other, each where it leaves the least gap.
class Placer {
 public:
  Placer(const std::vector<std::uint64_t>& sizes, const std::vector<Order>& conflicts)
      : sizes_(sizes), conflicts_(conflicts) {}

  /// Bytes in all; the offsets are in `offsets`.
  std::uint64_t place(const Order& order, std::vector<std::uint64_t>& offsets) {
    offsets.assign(sizes_.size(), kNowhere);
    std::uint64_t end = 0;
    for (const Index request : order) {
      offsets[request] = best_gap(request, offsets);
      end = std::max(end, offsets[request] + sizes_[request]);
    }
    return end;
  }

 private:
  static constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t best_gap(Index request, const std::vector<std::uint64_t>& offsets) {
    taken_.clear();
    for (const Index other : conflicts_[request]) {
      if (offsets[other] != kNowhere && sizes_[other] > 0) {
        taken_.emplace_back(offsets[other], offsets[other] + sizes_[other]);
      }
    }
    std::ranges::sort(taken_);
    std::uint64_t best = kNowhere;
    std::uint64_t least = kNowhere;
    std::uint64_t end = 0;
    for (const auto& [from, to] : taken_) {
      if (from > end && from - end >= sizes_[request] && from - end < least) {
        least = from - end;
        best = end;
      }
      end = std::max(end, to);
    }
    return best == kNowhere ? end : best;
  }

  const std::vector<std::uint64_t>& sizes_;
  const std::vector<Order>& conflicts_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken_;
};

/// Orders worth a try: by size, by size times the number of conflicts, by producer.
std::vector<Order> first_orders(const std::vector<std::uint64_t>& sizes,
                                const std::vector<Order>& conflicts,
                                const std::vector<MemoryRequest>& requests) {
  Order by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), Index{0});
  Order by_weight = by_size;
  Order by_producer = by_size;
  std::ranges::stable_sort(by_size, std::greater{}, [&](Index i) { return sizes[i]; });
  std::ranges::stable_sort(by_weight, std::greater{}, [&](Index i) {
    return static_cast<double>(sizes[i]) * static_cast<double>(conflicts[i].size() + 1);
  });
  std::ranges::stable_sort(by_producer, {}, [&](Index i) { return requests[i].producer; });
  return {by_size, by_weight, by_producer};
}

/// Another order near a good one: some requests earlier than they were.
Order vary(Order order, std::minstd_rand& random) {
  const std::size_t moves = 1 + random() % 3;
  for (std::size_t i = 0; i < moves; ++i) {
    const std::size_t from = random() % order.size();
    const std::size_t to = random() % (from + 1);
    std::rotate(order.begin() + static_cast<std::ptrdiff_t>(to),
                order.begin() + static_cast<std::ptrdiff_t>(from),
                order.begin() + static_cast<std::ptrdiff_t>(from) + 1);
  }
  return order;
}

/// How many variations a graph of this size is worth, so that planning takes milliseconds.
std::size_t variations(std::size_t requests) {
  constexpr std::size_t kWork = 400'000;
  return requests < 2 ? 0 : std::min<std::size_t>(200, kWork / (requests * requests));
}

void search(const std::vector<Order>& conflicts, const std::vector<std::uint64_t>& sizes,
            const std::vector<MemoryRequest>& requests, MemoryPlan& plan) {
  Placer placer(sizes, conflicts);
  Order best;
  std::vector<std::uint64_t> offsets;
  const auto consider = [&](const Order& order) {
    if (const std::uint64_t bytes = placer.place(order, offsets);
        best.empty() || bytes < plan.bytes) {
      plan.bytes = bytes;
      plan.offsets = offsets;
      best = order;
    }
  };
  for (const Order& order : first_orders(sizes, conflicts, requests)) {
    consider(order);
  }
  std::minstd_rand random(1);  // the same plan every time
  for (std::size_t i = variations(requests.size()); i > 0 && plan.bytes > plan.lower_bound; --i) {
    consider(vary(best, random));
  }
}

/// The heaviest request with all that are in use while it is written.
std::uint64_t simple_bound(const Reachability& steps, const std::vector<MemoryRequest>& requests,
                           const std::vector<std::uint64_t>& sizes) {
  std::uint64_t greatest = 0;
  for (const MemoryRequest& at : requests) {
    std::uint64_t sum = 0;
    for (Index i = 0; i < requests.size(); ++i) {
      const MemoryRequest& r = requests[i];
      const bool begun = r.producer == at.producer || steps.ordered(r.producer, at.producer);
      const bool needed =
          r.producer == at.producer || std::ranges::any_of(r.consumers, [&](Index consumer) {
            return consumer == at.producer || steps.ordered(at.producer, consumer);
          });
      sum += begun && needed ? sizes[i] : 0;
    }
    greatest = std::max(greatest, sum);
  }
  return greatest;
}

std::uint64_t exact_bound(const Reachability& steps, const std::vector<MemoryRequest>& requests,
                          const std::vector<std::uint64_t>& sizes) {
  return heaviest_antichain(sizes, [&](std::size_t a, std::size_t b) {
    return gone_before(steps, requests[a], requests[b]);
  });
}

}  // namespace

MemoryPlan plan_memory(const std::vector<std::vector<std::uint32_t>>& predecessors,
                       const std::vector<MemoryRequest>& requests) {
  std::vector<std::uint64_t> sizes;
  for (const MemoryRequest& request : requests) {
    sizes.push_back(aligned(request.bytes));
  }
  const Reachability steps(predecessors);
  MemoryPlan plan;
  plan.sum = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  plan.lower_bound = requests.size() <= kMostExactRequests ? exact_bound(steps, requests, sizes)
                                                           : simple_bound(steps, requests, sizes);
  search(find_conflicts(steps, requests), sizes, requests, plan);
  return plan;
}

}  // namespace gxr
