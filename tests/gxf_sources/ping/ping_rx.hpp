#pragma once

#include "gxf/std/codelet.hpp"
#include "gxf/std/receiver.hpp"

namespace acme {
namespace ping {

// Takes pings, and fails unless they are numbered one by one.
class PingRx : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override;
  gxf_result_t stop() override;
  gxf_result_t deinitialize() override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Receiver>> signal_;
  nvidia::gxf::Parameter<int64_t> first_;
  nvidia::gxf::Parameter<uint64_t> expected_count_;

  uint64_t count_ = 0;
};

}  // namespace ping
}  // namespace acme
