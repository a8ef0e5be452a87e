#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gxr/cuda/streams.hpp"
#include "gxr/device_graph.hpp"
#include "schedulers/input_staging.hpp"
#include "schedulers/region_runner.hpp"

namespace gxr {

/// A region that the host launches: takes a message of each input, puts one iteration of the graph
/// on its stream, and publishes the outputs. Nobody waits: messages carry the stream along, as
/// those of other codelets with device work do. Large tensors in host memory are copied on a stream
/// of their own, while earlier iterations run; see InputStaging.
class GraphRunner final : public RegionRunner {
 public:
  GraphRunner(const Plan& plan, const Region& region, Instance& instance, Context& context);
  ~GraphRunner() override;

  /// Keeps the terms that face the outside. Throws Error(InvalidState) for an input that no term
  /// waits for.
  [[nodiscard]] LiveEntity merge(const std::vector<LiveEntity>& entities) override;
  void initialize() override;
  void tick() override;

 private:
  void build_graph() override;
  void drop_graph() noexcept override;
  void finish() override;
  const std::uint64_t* iteration() override;
  void keep(std::shared_ptr<const void> object) override { graph_->keep(std::move(object)); }
  void iterate();
  [[nodiscard]] std::string place_of_failure();
  template <class Work>
  void with_place(const Work& work);
  void make_staging();
  void copy_inputs(std::vector<Message>& messages);
  void wait_for_launched();
  void wait_for_copies();
  void count_launches();
  [[nodiscard]] bool switches_nodes(StepId step) const override;
  void take_in(const Changed& changed);
  void publish_result(const Output& output, const Origin* origin);

  cuda::Streams streams_;
  cuda::Stream used_ = nullptr;                       // was given work that nobody has waited for
  std::unique_ptr<DeviceGraph> graph_;                // destroyed when its launches are done
  std::uint64_t* iteration_ = nullptr;                // in device memory
  std::vector<std::optional<InputStaging>> staging_;  // by input
  std::optional<LeasedStream> copies_;                // to them; if there are any
  bool counts_ = false;                               // an operator reads it
  bool counted_ = false;                              // the graph writes it
  std::uint64_t launched_ = 0;
  std::uint64_t parameter_sets_ = 0;
};

}  // namespace gxr
