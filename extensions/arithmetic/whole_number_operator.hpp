#pragma once

#include <cstdint>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr::arithmetic {

/// Base of the operators that make one tensor of int32 from one or more of the same shape. In a
/// tick they work on the CPU; a CUDA graph has their kernels. Both wrap around on overflow.
class WholeNumberOperator : public Codelet, public GraphOperator {
 public:
  /// Overrides call this, too.
  void declare(Interface& interface) override;
  void start() final;
  void tick() final;
  void infer(ShapeContext& context) final;
  void capture(CaptureContext& context) final;
  /// The kernels begin with waiting for those in front, and use nothing but the ports.
  [[nodiscard]] GraphTraits graph_traits() const final;

 protected:
  using Inputs = std::vector<const std::int32_t*>;

  /// In the order in which compute() gets them.
  [[nodiscard]] virtual std::vector<Receiver*> inputs() const = 0;
  virtual void compute(const Inputs& in, std::int32_t* out, std::int64_t count) const = 0;
  /// The same for device memory, in the order of `stream`.
  virtual void launch(const Inputs& in, std::int32_t* out, std::int64_t count,
                      CUstream_st* stream) const = 0;

 private:
  void publish(Message&& result, const Message& first) const;

  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
};

}  // namespace gxr::arithmetic
