#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include "device/device_graph.hpp"
#include "device/device_loop.hpp"
#include "device/device_program.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/graph_layout.hpp"

namespace gxr::test {

using Codes = std::vector<std::int32_t>;
using Numbers = std::vector<std::size_t>;
using Work = std::function<void(cudaStream_t)>;

/// What branches do, noted as codes, in the order of their ends.
class Notebook {
 public:
  /// `numbers`: what decides, one after the other.
  explicit Notebook(const std::vector<std::int64_t>& numbers);

  [[nodiscard]] Work notes(std::int32_t code) const;
  /// `T`: any whole type of a number of the branches.
  template <class T = std::int32_t>
  [[nodiscard]] Work decides() const;
  [[nodiscard]] cuda::BoundBranch branch(BranchKind kind, std::uint32_t bodies,
                                         std::uint64_t limit = 0) const {
    return {{.kind = kind, .bodies = bodies, .limit = limit}, {selector_.get(), runs_.get()}};
  }
  /// The first: how many there are.
  [[nodiscard]] std::int32_t* notes() const { return notes_.get(); }
  [[nodiscard]] Codes written() const {
    const Codes all = notes_.read();
    return {all.begin() + 1, all.begin() + 1 + all.front()};
  }

 private:
  DeviceArray<std::int32_t> notes_;
  DeviceArray<std::uint64_t> read_;
  DeviceArray<std::int64_t> numbers_;
  DeviceArray<std::int64_t> selector_;
  DeviceArray<std::uint64_t> runs_;
};

/// Makes the same of a graph and of a loop.
class Maker {
 public:
  /// `number`: of the iteration, if anybody asks for it.
  Maker(DeviceGraph& graph, std::uint64_t* number) : graph_(&graph), number_(number) {}
  explicit Maker(DeviceGraph& graph) : Maker(graph, nullptr) {}
  explicit Maker(DeviceLoop& loop) : loop_(&loop) {}

  std::size_t add(const Work& work, const Numbers& after = {}, const DeviceBody& body = {}) {
    const DeviceNode node{.body = body, .after = after};
    return graph_ != nullptr ? graph_->add(work, node) : loop_->add(work, node);
  }
  std::size_t add(const cuda::BoundBranch& bound, const Numbers& after = {},
                  const DeviceBody& body = {}) {
    const DeviceNode node{
        .kind = DeviceNode::Kind::Branch, .body = body, .after = after, .branch = bound.branch};
    return graph_ != nullptr ? graph_->add_branch(bound.memory, node)
                             : loop_->add_branch(bound.memory, node);
  }
  std::size_t add_every(std::uint64_t count, std::uint64_t first, const Numbers& after = {},
                        const DeviceBody& body = {}) {
    cuda::BoundBranch every;
    every.branch.kind = BranchKind::Every;
    every.branch.count = count;
    every.branch.first = first;
    every.memory.iteration = graph_ != nullptr ? number_ : loop_->iteration();
    return add(every, after, body);
  }

 private:
  DeviceGraph* graph_ = nullptr;
  std::uint64_t* number_ = nullptr;
  DeviceLoop* loop_ = nullptr;
};

}  // namespace gxr::test
