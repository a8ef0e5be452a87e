#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device_graph.hpp"
#include "executors/cuda_graph/input_staging.hpp"
#include "executors/cuda_graph/launch_watch.hpp"
#include "executors/cuda_graph/region_runner.hpp"
#include "gxr/cuda/streams.hpp"

namespace gxr {

/// A region that the host launches: takes a message of each input, puts one iteration of the graph
/// on its stream, and publishes the outputs. Nobody waits: messages carry the stream along, as
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
  class HangTerm;
  /// What a term asks. Throws Error(InvalidState) when it declares that it waits for messages or
  /// room, and does not say for which.
  [[nodiscard]] TermQuestion asked_by(SchedulingTerm& term) const;
  void make_graph() override;
  void open_graph() override;
  void drop_graph() noexcept override;
  void finish() override;
  const std::uint64_t* iteration_of(NodeId node) override;
  void keep(std::shared_ptr<const void> object) override { graph_->keep(std::move(object)); }
  void iterate();
  [[nodiscard]] std::string place_of_failure();
  [[nodiscard]] std::string last_entered();
  void note_hang();
  [[nodiscard]] bool has_hung() const noexcept;
  void require_progress();
  template <class Work>
  void with_place(const Work& work);
  void note_launch(const DeviceWork& work);
  void wait_for_room();
  void make_staging();
  void watch_launches();
  void copy_inputs(std::vector<Message>& messages);
  void wait_for_launched();
  void wait_for_copies();
  void count_launches();
  [[nodiscard]] bool switches_nodes(NodeId node) const;
  void apply_edits();
  void change_shapes();
  [[nodiscard]] EditCost change_nodes();
  [[nodiscard]] EditCost replace_nodes();
  [[nodiscard]] std::vector<MeasuredIteration> with_earlier(
      std::vector<MeasuredIteration> measured) const;
  void publish_result(const Output& output, const Origin* origin);

  Poller& poller_;
  std::unique_ptr<HangTerm> hang_term_;
  std::string hang_;  // how it hangs; read when the watch has tripped
  bool told_of_hang_ = false;
  bool hangs_ = false;
  cuda::Streams streams_;
  cuda::Stream used_ = nullptr;                       // was given work that nobody has waited for
  std::unique_ptr<DeviceGraph> graph_;                // destroyed when its launches are done
  std::uint64_t* iteration_ = nullptr;                // in device memory
  std::vector<std::optional<InputStaging>> staging_;  // by input
  std::optional<LeasedStream> copies_;                // to them; if there are any
  bool counts_ = false;                               // an operator reads it
  bool counted_ = false;                              // the graph writes it
  std::uint64_t launched_ = 0;
  std::array<DeviceWork, 64> in_flight_;  // of the last launches
  std::uint64_t parameter_sets_ = 0;
  // Of graphs before, which were built for other shapes:
  std::uint64_t launched_before_ = 0;
  DeviceGraphUpdates updated_before_;
  std::vector<MeasuredIteration> measured_before_;
  std::optional<LaunchWatch> watch_;  // before the others go
};

}  // namespace gxr
