#include "gxr/metric.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {

Metric::~Metric() = default;

void Metric::declare(Interface& interface) {
  interface
      .parameter(aggregation_policy_, "aggregation_policy", "How samples are taken together",
                 "Left out: by a function that a component gives.")
      .choices({{"mean", "their average"},
                {"root_mean_square", "the root of the average of their squares"},
                {"abs_max", "the greatest absolute value"},
                {"max", "the greatest"},
                {"min", "the least"},
                {"sum", "their sum"},
                {"fixed", "the latest"}})
      .optional();
  interface
      .parameter(lower_threshold_, "lower_threshold", "Least value that is a success",
                 "Left out: no bound.")
      .optional();
  interface
      .parameter(upper_threshold_, "upper_threshold", "Greatest value that is a success",
                 "Left out: no bound.")
      .optional();
}

void Metric::initialize() {
  const auto& lower = lower_threshold_.try_get();
  const auto& upper = upper_threshold_.try_get();
  if (lower && upper && *lower > *upper) {
    throw Error(ErrorCode::InvalidParameter, "lower_threshold (" + shortest_text(*lower) +
                                                 ") is greater than upper_threshold (" +
                                                 shortest_text(*upper) + ")");
  }
}

bool Metric::has_aggregation() const {
  const std::lock_guard lock(mutex_);
  return function_ || !policy().empty();
}

const std::string& Metric::policy() const {
  return policy_.empty() && aggregation_policy_.has_value() ? *aggregation_policy_ : policy_;
}

void Metric::set_aggregation_function(Aggregation function) {
  const std::lock_guard lock(mutex_);
  if (function_ || !policy().empty()) {
    throw Error(ErrorCode::InvalidState,
                "'" + full_name() + "' already has an aggregation function");
  }
  function_ = std::move(function);
}

void Metric::set_aggregation_policy(const std::string& policy) {
  const std::lock_guard lock(mutex_);
  const std::string& current = this->policy();
  if (function_ || (!current.empty() && current != policy)) {
    throw Error(
        ErrorCode::InvalidState,
        "'" + full_name() + "' cannot aggregate by '" + policy + "': it already has " +
            (function_ ? "an aggregation function" : "the aggregation_policy '" + current + "'"));
  }
  policy_ = policy;
}

double Metric::aggregate(double sample) {
  const std::string& policy = this->policy();
  if (policy.empty()) {
    return function_(sample);
  }
  ++count_;
  const auto count = static_cast<double>(count_);
  if (policy == "root_mean_square") {
    sum_ += sample * sample;
    return std::sqrt(sum_ / count);
  }
  sum_ += sample;
  if (policy == "mean") {
    return sum_ / count;
  }
  if (policy == "sum") {
    return sum_;
  }
  if (policy == "abs_max") {
    return std::max(value_.value_or(0.0), std::fabs(sample));
  }
  if (policy == "max") {
    return std::max(value_.value_or(sample), sample);
  }
  if (policy == "min") {
    return std::min(value_.value_or(sample), sample);
  }
  return sample;
}

void Metric::record(double sample) {
  const std::lock_guard lock(mutex_);
  if (!function_ && policy().empty()) {
    throw Error(ErrorCode::InvalidState,
                "'" + full_name() +
                    "' cannot take samples together: set its aggregation_policy, or call "
                    "set_aggregation_function");
  }
  value_ = aggregate(sample);
}

std::optional<double> Metric::aggregated_value() const {
  const std::lock_guard lock(mutex_);
  return value_;
}

bool Metric::evaluate_success() const {
  const std::optional<double> value = aggregated_value();
  if (!value) {
    throw Error(ErrorCode::InvalidState, "'" + full_name() + "' has no sample to judge");
  }
  return *value >= lower_threshold_.try_get().value_or(*value) &&
         *value <= upper_threshold_.try_get().value_or(*value);
}

void Metric::reset() {
  const std::lock_guard lock(mutex_);
  value_.reset();
  count_ = 0;
  sum_ = 0;
}

}  // namespace gxr
