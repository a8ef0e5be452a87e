#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/device_loop.hpp"
#include "launched_bodies.hpp"
#include "loop_memory.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// The host's half of the inputs and outputs of a loop: copies tensors into slots and out of them,
/// and writes the numbers that the control kernels wait for.
///
/// The processor copies a small tensor that it can reach, and then writes the number; for all
/// others a stream does both. All numbers count, from the launch, the tensors that were put or
/// taken; none is set back.
class LoopPorts final : public DeviceLoopPorts {
 public:
  /// `memory` and `launched` must outlive it; `stream`: of words that change while the loop runs.
  LoopPorts(const LoopMemory& memory, const LaunchedBodies& launched,
            const DeviceLoopOptions& options, StreamRef stream);

  /// Before a launch, behind LoopMemory::clear() on this stream: so many inputs were put, and
  /// results taken.
  void begin(std::uint64_t done, StreamRef stream);
  // DeviceLoopPorts
  bool put(std::size_t input, const void* data, bool readable, DeviceStream& stream) override;
  DeviceWork take(std::size_t output, void* to, bool writable, DeviceStream& stream) override;
  void drop_results() override;

 private:
  struct Port {
    LoopPort at;
    std::uint64_t count = 0;  ///< tensors that were put or taken
    /// Of a small one: streams write its word from now on, not the processor.
    bool is_counted_by_stream = false;
  };
  void put_large(Port& port, const void* data, DeviceStream& stream) const;
  DeviceWork take_large(Port& port, void* to, DeviceStream& stream) const;
  DeviceWork pass_small(Port& port, void* to, const void* from, bool by_processor,
                        DeviceStream& stream) const;
  void count_small(Port& port, DeviceStream& stream) const;
  [[nodiscard]] std::byte* slot(const Port& port) const noexcept;
  [[nodiscard]] bool is_free(const Port& input) const noexcept;

  int device_;
  std::uint32_t slots_;
  std::uint64_t* finished_;
  const LaunchedBodies& launched_;
  StreamRef stream_;
  std::vector<Port> inputs_;
  std::vector<Port> outputs_;
};

}  // namespace gxr::cuda
