#pragma once

#include <cstdint>

#include "gxr/codelet.hpp"
#include "gxr/error.hpp"
#include "gxr/queue.hpp"

namespace gxr {

/// Publishes for a codelet that GXF has too, and that does not look at the result of publish()
/// there.
///
/// A transmitter that does not take a message ends the run with its error. With `--compat gxf` the
/// message is lost: the first loss is a warning, all are counted. Used by the codelet's thread.
class GXR_API UncheckedOutput {
 public:
  /// Publishes `message` on a transmitter of `codelet`.
  void publish(const Codelet& codelet, Transmitter& transmitter, Message message);
  /// Also sets the acquisition time, as Transmitter::publish does.
  void publish(const Codelet& codelet, Transmitter& transmitter, Message message,
               std::int64_t acqtime);
  /// Says how many messages were lost, unless the report of the run counts them with the queue.
  /// Call in stop().
  void finish(const Codelet& codelet);

 private:
  void lose(const Codelet& codelet, Transmitter& transmitter, const Error& error);

  std::uint64_t lost_ = 0;  // that no queue counts
  bool warned_ = false;
};

}  // namespace gxr
