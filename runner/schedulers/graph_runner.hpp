#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gxr/codelet.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/device_graph.hpp"
#include "gxr/graph_operator.hpp"
#include "plan/plan.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// A CUDA-graph region that the host launches: to the CPU's schedulers one entity with one codelet,
/// which takes a message of each input, puts one iteration of the graph on its stream, and
/// publishes the outputs. Nobody waits: messages carry the stream along, as those of other codelets
/// with device work do.
///
/// start() starts the operators, captures them and instantiates the graph; if shapes are unknown
/// until then, the first tick does. stop() waits for the iterations that were launched and stops
/// the operators.
class GraphRunner final : public Codelet {
 public:
  /// Needs no GPU yet. All must outlive it; `region` is one of a CUDA graph.
  GraphRunner(const Plan& plan, const Region& region, Instance& instance, Context& context);
  GraphRunner(const GraphRunner&) = delete;
  GraphRunner& operator=(const GraphRunner&) = delete;
  ~GraphRunner() override;

  /// Has CUDA's picture of the graph written to a file when it is built; see
  /// DeviceGraph::write_dot().
  void set_dot_file(std::string file) { dot_file_ = std::move(file); }
  /// One entity in the place of the region's: their queues and terms that face the outside, and
  /// this codelet. Throws Error(InvalidState) for an input that no term waits for.
  [[nodiscard]] LiveEntity merge(const std::vector<LiveEntity>& entities);

  void initialize() override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  class Memory;
  class Capture;
  /// What comes from one transmitter outside.
  struct Input {
    TensorId tensor;
    std::vector<Receiver*> receivers;
  };
  struct Output {
    TensorId tensor;
    std::vector<Transmitter*> transmitters;
  };

  [[nodiscard]] GraphRegion& graph() noexcept { return *region_.graph; }
  [[nodiscard]] Component& codelet_of(const GraphStep& step) const;
  void find_ports();
  void lay_out(const std::vector<Message>& messages);
  void build();
  void drop_graph();
  void place_tensors();
  void capture(StepId number);
  [[nodiscard]] std::string name_of(const Input& input) const;
  [[nodiscard]] const Tensor& tensor_in(const Input& input, const Message& message) const;
  [[nodiscard]] TensorSpec spec_in(const Input& input, const Message& message,
                                   const Tensor& tensor) const;
  [[nodiscard]] std::vector<Message> receive();
  void copy_in(const Input& input, const Message& message);
  void write_content(const GraphTensor& written, Message& message) const;
  void publish(const Output& output, const Message* first);
  void start_operators();
  void finish();
  void shut_down(std::vector<Failure>& failures);

  const Plan& plan_;
  Region region_;  // a copy: shapes that are found late are put here
  Instance& instance_;
  GraphEntity entity_;
  std::string name_;
  std::string type_;
  std::vector<GraphOperator*> operators_;  // by StepId
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Receiver*> receivers_;        // of all inputs
  std::vector<Transmitter*> transmitters_;  // of all outputs

  std::unique_ptr<Memory> memory_;  // of everything below, and of what is published
  cuda::Streams streams_;
  void* arena_ = nullptr;
  std::vector<void*> slots_;                      // of inputs and outputs
  std::vector<std::unique_ptr<Tensor>> tensors_;  // by TensorId
  std::unique_ptr<DeviceGraph> graph_;
  std::uint64_t* iteration_ = nullptr;  // in device memory
  bool counts_ = false;                 // an operator reads it
  std::size_t started_ = 0;             // operators
  std::string dot_file_;                // may be empty
};

}  // namespace gxr
