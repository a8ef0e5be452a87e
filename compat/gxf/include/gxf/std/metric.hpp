#pragma once

#include <functional>

#include "gxf/core/component.hpp"

namespace gxr {

class Metric;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// A number about the application, made of many samples.
class GXR_GXF_API Metric : public Component {
 public:
  using OnlyOfGxr = void;

  explicit Metric(gxr::Metric& metric) noexcept : metric_(metric) {}
  ~Metric() override;

  Expected<void> record(double sample);
  /// Does the value lie between the thresholds? An error before the first sample.
  Expected<bool> evaluateSuccess();
  Expected<double> getAggregatedValue();
  Expected<double> getLowerThreshold();
  Expected<double> getUpperThreshold();
  Expected<void> reset();

  // How samples are taken together; an error when that has been said already.
  Expected<void> setAggregationFunction(std::function<double(double)> function);
  Expected<void> setMeanAggregationFunction();
  Expected<void> setRootMeanSquareAggregationFunction();
  Expected<void> setAbsMaxAggregationFunction();
  Expected<void> setMaxAggregationFunction();
  Expected<void> setMinAggregationFunction();
  Expected<void> setSumAggregationFunction();
  Expected<void> setFixedAggregationFunction();

 private:
  Expected<void> set_policy(const char* policy);

  gxr::Metric& metric_;
};

}  // namespace gxf
}  // namespace nvidia
