#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "device/device_program.hpp"
#include "executors/cuda_graph/region_memory.hpp"
#include "gxr/cuda/device_ports.hpp"
#include "gxr/tensor.hpp"
#include "plan/graph_region.hpp"

namespace gxr {

/// The device memory of a program, by BufferId: taken and given back as a whole.
class RegionBuffers {
 public:
  /// Memory that an operator's device port gives for a tensor. Throws when it is not what it should
  /// be.
  using OfOperator = std::function<cuda::DevicePort::Memory(TensorId)>;

  /// For messages and buffers from now on; until then there is no memory().
  void begin(int device);
  /// Nothing uses the buffers any more. Messages may still have memory().
  void drop();
  /// The GPU may use all of it for ever.
  void leave() noexcept { static_cast<void>(memory_.release()); }
  [[nodiscard]] bool have_begun() const noexcept { return memory_ != nullptr; }
  [[nodiscard]] RegionMemory& memory() noexcept { return *memory_; }
  [[nodiscard]] const RegionMemory& memory() const noexcept { return *memory_; }

  /// Takes memory for all buffers of a program that is laid out, of this region. Throws
  /// Error(OutOfMemory).
  void place(const DeviceProgram& program, const GraphRegion& region,
             const DevicePartition* partition, const OfOperator& of_operator);
  [[nodiscard]] DeviceRange at(BufferId id) const {
    return id == kNoBuffer ? DeviceRange{} : ranges_[id];
  }
  [[nodiscard]] Tensor& tensor(TensorId id) const { return *tensors_[id]; }

  /// The copy that a node of that kind makes.
  [[nodiscard]] DeviceCopy copy_of(const DeviceNode& node) const;
  /// Takes what it needs.
  [[nodiscard]] BranchMemory branch_memory(const DeviceNode& branch);
  /// The content of buffers, in memory that the next give-back does not take. Nothing of the graph
  /// runs; waits for the copies, as put_back() does.
  struct Held {
    BufferId buffer = kNoBuffer;
    DeviceRange range;
    std::shared_ptr<void> memory;
  };
  [[nodiscard]] std::vector<Held> hold(const std::vector<BufferId>& buffers) const;
  /// Into the same buffers of the program that was placed since, of the same sizes.
  void put_back(const std::vector<Held>& all) const;
  /// Makes buffers zeros that are read before they are written, while nothing of the graph runs.
  /// Waits for it.
  void clear_old(const DeviceProgram& program) const;
  /// Makes these buffers zeros, but for memory of operators, and waits for it.
  void clear(const DeviceProgram& program, const std::vector<BufferId>& buffers) const;

  /// The memory to which parameters are set, by node, and what is to be in it, one behind the
  /// other.
  [[nodiscard]] std::vector<DeviceRange> parameter_ranges(const DeviceProgram& program) const;
  [[nodiscard]] static std::vector<std::byte> parameters_of(const DeviceProgram& program);
  /// Puts them there, in the order of a stream, or at once, while nothing of the graph runs.
  void write_parameters(const DeviceProgram& program, DeviceStream& stream) const;
  void write_parameters(const DeviceProgram& program) const;

 private:
  void take(const DeviceProgram& program, const DevicePartition* partition);

  std::unique_ptr<RegionMemory> memory_;
  std::vector<DeviceRange> ranges_;
  std::vector<std::unique_ptr<Tensor>> tensors_;  // by TensorId
};

}  // namespace gxr
