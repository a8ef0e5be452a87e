#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::poisson {

/// Publishes grids with two spots of heat that go round.
class Heat final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::int32_t> width_;
  Parameter<std::int32_t> height_;
  Parameter<float> strength_;
  Parameter<std::int32_t> period_;
};

}  // namespace gxr::poisson
