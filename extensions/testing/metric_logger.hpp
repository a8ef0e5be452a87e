#pragma once

#include <vector>

#include "gxr/gxr.hpp"
#include "gxr/metric.hpp"

namespace gxr::testing {

/// Records the number of each tick, 1, 2, 3, …, in metrics, and logs what they make of it when it
/// stops. A metric without aggregation_policy gets a function that keeps the latest sample.
class TestMetricLogger final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  void find_metrics();

  Parameter<std::vector<Handle<Metric>>> metrics_;
  std::vector<Metric*> recorded_;
};

}  // namespace gxr::testing
