#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "executors/cuda_graph/region_operators.hpp"
#include "executors/data_trail.hpp"
#include "gxr/allocator.hpp"
#include "gxr/queue.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

/// The messages that come to a region and leave it.
class RegionPorts {
 public:
  /// Of one transmitter outside.
  struct Input {
    TensorId tensor;
    std::vector<Receiver*> receivers;
  };
  struct Output {
    TensorId tensor;
    std::vector<Transmitter*> transmitters;
  };
  /// When a message was made: of an input, for the outputs that follow from it.
  struct Origin {
    std::uint64_t sequence = 0;
    std::int64_t source_time = 0;
    std::optional<std::int64_t> acqtime;
    DataTrail trail;
  };
  /// Takes a message from a queue, in a tick.
  using Take = std::function<Message(Receiver&)>;

  /// All must outlive it; shapes of the region may be found out later.
  RegionPorts(const Region& region, const RegionOperators& operators, const Instance& instance,
              Context& context);

  [[nodiscard]] const std::vector<Input>& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const std::vector<Output>& outputs() const noexcept { return outputs_; }
  [[nodiscard]] const std::vector<Receiver*>& receivers() const noexcept { return receivers_; }
  [[nodiscard]] const std::vector<Transmitter*>& transmitters() const noexcept {
    return transmitters_;
  }
  [[nodiscard]] static std::string name_of(const Input& input);

  /// The next message of an input, by which it comes to all its receivers.
  static Message receive(const Input& input, const Take& take);
  /// The next message of each input.
  [[nodiscard]] std::vector<Message> receive(const Take& take) const;
  /// The shape that a message shows of an input. Throws Error(InvalidData) for one without a
  /// tensor, or with several.
  [[nodiscard]] TensorSpec spec_told_by(const Input& input, const Message& message) const;
  /// The tensor of a message for an input; nullptr: it is not what the graph was built for. Throws
  /// Error(InvalidData) for one that no graph takes.
  [[nodiscard]] const Tensor* fitting_tensor(const Input& input, const Message& message) const;
  [[nodiscard]] static Origin origin_of(const Message& message);
  /// A message for an output, with `memory` of `from` as its tensor. Without an origin it has the
  /// sequence number `number`.
  [[nodiscard]] Message new_result(const Output& output, Allocator& from, void* memory,
                                   MemoryStorageType storage, const Origin* origin,
                                   std::uint64_t number) const;
  static void publish(Transmitter& transmitter, Message message, const Origin* origin);

 private:
  [[nodiscard]] const GraphRegion& graph() const noexcept { return *region_.graph; }
  [[nodiscard]] const Tensor& tensor_in(const Input& input, const Message& message) const;
  [[nodiscard]] TensorSpec spec_in(const Input& input, const Message& message,
                                   const Tensor& tensor) const;
  void write_content(const GraphTensor& written, Message& message) const;

  const Region& region_;
  const RegionOperators& operators_;
  Context& context_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Receiver*> receivers_;        // of all inputs
  std::vector<Transmitter*> transmitters_;  // of all outputs
};

/// Is a tensor what a graph was built for? `only_bytes`: the size alone counts.
[[nodiscard]] bool is_like(const TensorSpec& found, const TensorSpec& wanted, bool only_bytes);

}  // namespace gxr
