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

/// A set of steps for each of a number of things: a row of bits each.
class StepSets {
 public:
  StepSets(std::size_t count, std::size_t steps)
      : words_((steps + 63) / 64), bits_(count * words_) {}

  void add(std::size_t set, Index step) {
    bits_[set * words_ + step / 64] |= std::uint64_t{1} << (step % 64);
  }
  void add_all(std::size_t set, const StepSets& other, std::size_t from) {
    for (std::size_t i = 0; i < words_; ++i) {
      bits_[set * words_ + i] |= other.bits_[from * words_ + i];
    }
  }
  void keep_common(std::size_t set, const StepSets& other, std::size_t from) {
    for (std::size_t i = 0; i < words_; ++i) {
      bits_[set * words_ + i] &= other.bits_[from * words_ + i];
    }
  }
  [[nodiscard]] bool has(std::size_t set, Index step) const {
    return (bits_[set * words_ + step / 64] >> (step % 64) & 1U) != 0;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// When requests are in use, by the order of the steps.
class Uses {
 public:
  Uses(const std::vector<std::vector<Index>>& predecessors,
       const std::vector<MemoryRequest>& requests)
      : requests_(requests),
        before_(predecessors.size(), predecessors.size()),
        gone_at_(requests.size(), predecessors.size()),
        needed_at_(requests.size(), predecessors.size()) {
    StepSets behind(predecessors.size(), predecessors.size());
    for (Index step = 0; step < predecessors.size(); ++step) {
      for (const Index before : predecessors[step]) {
        before_.add(step, before);
        before_.add_all(step, before_, before);
      }
    }
    for (auto step = static_cast<Index>(predecessors.size()); step-- > 0;) {
      for (const Index before : predecessors[step]) {
        behind.add(before, step);
        behind.add_all(before, behind, step);
      }
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
      gone_at_.add_all(i, behind, requests[i].producer);
      // A reader in front of another one adds nothing to it; so the last ones first.
      const std::vector<Index>& consumers = requests[i].consumers;
      for (auto consumer = consumers.rbegin(); consumer != consumers.rend(); ++consumer) {
        if (!needed_at_.has(i, *consumer)) {
          gone_at_.keep_common(i, behind, *consumer);
          needed_at_.add(i, *consumer);
          needed_at_.add_all(i, before_, *consumer);
        }
      }
      needed_at_.add(i, requests[i].producer);
    }
  }

  /// Have all users of `first` ended when `then` is written?
  [[nodiscard]] bool gone_before(std::size_t first, std::size_t then) const {
    return gone_at_.has(first, requests_[then].producer);
  }
  /// Is `request` in use while `at` is written?
  [[nodiscard]] bool in_use_at(std::size_t request, std::size_t at) const {
    const Index from = requests_[request].producer;
    const Index writer = requests_[at].producer;
    return (from == writer || before_.has(writer, from)) && needed_at_.has(request, writer);
  }

 private:
  const std::vector<MemoryRequest>& requests_;
  StepSets before_;     // by step: those that have always ended when it begins
  StepSets gone_at_;    // by request: the steps that begin when all its users have ended
  StepSets needed_at_;  // by request: the steps that it or a reader of it is behind, or is
};

/// For every request, the ones that it must not overlap.
std::vector<Order> find_conflicts(const Uses& uses, std::size_t requests) {
  std::vector<Order> conflicts(requests);
  for (Index a = 0; a < requests; ++a) {
    for (Index b = a + 1; b < requests; ++b) {
      if (!uses.gone_before(a, b) && !uses.gone_before(b, a)) {
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
std::uint64_t simple_bound(const Uses& uses, const std::vector<std::uint64_t>& sizes) {
  std::uint64_t greatest = 0;
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      sum += uses.in_use_at(i, at) ? sizes[i] : 0;
    }
    greatest = std::max(greatest, sum);
  }
  return greatest;
}

std::uint64_t exact_bound(const Uses& uses, const std::vector<std::uint64_t>& sizes) {
  return heaviest_antichain(sizes,
                            [&](std::size_t a, std::size_t b) { return uses.gone_before(a, b); });
}

}  // namespace

MemoryPlan plan_memory(const std::vector<std::vector<std::uint32_t>>& predecessors,
                       const std::vector<MemoryRequest>& requests) {
  std::vector<std::uint64_t> sizes;
  for (const MemoryRequest& request : requests) {
    sizes.push_back(aligned(request.bytes));
  }
  const Uses uses(predecessors, requests);
  MemoryPlan plan;
  plan.sum = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  plan.lower_bound =
      requests.size() <= kMostExactRequests ? exact_bound(uses, sizes) : simple_bound(uses, sizes);
  search(find_conflicts(uses, requests.size()), sizes, requests, plan);
  return plan;
}

}  // namespace gxr
