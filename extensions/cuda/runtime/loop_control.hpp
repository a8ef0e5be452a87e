#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include "device/device_loop.hpp"
#include "loop_memory.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// The words by which the host controls a loop that runs, and those by which the loop reports.
///
/// A stream of its own writes the words in device memory, while the kernels of the loop run. Each
/// is one number, which the kernel that begins the next iteration reads.
class LoopControl final : public DeviceLoopControl {
 public:
  /// `memory` must outlive it; `stream`: runs nothing else.
  LoopControl(const LoopMemory& memory, const DeviceLoopOptions& options, StreamRef stream);

  /// Before a launch from iteration `done` on: sets all words in the order of `stream`, that of the
  /// loop. No change from before is under way any more.
  void begin(std::uint64_t done, std::uint64_t limit, StreamRef stream);

  // DeviceLoopControl
  void set_limit(std::uint64_t limit) override;
  void drain() override;
  void set_sleep_interval(std::chrono::nanoseconds interval) override;
  void set_parameters(const std::vector<std::byte>& bytes) override;
  [[nodiscard]] std::uint64_t finished() const noexcept override;
  [[nodiscard]] std::uint64_t heartbeat() const noexcept override;
  [[nodiscard]] std::uint64_t taken(std::size_t drive,
                                    std::uint64_t iterations) const noexcept override;

  /// The error of CUDA that ended the loop, if a kernel of it had one.
  [[nodiscard]] cudaError_t launch_error() const noexcept;
  /// Does a loop that launches itself launch no iteration any more?
  [[nodiscard]] bool is_over() const noexcept;
  /// Of the last launch, after its end; copied by `stream`.
  [[nodiscard]] LoopState end_state(StreamRef stream) const;

 private:
  [[nodiscard]] LoopState* state() const noexcept { return memory_.state(); }
  void clear_taken(StreamRef stream) const;
  void write_parameters(const std::vector<std::byte>& bytes) const;

  const LoopMemory& memory_;
  int device_;
  std::vector<DeviceRange> parameters_;
  std::chrono::nanoseconds sleep_interval_;
  StreamRef stream_;
  std::uint64_t limit_ = 0;
  bool drains_ = false;
};

}  // namespace gxr::cuda
