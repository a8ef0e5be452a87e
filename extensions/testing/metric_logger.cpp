#include "metric_logger.hpp"

#include <optional>
#include <string>

#include "gxr/plain_text.hpp"

namespace gxr::testing {
namespace {

std::string text_of(const Metric& metric) {
  const std::optional<double> value = metric.aggregated_value();
  if (!value) {
    return "has no sample";
  }
  return general_text(*value) + (metric.evaluate_success() ? ", success" : ", failure");
}

}  // namespace

void TestMetricLogger::declare(Interface& interface) {
  interface.parameter(metrics_, "metrics", "Metrics to record in", "Left out: all of the entity.")
      .default_value({});
}

void TestMetricLogger::start() {
  find_metrics();
  for (Metric* metric : recorded_) {
    if (!metric->has_aggregation()) {
      metric->set_aggregation_function([](double sample) { return sample; });
    }
  }
}

void TestMetricLogger::find_metrics() {
  recorded_.clear();
  for (const Handle<Metric>& metric : *metrics_) {
    if (metric) {
      recorded_.push_back(metric.get());
    }
  }
  if (!recorded_.empty()) {
    return;
  }
  for (Component* component : context().siblings(*this)) {
    if (auto* metric = dynamic_cast<Metric*>(component)) {
      recorded_.push_back(metric);
    }
  }
}

void TestMetricLogger::tick() {
  for (Metric* metric : recorded_) {
    metric->record(static_cast<double>(execution_count()));
  }
}

void TestMetricLogger::stop() {
  for (const Metric* metric : recorded_) {
    log_info(metric->full_name() + ": " + text_of(*metric));
  }
}

}  // namespace gxr::testing
