#pragma once

#include <string>
#include <vector>

#include "gxf/std/codelet.hpp"
#include "gxf/std/receiver.hpp"

namespace nvidia {
namespace orchard {

// Compares every part of a camera's messages with what CameraSource makes.
class CameraCheck : public gxf::Codelet {
 public:
  gxf_result_t registerInterface(gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;
  gxf_result_t deinitialize() override;

 private:
  gxf_result_t checkModel(const gxf::Entity& message);
  gxf_result_t checkFrame(const gxf::Entity& message);

  gxf::Parameter<gxf::Handle<gxf::Receiver>> signal_;
  gxf::Parameter<std::vector<std::string>> formats_;
  gxf::Parameter<std::string> video_name_;
  gxf::Parameter<uint32_t> width_;
  gxf::Parameter<uint32_t> height_;
  gxf::Parameter<uint64_t> expected_count_;
  gxf::Parameter<bool> verbose_;

  uint64_t count_ = 0;
  int64_t last_acqtime_ = 0;
};

}  // namespace orchard
}  // namespace nvidia
