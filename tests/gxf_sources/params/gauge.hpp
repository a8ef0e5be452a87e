#pragma once

#include "common/expected.hpp"
#include "gxf/core/component.hpp"
#include "gxf/core/expected.hpp"

namespace acme {
namespace params {

// Something that measures. Codelets know only this interface.
class Gauge : public nvidia::gxf::Component {
 public:
  virtual nvidia::gxf::Expected<double> measure() = 0;
};

// Always measures the same.
class FixedGauge : public Gauge {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) noexcept override;
  nvidia::gxf::Expected<double> measure() noexcept override { return value_.get(); }

 private:
  nvidia::gxf::Parameter<double> value_;
};

// Measures more each time.
class RisingGauge : public Gauge {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) noexcept override;
  gxf_result_t initialize() noexcept override;
  gxf_result_t deinitialize() noexcept override { return GXF_SUCCESS; }
  nvidia::gxf::Expected<double> measure() noexcept override;

 private:
  nvidia::gxf::Parameter<double> step_;
  nvidia::gxf::Parameter<double> highest_;

  double next_ = 0.0;
};

// Knows factors by name: a component that is no codelet and has no base of its own.
class Calibration : public nvidia::gxf::Component {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;

  double apply(double value) const { return factor_.get() * value + offset_; }

 private:
  nvidia::gxf::Parameter<double> factor_;
  nvidia::gxf::Parameter<float> offset_parameter_;

  double offset_ = 0.0;
};

}  // namespace params
}  // namespace acme
