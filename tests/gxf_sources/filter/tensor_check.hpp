#pragma once

#include <string>
#include <vector>

#include "gxf/std/codelet.hpp"
#include "gxf/std/receiver.hpp"

namespace acme {
namespace filter {

// Compares the elements of tensors with those of the first one, which the application lists. Each
// tensor must be larger than the one before by the same step.
class TensorCheck : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }
  gxf_result_t deinitialize() override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Receiver>> receiver_;
  nvidia::gxf::Parameter<std::string> tensor_name_;
  nvidia::gxf::Parameter<std::vector<float>> first_;
  nvidia::gxf::Parameter<float> step_;
  nvidia::gxf::Parameter<float> highest_;
  nvidia::gxf::Parameter<uint64_t> expected_count_;

  uint64_t count_ = 0;
};

}  // namespace filter
}  // namespace acme
