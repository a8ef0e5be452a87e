#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "gxr/component.hpp"
#include "gxr/interface.hpp"

namespace gxr {

/// One number about an application, made of many samples, with bounds between which it is a
/// success. Thread-safe.
class GXR_API Metric : public Component {
 public:
  /// Makes the new value of the metric from a sample.
  using Aggregation = std::function<double(double sample)>;

  ~Metric() override;
  void declare(Interface& interface) override;
  void initialize() override;

  /// Takes a sample. Throws Error(InvalidState) without aggregation_policy and
  /// set_aggregation_function().
  void record(double sample);
  /// What the samples since the last reset() amount to; empty before the first.
  [[nodiscard]] std::optional<double> aggregated_value() const;
  /// Whether the value lies between the thresholds, which belong to them. Throws
  /// Error(InvalidState) when there is no sample yet.
  [[nodiscard]] bool evaluate_success() const;
  /// Forgets all samples.
  void reset();
  /// Whether aggregation_policy or set_aggregation_function() says how samples are taken together.
  [[nodiscard]] bool has_aggregation() const;
  /// How samples are taken together when no policy says it. Throws Error(InvalidState) when that
  /// has been said already.
  void set_aggregation_function(Aggregation function);
  /// The same by one of the words of aggregation_policy. Does nothing when the file says that word;
  /// throws Error(InvalidState) when it says another one, or a function is set.
  void set_aggregation_policy(const std::string& policy);
  /// The least value that is a success; empty: none.
  [[nodiscard]] const std::optional<double>& lower_threshold() const {
    return lower_threshold_.try_get();
  }
  /// The greatest value that is a success; empty: none.
  [[nodiscard]] const std::optional<double>& upper_threshold() const {
    return upper_threshold_.try_get();
  }

 private:
  [[nodiscard]] double aggregate(double sample);
  /// Word of the aggregation in use; empty: function_.
  [[nodiscard]] const std::string& policy() const;

  Parameter<std::string> aggregation_policy_;
  Parameter<double> lower_threshold_;
  Parameter<double> upper_threshold_;

  mutable std::mutex mutex_;  // guards the members below
  Aggregation function_;
  std::string policy_;  // of set_aggregation_policy()
  std::uint64_t count_ = 0;
  double sum_ = 0;  // of the samples, or of their squares
  std::optional<double> value_;
};

}  // namespace gxr
