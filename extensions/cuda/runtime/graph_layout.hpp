#pragma once

#include <cstddef>
#include <vector>

#include "graph_pieces.hpp"
#include "gxr/device_branch.hpp"

namespace gxr::cuda {

/// Puts pieces and branches into a graph, one after the other, in the order of their numbers.
///
/// A branch is a kernel that reads what decides and a conditional node behind it, whose bodies are
/// the lists. In a body of a While, behind all else, is a kernel that decides again.
class GraphLayout {
 public:
  GraphLayout() = default;
  /// `graph`: the one that will be instantiated, `root`, or a body of a conditional node in it.
  /// `attributes`: of the kernels that decide.
  GraphLayout(cudaGraph_t root, cudaGraph_t graph, const PieceAttributes& attributes);

  /// Where the pieces of a list belong.
  [[nodiscard]] cudaGraph_t graph_of(const DeviceList& list) const;
  /// The next one: its nodes and edges are there. `after`: as in DevicePiece.
  void note(GraphPiece piece, const std::vector<std::size_t>& after, const DeviceList& list);
  /// The next one, whose nodes are in graph_of(list): puts it behind `after`, or, if it follows
  /// nothing, behind `begin`, which may be null.
  void add(GraphPiece piece, const std::vector<std::size_t>& after, const DeviceList& list,
           const GraphPiece* begin = nullptr);
  /// The same with a branch.
  void add_branch(const DeviceBranch& branch, const std::vector<std::size_t>& after,
                  const DeviceList& list, const GraphPiece* begin = nullptr);
  /// Has what follows the number wait for `end` instead, which is behind it.
  void extend(std::size_t number, const GraphPiece& end) {
    items_.at(number).piece.last = end.last;
  }
  /// Ends all lists. Call it when nothing more is added.
  void close();

  [[nodiscard]] const GraphPiece& piece(std::size_t number) const {
    return items_.at(number).piece;
  }
  /// Where it stands.
  [[nodiscard]] const DeviceList& list(std::size_t number) const { return items_.at(number).list; }
  /// Has another one been put behind it?
  [[nodiscard]] bool is_followed(std::size_t number) const { return items_.at(number).is_followed; }
  /// Bodies of the conditional nodes.
  [[nodiscard]] const std::vector<cudaGraph_t>& bodies() const noexcept { return bodies_; }

 private:
  struct Item {
    GraphPiece piece;
    DeviceList list;
    bool is_followed = false;
    // Of a branch:
    DeviceBranch branch;
    cudaGraphConditionalHandle handle{};
    std::vector<cudaGraph_t> lists;
  };
  [[nodiscard]] GraphPiece add_choice(cudaGraph_t graph, const DeviceBranch& branch,
                                      cudaGraphConditionalHandle handle, bool again) const;

  cudaGraph_t root_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  PieceAttributes attributes_;
  std::vector<Item> items_;
  std::vector<cudaGraph_t> bodies_;
};

/// What a conditional node of a graph is run by.
cudaGraphConditionalHandle make_handle(cudaGraph_t root, unsigned initial);
/// Adds a conditional node behind `after`; its bodies, which belong to it.
struct ConditionalNode {
  cudaGraphNode_t node = nullptr;
  std::vector<cudaGraph_t> bodies;
};
ConditionalNode add_conditional(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, std::uint32_t bodies);

}  // namespace gxr::cuda
