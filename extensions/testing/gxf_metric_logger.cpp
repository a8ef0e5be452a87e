#include "gxf_metric_logger.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace gxr::testing::gxf {
namespace {

/// The purpose of one of the metrics.
struct Use {
  const char* key;
  const char* headline;
  const char* policy;  // that start() gives it; null: the file says it
  double sign;         // of what is recorded
  double expected;     // after 100 ticks
  bool must_fail;      // its bounds
};

constexpr double kTolerance = 0.0001;
constexpr std::array<Use, 9> kUses = {{
    {"sample_metric_parameter", "A metric whose file says mean", nullptr, 1, 49.5, false},
    {"sample_metric_parameter_mean", "Gets the mean", "mean", 1, 49.5, false},
    {"sample_metric_parameter_rms", "Gets the root mean square", "root_mean_square", 1,
     57.30183243143277, false},
    {"sample_metric_parameter_abs_max", "Gets the greatest absolute value", "abs_max", -1, 99,
     false},
    {"sample_metric_parameter_max", "Gets the greatest value", "max", 1, 99, false},
    {"sample_metric_parameter_min", "Gets the least value", "min", 1, 0, false},
    {"sample_metric_parameter_sum", "Gets the sum", "sum", 1, 4950, false},
    {"sample_metric_parameter_fixed", "Gets the latest value", "fixed", 1, 99, false},
    {"sample_metric_parameter_fail_threshold",
     "A metric whose file says sum, and bounds that are missed", nullptr, 1, 4950, true},
}};

std::string number(double value) { return ParameterTraits<double>::to_yaml(value); }

}  // namespace

void TestMetricLogger::declare(Interface& interface) {
  static_assert(kUses.size() == kMetrics);
  for (std::size_t i = 0; i < kMetrics; ++i) {
    interface.parameter(metrics_[i], kUses[i].key, kUses[i].headline);
  }
}

void TestMetricLogger::start() {
  next_ = 0;
  differences_ = {};
  for (std::size_t i = 0; i < kMetrics; ++i) {
    if (kUses[i].policy != nullptr) {
      metrics_[i]->set_aggregation_policy(kUses[i].policy);
    }
  }
}

void TestMetricLogger::tick() {
  for (std::size_t i = 0; i < kMetrics; ++i) {
    metrics_[i]->record(kUses[i].sign * static_cast<double>(next_));
  }
  ++next_;
}

void TestMetricLogger::stop() {
  for (std::size_t i = 0; i < kMetrics; ++i) {
    const Metric& metric = *metrics_[i].get();
    const std::string name = "'" + metric.full_name() + "' (" + kUses[i].key + ")";
    const std::optional<double> value = metric.aggregated_value();
    if (!value || !(std::fabs(*value - kUses[i].expected) <= kTolerance)) {
      differences_.add(name + (value ? " is " + number(*value) : " has no sample") + ", expected " +
                       number(kUses[i].expected));
    } else if (kUses[i].must_fail && metric.evaluate_success()) {
      differences_.add(name + " lies within its bounds, which it must miss");
    }
  }
}

void TestMetricLogger::deinitialize() { differences_.throw_if_any(); }

}  // namespace gxr::testing::gxf
