#pragma once

#include <array>

#include "gxf/core/entity.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/transmitter.hpp"

namespace nvidia {
namespace meadow {

// Sends what a network would: four candidates as tensors `scores`, `boxes` and `classes`. With
// `image` it also sends the size of the image.
class CandidateSource : public gxf::Codelet {
 public:
  gxf_result_t registerInterface(gxf::Registrar* registrar) override;
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }

 private:
  gxf::Expected<void> addTensors(gxf::Entity& message);

  gxf::Parameter<gxf::Handle<gxf::Transmitter>> candidates_;
  gxf::Parameter<gxf::Handle<gxf::Transmitter>> image_;
  gxf::Parameter<gxf::Handle<gxf::Allocator>> pool_;
  gxf::Parameter<float> shift_;

  std::array<float, 4> scores_{0.25f, 0.75f, 0.5f, 1.0f};
};

}  // namespace meadow
}  // namespace nvidia
