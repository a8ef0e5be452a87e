#pragma once

#include "gxf/std/queue.hpp"

namespace nvidia {
namespace gxf {

/// An output queue. Messages leave when the tick has ended without an error.
class GXR_GXF_API Transmitter : public Queue {
 public:
  explicit Transmitter(gxr::Transmitter& transmitter) noexcept;
  ~Transmitter() override;

  /// GXF_EXCEEDING_PREALLOCATED_SIZE when the queue is full and its policy is to fail.
  Expected<void> publish(const Entity& message);
  /// Sets the acquisition time of the part "timestamp", which is added when it is missing.
  Expected<void> publish(Entity& message, const std::int64_t acq_timestamp);
  std::size_t back_size();
  Expected<void> sync();
  Expected<void> sync_io() { return Success; }

 private:
  gxr::Transmitter& transmitter_;
};

}  // namespace gxf
}  // namespace nvidia
