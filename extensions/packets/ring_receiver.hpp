#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gxr/cuda/packet_ring.hpp"
#include "gxr/gxr.hpp"
#include "packets/device_kernels.hpp"
#include "packets/device_value.hpp"
#include "packets/frame_format.hpp"
#include "packets/reception.hpp"

namespace gxr::cuda {

/// Takes frames of one size from a ring: on the CPU one in each tick; in a CUDA graph, beside a
/// DataReadyHandler, a kernel does, and no thread of the CPU has a part in it.
class RingReceiver final : public Codelet, public GraphOperator, public MessageAccount {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;
  void infer(ShapeContext& context) override;
  void capture(CaptureContext& context) override;
  [[nodiscard]] std::vector<Discard> discards() const override;

 private:
  [[nodiscard]] FrameLayout layout() const;
  [[nodiscard]] bool keeps_late() const { return *late_ == "deliver"; }
  void publish(const RingFrame& frame);
  void report() const;

  Output<Tensor> out_;
  Parameter<Handle<PacketRing>> ring_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<TensorSpec> tensor_;
  Parameter<std::string> late_;
  FrameFormat format_;

  FrameLayout layout_;
  Reception reception_;
  std::unique_ptr<DeviceValue<DeviceReception>> on_device_;
};

}  // namespace gxr::cuda
