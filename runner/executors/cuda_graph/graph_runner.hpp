#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device_graph.hpp"
#include "executors/cuda_graph/earlier_graphs.hpp"
#include "executors/cuda_graph/launch_watch.hpp"
#include "executors/cuda_graph/launches_in_flight.hpp"
#include "executors/cuda_graph/region_runner.hpp"
#include "executors/cuda_graph/staged_inputs.hpp"
#include "gxr/cuda/streams.hpp"

namespace gxr {

/// A region that the host launches: takes a message of each input, puts one iteration of the graph
/// on its stream, and publishes the outputs. No thread waits: messages carry the stream along, as
/// those of other codelets with device work do. Large tensors in host memory are copied on a stream
/// of their own, while earlier iterations run; see InputStaging.
class GraphRunner final : public RegionRunner {
 public:
  GraphRunner(const Plan& plan, const Region& region, Instance& instance, Context& context,
              Poller& poller);
  ~GraphRunner() override;

  /// Keeps the terms that face the outside. Throws Error(InvalidState) for an input that no term
  /// waits for.
  [[nodiscard]] LiveEntity merge(const std::vector<LiveEntity>& entities) override;
  void initialize() override;
  void tick() override;
  [[nodiscard]] bool hangs() const noexcept override { return hangs_; }

 private:
  class UntoldTerm;
  void make_graph() override;
  void open_graph() override;
  void drop_graph() noexcept override;
  void finish() override;
  const std::uint64_t* iteration_of(NodeId node) override;
  void keep(std::shared_ptr<const void> object) override { graph_->keep(std::move(object)); }
  void iterate();
  void act();
  [[nodiscard]] std::string place_of_failure();
  [[nodiscard]] std::string last_entered();
  void note_hang();
  [[nodiscard]] bool has_hung() const noexcept;
  template <class Work>
  void with_place(const Work& work);
  void show_graph();
  void watch_launches();
  void copy_inputs(std::vector<Message>& messages);
  void wait_for_launched();
  void count_launches();
  [[nodiscard]] bool switches_nodes(NodeId node) const;
  void exchange(const RegionProgram::News& news);
  void finish_launched();
  void apply_edits();
  void change_shapes();
  [[nodiscard]] EditCost change_nodes();
  [[nodiscard]] EditCost replace_nodes();
  void publish_result(const Output& output, const Origin* origin);

  Poller& poller_;
  std::unique_ptr<UntoldTerm> untold_term_;
  bool acts_ = false;  // in the next tick, which is an urgent one
  std::string hang_;   // how it hangs; read when the watch has tripped
  bool told_of_hang_ = false;
  bool hangs_ = false;
  cuda::Streams streams_;
  cuda::Stream used_ = nullptr;         // has work that no thread has waited for
  std::unique_ptr<DeviceGraph> graph_;  // destroyed when its launches are done
  std::uint64_t* iteration_ = nullptr;  // in device memory
  StagedInputs staged_;
  bool counts_ = false;   // an operator reads the iteration
  bool counted_ = false;  // the graph writes it
  LaunchesInFlight launches_;
  EarlierGraphs earlier_;
  std::uint64_t parameter_sets_ = 0;
  std::optional<LaunchWatch> watch_;  // before the others go
};

}  // namespace gxr
