#include "gauge.hpp"

#include "gxf/core/registrar.hpp"

namespace acme {
namespace params {

gxf_result_t FixedGauge::registerInterface(nvidia::gxf::Registrar* registrar) noexcept {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(value_, "value", "Value", "What is measured", 1.5);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t RisingGauge::registerInterface(nvidia::gxf::Registrar* registrar) noexcept {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(step_, "step", "Step", "Between two values");
  result &= registrar->parameter(highest_, "highest", "Highest", "There is no value above it",
                                 nvidia::gxf::Registrar::NoDefaultParameter(),
                                 GXF_PARAMETER_FLAGS_OPTIONAL);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t RisingGauge::initialize() noexcept {
  next_ = 0.0;
  return GXF_SUCCESS;
}

nvidia::gxf::Expected<double> RisingGauge::measure() noexcept {
  const auto highest = highest_.try_get();
  if (highest && next_ > highest.value()) {
    return nvidia::gxf::Unexpected{GXF_ARGUMENT_OUT_OF_RANGE};
  }
  const double value = next_;
  next_ += step_;
  return value;
}

gxf_result_t Calibration::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(factor_, "factor", "Factor", "Of all values", 1.0);
  result &=
      registrar->parameter(offset_parameter_, "offset", "Offset", "Added to all values", 0.0f);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t Calibration::initialize() {
  offset_ = offset_parameter_.get();
  return GXF_SUCCESS;
}

}  // namespace params
}  // namespace acme
