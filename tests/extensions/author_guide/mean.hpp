#pragma once

#include <numeric>

#include <gxr/gxr.hpp>
#include <gxr/plain_text.hpp>

#include "interval.hpp"

namespace guide {

/// Logs the mean of every tensor that arrives and checks it.
class Mean final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages with a tensor 'ramp' of float32");
    interface.parameter(expected_, "expected", "Means outside end the run")
        .default_value({-1e9, 1e9});
  }

  void tick() override {
    while (const gxr::Message message = in_->pop()) {
      check(mean_of(message.get<gxr::Tensor>("ramp")));
    }
  }

 private:
  static double mean_of(const gxr::Tensor& tensor) {
    const float* first = tensor.data<const float>();
    return std::accumulate(first, first + tensor.element_count(), 0.0) /
           static_cast<double>(tensor.element_count());
  }

  void check(double mean) const {
    log_info("mean " + gxr::shortest_text(mean));
    if (mean < expected_->low || mean > expected_->high) {
      throw gxr::Error(gxr::ErrorCode::OutOfRange,
                       "mean " + gxr::shortest_text(mean) + " is not between " +
                           gxr::shortest_text(expected_->low) + " and " +
                           gxr::shortest_text(expected_->high));
    }
  }

  gxr::Input<> in_;
  gxr::Parameter<Interval> expected_;
};

}  // namespace guide
