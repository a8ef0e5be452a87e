#pragma once

#include <string>
#include <vector>

#include "gxf/std/codelet.hpp"
#include "gxf/std/transmitter.hpp"
#include "gxf/std/unbounded_allocator.hpp"

namespace acme {
namespace filter {

// Sends tensors of float32 whose elements count up, by one from element to element, and from tensor
// to tensor.
class TensorSource : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Transmitter>> transmitter_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::UnboundedAllocator>> allocator_;
  nvidia::gxf::Parameter<std::string> tensor_name_;
  nvidia::gxf::Parameter<std::vector<int>> shape_;
};

}  // namespace filter
}  // namespace acme
