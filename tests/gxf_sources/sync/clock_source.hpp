#pragma once

#include "gxf/std/codelet.hpp"
#include "gxf/std/scheduling_terms.hpp"
#include "gxf/std/transmitter.hpp"

namespace acme {
namespace sync {

// Sends numbers with acquisition times of an own rate, then the end of its stream.
class ClockSource : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Transmitter>> output_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::BooleanSchedulingTerm>> more_;
  nvidia::gxf::Parameter<int64_t> interval_;
  nvidia::gxf::Parameter<int64_t> offset_;
  nvidia::gxf::Parameter<int> count_;
  nvidia::gxf::Parameter<int64_t> stream_;

  int64_t number_ = 0;
};

}  // namespace sync
}  // namespace acme
