#pragma once

#include "gxr/gxr.hpp"

namespace gxr::poisson {

/// out = one sweep of Jacobi's method from `last`.
class Jacobi final : public Codelet, public GraphOperator {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void infer(ShapeContext& context) override;
  void capture(CaptureContext& context) override;
  [[nodiscard]] GraphTraits graph_traits() const override;

 private:
  Input<Tensor> heat_;
  Input<Tensor> last_;
  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
};

}  // namespace gxr::poisson
