#include "gauge_reader.hpp"

#include "gxf/core/parameter_parser_std.hpp"

namespace acme {
namespace params {

gxf_result_t GaugeReader::registerInterface(nvidia::gxf::Registrar* registrar) noexcept {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(gauge_, "gauge", "Gauge", "Gives a value");
  result &= registrar->parameter(other_gauge_, "other_gauge", "Other gauge", "Gives another value");
  result &= registrar->parameter(calibration_, "calibration", "Calibration", "Applied to the sum",
                                 nvidia::gxf::Registrar::NoDefaultParameter(),
                                 GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(expected_, "expected", "Expected", "The sum in each tick");
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t GaugeReader::initialize() noexcept {
  next_ = 0;
  // A handle says which implementation it leads to.
  GXF_LOG_INFO("params: gauges '%s' and '%s'", gauge_.get().name(), other_gauge_->name());
  return GXF_SUCCESS;
}

gxf_result_t GaugeReader::start() noexcept { return GXF_SUCCESS; }

gxf_result_t GaugeReader::tick() noexcept {
  const auto value = gauge_->measure();
  if (!value) {
    return value.error();
  }
  const auto other = other_gauge_->measure();
  if (!other) {
    return other.error();
  }
  double sum = value.value() + other.value();
  if (const auto calibration = calibration_.try_get()) {
    sum = calibration.value()->apply(sum);
  }
  if (next_ >= expected_.get().size() || sum != expected_.get()[next_]) {
    GXF_LOG_ERROR("Sum %zu is %g", next_, sum);
    return GXF_FAILURE;
  }
  ++next_;
  return GXF_SUCCESS;
}

gxf_result_t GaugeReader::stop() noexcept {
  GXF_LOG_INFO("params: %zu sums", next_);
  return GXF_SUCCESS;
}

gxf_result_t GaugeReader::deinitialize() noexcept {
  return next_ == expected_.get().size() ? GXF_SUCCESS : GXF_FAILURE;
}

}  // namespace params
}  // namespace acme
