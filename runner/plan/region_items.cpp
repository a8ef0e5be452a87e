#include "plan/region_items.hpp"

#include <algorithm>

#include "plan/step_order.hpp"

namespace gxr {
namespace {

class Items {
 public:
  explicit Items(const GraphRegion& region)
      : region_(region),
        of_step_(region.steps.size()),
        of_branch_(region.branches.size(), kNowhere) {}

  std::vector<RegionItem> make() {
    for (StepId step = 0; step < region_.steps.size(); ++step) {
      add(step);
      for (const StepId before : region_.steps[step].predecessors) {
        put_behind(before, step, region_.steps[step].around.size());
      }
    }
    for (TensorId id = 0; id < region_.tensors.size(); ++id) {
      if (region_.tensors[id].delays != kNone && !region_.tensors[id].in_place) {
        add_copy(id);
      }
    }
    for (RegionItem& item : items_) {
      std::ranges::sort(item.after);
      item.after.erase(std::unique(item.after.begin(), item.after.end()), item.after.end());
    }
    return std::move(items_);
  }

 private:
  static constexpr std::size_t kNowhere = DeviceList::kNoBranch;

  /// With the branches around it that begin with it.
  void add(StepId step) {
    const std::vector<BranchPlace>& around = region_.steps[step].around;
    DeviceList list;
    for (std::size_t depth = 0; depth < around.size(); ++depth) {
      std::size_t& item = of_branch_[around[depth].branch];
      if (item == kNowhere) {
        item = items_.size();
        items_.push_back({kNone, around[depth].branch, kNone, list});
        put_behind_deciders(around[depth].branch, step, depth);
      }
      list = {item, around[depth].alternative};
    }
    of_step_[step] = items_.size();
    items_.push_back({step, kNone, kNone, list});
  }

  void add_copy(TensorId id) {
    const GraphTensor& tensor = region_.tensors[id];
    const BranchId writer = launched_around(region_, region_.tensors[tensor.delays].producer);
    const BranchId reader = launched_around(region_, tensor.consumers.front());
    if (writer != kNone && writer != reader) {
      add_copy_out(id, writer);
      return;
    }
    RegionItem copy = copy_behind_users(id);
    if (writer != reader) {
      copy.crosses = crossed(reader);
    }
    items_.push_back(std::move(copy));
  }

  /// What a graph of its own has written is copied in it, for readers outside, behind whom it runs.
  void add_copy_out(TensorId id, BranchId launched) {
    const GraphTensor& tensor = region_.tensors[id];
    const std::size_t around = of_branch_[launched];
    RegionItem copy{kNone, kNone, id, {around, 0}, crossed(launched)};
    copy.after.push_back(of_step_[region_.tensors[tensor.delays].producer]);
    for (const StepId reader : tensor.consumers) {
      items_[around].after.push_back(in_graph(reader));
    }
    items_.push_back(std::move(copy));
  }

  [[nodiscard]] std::size_t crossed(BranchId launched) const {
    return region_.branches[launched].launch == BranchLaunch::Sibling ? of_branch_[launched]
                                                                      : kNowhere;
  }
  /// A step, or the outermost branch around it.
  [[nodiscard]] std::size_t in_graph(StepId step) const {
    const std::vector<BranchPlace>& around = region_.steps[step].around;
    return around.empty() ? of_step_[step] : of_branch_[around.front().branch];
  }

  /// In the innermost list around all that write the one tensor or read the other, behind them.
  [[nodiscard]] RegionItem copy_behind_users(TensorId id) const {
    const GraphTensor& from = region_.tensors[region_.tensors[id].delays];
    std::vector<StepId> users = region_.tensors[id].consumers;
    users.push_back(from.producer);
    for (const TensorWriter& other : from.in_turn) {
      users.push_back(other.step);
    }
    std::vector<BranchPlace> around = region_.steps[users.front()].around;
    for (const StepId user : users) {
      const std::vector<BranchPlace>& other = region_.steps[user].around;
      around.erase(std::ranges::mismatch(around, other).in1, around.end());
    }
    RegionItem copy{kNone, kNone, id};
    if (!around.empty()) {
      copy.list = {of_branch_[around.back().branch], around.back().alternative};
    }
    for (const StepId user : users) {
      const std::vector<BranchPlace>& places = region_.steps[user].around;
      copy.after.push_back(places.size() > around.size() ? of_branch_[places[around.size()].branch]
                                                         : of_step_[user]);
    }
    return copy;
  }

  /// A While is decided in its body, an Every by nobody.
  void put_behind_deciders(std::uint32_t id, StepId first, std::size_t depth) {
    const GraphBranch& branch = region_.branches[id];
    if (!is_chosen(branch.kind)) {
      return;
    }
    const GraphTensor& selector = region_.tensors[branch.selector];
    put_behind(selector.producer, first, depth);
    for (const TensorWriter& writer : selector.in_turn) {
      put_behind(writer.step, first, depth);
    }
  }

  /// Of both, what stands in the innermost list around both, or around the `most` outermost
  /// branches of `then`.
  void put_behind(StepId before, StepId then, std::size_t most) {
    const std::vector<BranchPlace>& front = region_.steps[before].around;
    const std::vector<BranchPlace>& back = region_.steps[then].around;
    std::size_t depth = 0;
    while (depth < most && depth < front.size() && depth < back.size() &&
           front[depth] == back[depth]) {
      ++depth;
    }
    const std::size_t first =
        depth < front.size() ? of_branch_[front[depth].branch] : of_step_[before];
    const std::size_t second =
        depth < back.size() ? of_branch_[back[depth].branch] : of_step_[then];
    if (first != second) {  // else they never run in the same iteration
      items_[second].after.push_back(first);
    }
  }

  const GraphRegion& region_;
  std::vector<std::size_t> of_step_;
  std::vector<std::size_t> of_branch_;
  std::vector<RegionItem> items_;
};

}  // namespace

std::vector<RegionItem> items_of(const GraphRegion& region) { return Items(region).make(); }

}  // namespace gxr
