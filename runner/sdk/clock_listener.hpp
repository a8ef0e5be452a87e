#pragma once

namespace gxr {

/// Hears that a clock jumped, or changed its speed.
class ClockListener {
 public:
  /// On the thread that changed the clock.
  virtual void clock_changed() noexcept = 0;

 protected:
  ~ClockListener() = default;
};

}  // namespace gxr
