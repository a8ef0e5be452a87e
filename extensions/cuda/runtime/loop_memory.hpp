#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/device_loop.hpp"
#include "loop_kernels.hpp"
#include "owned.hpp"
#include "runtime_memory.hpp"

namespace gxr::cuda {

/// An input or an output of a loop, and its place in memory.
struct LoopPort {
  DeviceLoopPort port;
  bool is_small = false;   ///< its slots and its word are in page-locked memory
  std::size_t stride = 0;  ///< from slot to slot
  std::byte* slots = nullptr;
  std::uint64_t* word = nullptr;  ///< the number of tensors that were put or taken, for the GPU
  /// Of a large input, in device memory: the number of the last tensor that was put straight into
  /// the port's tensor, for the GPU. nullptr: all go through slots.
  std::uint64_t* placed = nullptr;
};

/// The memory that a loop shares with the host: one block of device memory and one of page-locked
/// memory, with control words, tables of the control kernels, and the slots of inputs and outputs.
///
/// Small tensors (kMostSmallTensorBytes) pass through slots in page-locked memory, large ones
/// through slots in device memory. All addresses stay as they are until the end.
class LoopMemory {
 public:
  /// Fills the tables, on `stream`, and waits for that. Throws Error(NotSupported) when there are
  /// more inputs, outputs and doorbells than one warp can poll, where it has to.
  LoopMemory(const DeviceLoopOptions& options, StreamRef stream);

  /// The argument of the control kernels, as it is of a loop in one graph without rounds. Builders
  /// of loops add rounds, stages and launched bodies.
  [[nodiscard]] const LoopTable& table() const noexcept { return table_; }
  /// In device memory.
  [[nodiscard]] LoopState* state() const noexcept {
    return reinterpret_cast<LoopState*>(device_begin_);
  }
  [[nodiscard]] const std::vector<LoopPort>& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const std::vector<LoopPort>& outputs() const noexcept { return outputs_; }
  /// The word that a doorbell rings, in device memory.
  [[nodiscard]] std::uint64_t* bell(std::size_t number) const noexcept { return bells_[number]; }
  /// Inputs and doorbells.
  [[nodiscard]] std::size_t drives() const noexcept { return inputs_.size() + bells_.size(); }
  [[nodiscard]] bool takes_any() const noexcept { return options_.ready == GraphReady::Any; }
  /// Records in LoopTable::taken_log.
  [[nodiscard]] std::size_t log_entries() const noexcept { return options_.slots + 1; }
  /// In page-locked memory: parameters for the GPU, one behind the other, each aligned; and their
  /// sequence number, which is odd while they are written. nullptr: there are none.
  [[nodiscard]] std::byte* parameters() const noexcept { return parameters_; }
  [[nodiscard]] std::uint64_t* parameter_sequence() const noexcept { return parameter_sequence_; }
  /// Of device memory.
  [[nodiscard]] std::size_t bytes() const noexcept { return device_bytes_; }

  /// Sets the state, and all words in device memory that count from 0, in the order of a stream.
  void clear(const LoopState& begin, StreamRef stream) const;
  /// Of a loop that begins an iteration when any input is there: clears the tensors, which show
  /// zeros until the first input comes.
  void clear_inputs(StreamRef stream) const;

 private:
  class Places;

  void add_ports();
  void require_few_ports() const;
  [[nodiscard]] std::size_t gates() const noexcept { return 1 + drives() + outputs_.size(); }
  [[nodiscard]] std::size_t place_in_device(std::byte* begin);
  void place_words(Places& places);
  [[nodiscard]] std::size_t place_in_host(std::byte* begin);
  void place_parameters(Places& places);
  void allocate();
  [[nodiscard]] std::vector<LoopGate> all_gates() const;
  [[nodiscard]] std::vector<LoopParameters> all_parameters() const;
  void fill_table(StreamRef stream);

  DeviceLoopOptions options_;
  std::vector<LoopPort> inputs_;
  std::vector<LoopPort> outputs_;
  std::vector<std::uint64_t*> bells_;
  LoopTable table_{};
  std::byte* parameters_ = nullptr;
  std::uint64_t* parameter_sequence_ = nullptr;
  std::size_t device_bytes_ = 0;
  RuntimeMemory device_memory_;
  std::byte* device_begin_ = nullptr;  // in it
  RuntimeMemory host_memory_;
  std::size_t words_at_ = 0;  // from device_begin_ on: the words that each launch sets to 0
  std::size_t words_end_ = 0;
};

}  // namespace gxr::cuda
