#pragma once

#include <cstdint>

#include "gxf/core/component.hpp"

namespace nvidia {
namespace gxf {

/// A component that does work: the scheduler calls start(), tick() and stop(). Any result but
/// GXF_SUCCESS of start() and tick() ends the run with an error that names the component.
class GXR_GXF_API Codelet : public Component {
 public:
  ~Codelet() override;

  virtual gxf_result_t start();
  virtual gxf_result_t tick() = 0;
  virtual gxf_result_t stop();

  /// The scheduler's time of this tick, ns.
  std::int64_t getExecutionTimestamp() const { return timestamp_; }
  /// The same in seconds.
  double getExecutionTime() const { return static_cast<double>(timestamp_) * 1e-9; }
  /// Seconds since the tick before; 0 in start() and stop().
  double getDeltaTime() const { return delta_; }
  /// 1 in the first tick.
  std::int64_t getExecutionCount() const { return count_; }
  bool isFirstTick() const { return count_ == 1; }

  // Of the layer.
  gxr::Component* make_adapter() override;
  void set_execution(std::int64_t timestamp, double delta, std::int64_t count) noexcept {
    timestamp_ = timestamp;
    delta_ = delta;
    count_ = count;
  }

 private:
  std::int64_t timestamp_ = 0;
  double delta_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace gxf
}  // namespace nvidia
