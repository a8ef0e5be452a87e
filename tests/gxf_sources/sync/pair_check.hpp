#pragma once

#include <vector>

#include "gxf/std/codelet.hpp"
#include "gxf/std/receiver.hpp"

namespace acme {
namespace sync {

// Compares pairs with the expected ones, then waits for the end of the stream.
class PairCheck : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }
  gxf_result_t deinitialize() override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Receiver>> input_;
  nvidia::gxf::Parameter<std::vector<std::vector<int64_t>>> expected_;
  nvidia::gxf::Parameter<int64_t> stream_;

  size_t next_ = 0;
  bool ended_ = false;
};

}  // namespace sync
}  // namespace acme
