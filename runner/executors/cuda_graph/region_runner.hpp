#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "executors/cuda_graph/live_region.hpp"
#include "executors/cuda_graph/shown_graph.hpp"
#include "executors/running_graph.hpp"
#include "gxr/codelet.hpp"
#include "gxr/report.hpp"
#include "observe/trace_events.hpp"

namespace gxr {

/// The wishes of a run for the runner of a region.
struct RegionSettings {
  /// CUDA's picture of the graph is written there when it is built; empty: it is not. See
  /// DeviceGraph::write_dot().
  std::string dot_file;
  /// Gets the operators of iterations that are measured; may be nullptr. Must outlive the run.
  TraceEvents* trace = nullptr;
  /// See RegionShapes::set_order().
  const ShapeOrder* shape_order = nullptr;
  /// So long what the region waits for may make no progress when it is to end; 0: no limit.
  std::chrono::nanoseconds end_patience = std::chrono::seconds(10);
};

/// A CUDA-graph region, to the CPU's schedulers one entity with one codelet: its life, in
/// both modes. The work is that of the parts of a LiveRegion.
///
/// start() starts the operators and builds the graph; if shapes are unknown until then, the first
/// messages do. stop() waits for the iterations that were begun and stops the operators.
class RegionRunner : public Codelet, public RunningGraph, protected CaptureSource {
 public:
  RegionRunner(const RegionRunner&) = delete;
  RegionRunner& operator=(const RegionRunner&) = delete;
  ~RegionRunner() override;

  void configure(RegionSettings settings);
  /// One entity in the place of the region's: their queues that face the outside, and this codelet.
  [[nodiscard]] virtual LiveEntity merge(const std::vector<LiveEntity>& entities);
  /// The counts of the graph; none before its end, and when it was not built.
  [[nodiscard]] const std::optional<GraphStatistics>& statistics() const noexcept {
    return statistics_;
  }

  [[nodiscard]] std::optional<GraphStatus> graph_status() const final { return shown_.status(); }

  /// After a stop() that threw: does it run, and will not end? Then nothing that it uses is
  /// touched again.
  [[nodiscard]] virtual bool hangs() const noexcept { return false; }
  /// The application is about to stop all entities: a loop that runs by itself ends first, since
  /// CUDA waits for it when another one's stop() gives memory back. stop() tells what fails.
  virtual void end_early() noexcept {}
  /// Stops the operators that stop() has left for later, when no loop runs any more.
  void stop_late(std::vector<Failure>& failures);
  /// Throws Error when there is no such GPU.
  void initialize() override;
  void start() final;
  void stop() final;

 protected:
  using Input = RegionPorts::Input;
  using Output = RegionPorts::Output;
  using Origin = RegionPorts::Origin;

  /// Needs no GPU yet. All must outlive it; `region` is one of a CUDA graph.
  RegionRunner(const Plan& plan, const Region& region, Instance& instance, Context& context);

  /// Makes the graph out of the program, whose buffers have their places; see
  /// RegionCapture::add_all().
  virtual void make_graph() = 0;
  /// There is one now, the first since start().
  virtual void open_graph() = 0;
  /// The opposite of both. Nothing of the graph runs.
  virtual void drop_graph() noexcept = 0;
  /// Returns when nothing of the graph runs any more.
  virtual void finish() = 0;
  /// Device memory that the graph has besides the region's.
  [[nodiscard]] virtual std::uint64_t graph_bytes() const noexcept { return 0; }
  // CaptureSource
  void keep(std::shared_ptr<const void> object) override {
    region_.capture.keep(std::move(object));
  }

  [[nodiscard]] LiveRegion& region() noexcept { return region_; }
  [[nodiscard]] const LiveRegion& region() const noexcept { return region_; }
  [[nodiscard]] const RegionSettings& settings() const noexcept { return settings_; }
  /// Makes it a component of the region's entity.
  void attach_to_entity(Component& component);

  [[nodiscard]] bool is_built() const noexcept { return built_; }
  /// Call in a tick, with a message of each input.
  void build_for(const std::vector<Message>& messages);
  /// Makes the graph of the wanted region out of its program, with all operators on; the program's
  /// edits say which are off. Tensors that have the same shape as before keep what they hold from
  /// one iteration to the next, others begin anew. Nothing of the graph runs. May be called again
  /// when it has thrown while an operator is exchanged; then tensors keep what they held before.
  void rebuild();
  /// The edits are applied: nothing goes back to what was before a rebuild().
  void settle();
  /// Logs edits of the program and what they cost.
  void tell_edits(const std::string& edits, const std::string& cost) const;

  /// The graph runs as its program says: graph_status() has it until hide().
  void show(ShownGraph::Reader reader);
  /// Call before the graph, or how it measures, is touched.
  void hide() noexcept { shown_.hide(); }

  /// Call in finish(); the memory is added.
  void set_statistics(GraphStatistics statistics);
  /// Call in finish(), when iterations were to be measured: for the statistics and the trace.
  void add_measures(std::vector<MeasuredIteration> iterations, GraphStatistics& statistics) const;

 private:
  void build();
  void drop();
  void shut_down(std::vector<Failure>& failures);

  LiveRegion region_;
  GraphEntity entity_;
  std::string name_;
  std::string type_;
  RegionSettings settings_;
  bool built_ = false;
  std::optional<std::vector<RegionBuffers::Held>> held_;  // since a rebuild, until it is settled
  std::optional<GraphStatistics> statistics_;
  ShownGraph shown_;
};

}  // namespace gxr
