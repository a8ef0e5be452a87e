#pragma once

#include <cstdint>
#include <memory>

#include "device/device_program.hpp"
#include "executors/cuda_graph/region_buffers.hpp"
#include "gxr/graph_operator.hpp"
#include "plan/graph_region.hpp"

namespace gxr {

/// Gives operators, while they are captured, the words of their graph or loop.
class CaptureSource {
 public:
  /// In device memory: the number of the iteration, for the kernels of a node.
  virtual const std::uint64_t* iteration_of(NodeId node) = 0;
  /// Keeps an object that the work captured now uses, for as long as the graph needs it.
  virtual void keep(std::shared_ptr<const void> object) = 0;
  /// Of DeviceProgram::doorbells.
  [[nodiscard]] virtual Doorbell doorbell(std::size_t /*number*/) const { return {}; }
  /// Of an input, or, behind the inputs, of a doorbell. See CaptureContext.
  [[nodiscard]] virtual const std::uint64_t* is_new(std::size_t /*drive*/) const { return nullptr; }

 protected:
  ~CaptureSource() = default;
};

/// One operator's view of a region while it is captured. All must outlive it.
class OperatorCapture final : public CaptureContext {
 public:
  struct Parts {
    const GraphRegion& region;
    const DeviceProgram& program;
    const RegionBuffers& buffers;
    CaptureSource& source;
  };
  OperatorCapture(const Parts& parts, NodeId node, CUstream_st* stream)
      : parts_(parts), id_(node), stream_(stream) {}

  [[nodiscard]] CUstream_st* stream() const override { return stream_; }
  [[nodiscard]] const Tensor& input(const Receiver& port) const override;
  [[nodiscard]] const TensorSpec& input_spec(const Receiver& port) const override;
  [[nodiscard]] Tensor& output(const Transmitter& port) const override;
  [[nodiscard]] void* scratch() const override;
  [[nodiscard]] const void* parameters() const override;
  [[nodiscard]] const std::uint64_t* iteration() const override;
  void keep(std::shared_ptr<const void> object) override;
  [[nodiscard]] Doorbell doorbell() const override;
  [[nodiscard]] const std::uint64_t* is_new(const Receiver& port) const override;

 private:
  [[nodiscard]] const DeviceNode& node() const { return parts_.program.nodes[id_]; }

  Parts parts_;
  NodeId id_;
  CUstream_st* stream_;
};

/// The buffer that a node reads or writes through a port. Throws Error(InvalidArgument) for a port
/// that is not its own.
BufferId read_by(const GraphRegion& region, const DeviceNode& node, const Receiver& port);
BufferId written_by(const GraphRegion& region, const DeviceNode& node, const Transmitter& port);

/// The memory that GraphTraits::kept_in_l2 of a node names. Throws Error(InvalidArgument) when it
/// has no such memory.
DeviceRange l2_range_of(const DeviceNode& node, const RegionBuffers& buffers);

}  // namespace gxr
