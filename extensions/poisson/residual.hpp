#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::poisson {

/// Compares how far a temperature is from the solution with a tolerance.
class Residual final : public Codelet, public GraphOperator {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void infer(ShapeContext& context) override;
  void capture(CaptureContext& context) override;

 private:
  Input<Tensor> heat_;
  Input<Tensor> field_;
  Output<> above_;
  Parameter<float> tolerance_;
  Parameter<Handle<Allocator>> pool_;
};

}  // namespace gxr::poisson
