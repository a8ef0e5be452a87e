#include "fake_nodes.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <utility>

#include "gxr/error.hpp"
#include "system/nanoseconds.hpp"

namespace gxr::fake {
namespace {

std::atomic<std::uint64_t> order{0};
thread_local GraphTraits traits_now;
thread_local MeasuredIteration* times_now = nullptr;

std::size_t chosen_of(std::size_t count) {
  if (order.load(std::memory_order_relaxed) == 0) {
    return 0;
  }
  thread_local std::minstd_rand random(
      static_cast<unsigned>(order.load(std::memory_order_relaxed)));
  return random() % count;
}

template <class T>
std::int64_t as(const void* place) {
  T number{};
  std::memcpy(&number, place, sizeof number);
  return static_cast<std::int64_t>(number);
}

std::int64_t number_at(const void* place, ElementType type) {
  switch (type) {
    case ElementType::UInt8:
      return as<std::uint8_t>(place);
    case ElementType::Int64:
      return as<std::int64_t>(place);
    default:
      return as<std::int32_t>(place);
  }
}

Kernel copy_kernel(const DeviceCopy& copy) {
  return [copy] { std::memcpy(copy.to, copy.from, copy.bytes); };
}

}  // namespace

const GraphTraits& traits_of_node() { return traits_now; }

void set_order(std::uint64_t seed) { order.store(seed, std::memory_order_relaxed); }

std::shared_ptr<const std::vector<Kernel>> FakeNodes::capture(const CapturedWork& work) {
  keeping_.clear();
  std::vector<Kernel> kernels;
  CUstream_st stream{nullptr, &kernels};
  work(&stream);
  if (kernels.empty()) {
    throw Error(ErrorCode::InvalidState, "nothing was put on the stream");
  }
  return std::make_shared<const std::vector<Kernel>>(std::move(kernels));
}

void FakeNodes::prepare(const CapturedWork& work) {
  std::vector<Kernel> kernels;
  CUstream_st stream{nullptr, &kernels};
  work(&stream);
  for (const Kernel& kernel : kernels) {
    static_cast<void>(run_kernel(kernel));
  }
  require_device();
}

NodeId FakeNodes::add(const CapturedWork& work, const DeviceNode& node) {
  auto kernels = capture(work);
  parts_.push_back({node, {}, std::move(kernels), std::exchange(keeping_, {})});
  return parts_.size() - 1;
}

NodeId FakeNodes::add_copy(const DeviceCopy& copy, const DeviceNode& node) {
  return add([&](CUstream_st* stream) { launch(stream, copy_kernel(copy)); }, node);
}

NodeId FakeNodes::add_branch(const BranchMemory& memory, const DeviceNode& node) {
  parts_.push_back({node, memory, nullptr, {}});
  return parts_.size() - 1;
}

void FakeNodes::replace(NodeId node, const CapturedWork& work) {
  parts_.at(node).kernels = capture(work);
  parts_.at(node).kept = std::exchange(keeping_, {});
}

void FakeNodes::replace_by_copy(NodeId node, const DeviceCopy& copy) {
  // What was kept stays for when the operator is captured again.
  parts_.at(node).kernels = capture([&](CUstream_st* stream) {
    launch(stream, copy.bytes > 0 ? copy_kernel(copy) : Kernel([] {}));
  });
}

bool FakeNodes::run(bool polls, MeasuredIteration* times) const {
  times_now = times;
  const bool went_well = run_body({}, polls);
  times_now = nullptr;
  return went_well;
}

/// What may run at the same time does so in an order by chance, so that an edge that is missing
/// shows.
bool FakeNodes::run_body(const DeviceBody& body, bool polls) const {
  std::vector<NodeId> open;
  for (NodeId id = 0; id < parts_.size(); ++id) {
    if (parts_[id].node.body == body && parts_[id].node.polls == polls) {
      open.push_back(id);
    }
  }
  while (!open.empty()) {
    std::vector<NodeId> ready;
    std::ranges::copy_if(open, std::back_inserter(ready), [&](NodeId id) {
      return std::ranges::none_of(parts_[id].node.after, [&](NodeId before) {
        return std::ranges::find(open, before) != open.end();
      });
    });
    const NodeId next = ready.at(chosen_of(ready.size()));
    std::erase(open, next);
    const std::int64_t begin = times_now != nullptr ? steady_now() : 0;
    if (!run_node(next)) {
      return false;
    }
    if (times_now != nullptr) {
      times_now->parts[next] = {begin, steady_now()};
    }
  }
  return true;
}

bool FakeNodes::run_node(NodeId id) const {
  const Part& part = parts_[id];
  if (part.node.kind == DeviceNode::Kind::Branch) {
    return run_branch(id);
  }
  traits_now = part.node.traits;
  const bool ran = !part.enabled || std::ranges::all_of(*part.kernels, run_kernel);
  traits_now = {};
  return ran;
}

bool FakeNodes::run_branch(NodeId id) const {
  const DeviceBranch& branch = parts_[id].node.branch;
  const BranchMemory& memory = parts_[id].memory;
  if (branch.kind == BranchKind::Every) {
    const std::uint64_t number = *memory.iteration;
    const bool turn = number >= branch.first && (number - branch.first) % branch.count == 0;
    return !turn || run_body({id, 0}, false);
  }
  if (branch.kind == BranchKind::While) {
    for (std::uint64_t runs = 1; run_body({id, 0}, false); ++runs) {
      if (number_at(memory.selector, branch.type) == 0 || runs == branch.limit) {
        return true;
      }
    }
    return false;
  }
  const std::int64_t number = number_at(memory.selector, branch.type);
  const std::int64_t body = branch.kind == BranchKind::If ? (number != 0 ? 0 : 1) : number;
  return body < 0 || body >= branch.bodies ||
         run_body({id, static_cast<std::uint32_t>(body)}, false);
}

}  // namespace gxr::fake
