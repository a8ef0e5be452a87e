#pragma once

#include <vector>

#include "gauge.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/std/codelet.hpp"

namespace acme {
namespace params {

// Asks for its own parameters, and those of a gauge, by the C interface.
class ParameterAsk : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }

 private:
  nvidia::gxf::Expected<void> ask_lists();
  nvidia::gxf::Expected<void> ask_handles();
  nvidia::gxf::Expected<void> ask_entities();

  nvidia::gxf::Parameter<nvidia::gxf::Handle<Gauge>> gauge_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<Gauge>> missing_;
  nvidia::gxf::Parameter<std::vector<double>> weights_;
  nvidia::gxf::Parameter<std::vector<std::vector<int64_t>>> grid_;
};

}  // namespace params
}  // namespace acme
