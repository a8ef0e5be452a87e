#pragma once

#include <vector>

#include "gxf/std/codelet.hpp"
#include "gxf/std/receiver.hpp"

namespace nvidia {
namespace meadow {

// Compares each result of Detector with the rows that the application lists.
class DetectionCheck : public gxf::Codelet {
 public:
  gxf_result_t registerInterface(gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }
  gxf_result_t deinitialize() override;

 private:
  gxf::Parameter<gxf::Handle<gxf::Receiver>> detections_;
  gxf::Parameter<std::vector<std::vector<float>>> expected_;
  gxf::Parameter<int64_t> expected_count_;

  int64_t count_ = 0;
};

}  // namespace meadow
}  // namespace nvidia
