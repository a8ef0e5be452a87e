#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph_pieces.hpp"
#include "gxr/device_graph.hpp"
#include "l2_cache.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// A DeviceGraph by the CUDA runtime.
class RuntimeGraph final : public DeviceGraph {
 public:
  explicit RuntimeGraph(const DeviceGraphOptions& options);
  ~RuntimeGraph() override;

  std::size_t add(const std::function<void(CUstream_st*)>& work,
                  const std::vector<std::size_t>& after, const GraphTraits& traits,
                  const DeviceRange& kept_in_l2) override;
  [[nodiscard]] std::size_t nodes() const noexcept override;
  void count_launches(std::uint64_t* counter, std::uint64_t next) override;
  void instantiate() override;
  void launch(CUstream_st* stream) override;
  void write_dot(const std::string& file) const override;

  void replace(std::size_t piece, const std::function<void(CUstream_st*)>& work) override;
  void update(const DeviceWork& launched) override;
  [[nodiscard]] DeviceGraphUpdates updates() const noexcept override { return updates_; }
  void enable(std::size_t piece, bool on) override;
  void keep(std::shared_ptr<const void> object) override { kept_.push_back(std::move(object)); }

  /// All pieces.
  [[nodiscard]] cudaGraph_t get() const noexcept { return graph_.get(); }

 private:
  using Work = std::function<void(CUstream_st*)>;
  /// What the nodes of a piece are made of: one of the two.
  struct Source {
    GraphHandle graph;  // copied; what is tied to it is needed by the copies
    Work work;          // with memory nodes: captured straight into each graph that it is a part of
  };
  /// A piece with what it is made of.
  struct Part {
    Source source;
    std::optional<Source> replacement;  // its nodes are wanted from the next update() on
    std::vector<std::size_t> after;
    PieceAttributes attributes;
    GraphPiece piece;     // in graph_
    bool paired = true;   // nodes of `source`, if that is a graph, and `piece` have the same order
    bool enabled = true;  // when launched

    [[nodiscard]] const Source& wanted() const noexcept {
      return replacement ? *replacement : source;
    }
    [[nodiscard]] bool has_memory_nodes() const noexcept { return wanted().work != nullptr; }
  };
  /// What writes the number of the launch.
  struct Counter {
    std::uint64_t* where = nullptr;
    std::uint64_t next = 0;
    GraphHandle captured;
    bool is_placed = false;  // in graph_
    bool is_set = false;
  };
  struct Whole {
    GraphHandle graph;
    std::vector<GraphPiece> pieces;
  };
  /// What launched iterations may still use.
  struct Retired {
    DeviceWork needed_by;
    GraphExecHandle exec;
    std::vector<GraphHandle> graphs;
  };

  [[nodiscard]] PieceAttributes attributes_of(const GraphTraits& traits,
                                              const DeviceRange& kept_in_l2) const;
  void place_counter(cudaGraph_t graph, const std::vector<GraphPiece>& pieces) const;
  [[nodiscard]] Source capture_alone(const Work& work);
  [[nodiscard]] GraphPiece place(const Part& part, cudaGraph_t graph,
                                 const std::vector<const GraphPiece*>& before);
  void tie_kept(cudaGraph_t graph);
  [[nodiscard]] Whole assemble();
  [[nodiscard]] bool update_nodes();
  void update_all(Retired& old);
  void destroy_retired();

  DeviceGraphOptions options_;
  bool programmatic_edges_;
  OwnedStream stream_;  // only ever captured
  GraphHandle graph_;
  GraphExecHandle exec_;  // of graph_
  std::vector<Part> parts_;
  std::optional<Counter> counter_;
  std::vector<L2Reservation> in_l2_;
  std::deque<Retired> retired_;                    // in the order of launches
  std::vector<std::shared_ptr<const void>> kept_;  // by the work that is captured now
  DeviceGraphUpdates updates_;
};

}  // namespace gxr::cuda
