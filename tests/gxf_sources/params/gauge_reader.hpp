#pragma once

#include <vector>

#include "gauge.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/std/codelet.hpp"

namespace acme {
namespace params {

// Reads two gauges in every tick, and compares the sums with a list.
class GaugeReader : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) noexcept override;
  gxf_result_t initialize() noexcept override;
  gxf_result_t start() noexcept override;
  gxf_result_t tick() noexcept override;
  gxf_result_t stop() noexcept override;
  gxf_result_t deinitialize() noexcept override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<Gauge>> gauge_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<Gauge>> other_gauge_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<Calibration>> calibration_;
  nvidia::gxf::Parameter<std::vector<double>> expected_;

  size_t next_ = 0;
};

}  // namespace params
}  // namespace acme
