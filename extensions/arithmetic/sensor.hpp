#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::arithmetic {

/// Plays a sensor: every `period` it has a tensor of int32, shape [size], full of 1, then of 2, and
/// so on. On the CPU a tick publishes it if it is there. In a CUDA graph, beside a
/// gxr::cuda::DataReadyHandler, a kernel asks the GPU's clock at every look of the loop, and no
/// thread of the CPU has a part in it; without a handler each iteration waits on the GPU until its
/// tensor is due. A tensor that nobody takes waits, and those behind it.
class Sensor final : public Codelet, public GraphOperator {
 public:
  ~Sensor() override;
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;
  void infer(ShapeContext& context) override;
  void capture(CaptureContext& context) override;

 private:
  void release() noexcept;

  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::int32_t> size_;
  Parameter<Duration> period_;
  std::int64_t due_ = 0;           // on the CPU, by the application's clock
  std::int32_t number_ = 0;        // on the CPU, of the last tensor
  void* due_on_device_ = nullptr;  // a std::uint64_t, by the GPU's clock
};

}  // namespace gxr::arithmetic
