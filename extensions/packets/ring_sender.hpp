#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gxr/cuda/packet_ring.hpp"
#include "gxr/gxr.hpp"
#include "packets/device_kernels.hpp"
#include "packets/device_value.hpp"
#include "packets/frame_format.hpp"
#include "packets/reception.hpp"

namespace gxr::cuda {

/// Writes each tensor as a frame to a ring, on the CPU or by a kernel of a CUDA graph. A frame that
/// finds no room is discarded, and uses up its number, so that the other side knows.
class RingSender final : public Codelet, public GraphOperator {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;
  void infer(ShapeContext& context) override;
  void capture(CaptureContext& context) override;

 private:
  [[nodiscard]] FrameLayout layout(std::uint64_t data_bytes) const;
  void send(const std::byte* data, const FrameLayout& layout);
  void report() const;

  Input<Tensor> in_;
  Parameter<Handle<PacketRing>> ring_;
  FrameFormat format_;

  Transmission transmission_;
  std::unique_ptr<DeviceValue<DeviceTransmission>> on_device_;
};

}  // namespace gxr::cuda
