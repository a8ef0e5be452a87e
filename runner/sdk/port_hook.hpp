#pragma once

#include "gxr/queue.hpp"

namespace gxr {

/// Sees the messages that pass the ports of a codelet during its tick: one with device work, see
/// gxr::cuda::Streams.
class PortHook {
 public:
  /// The codelet takes `message`; device work may still write its data.
  virtual void received(Receiver& receiver, Message& message) = 0;
  /// The codelet publishes `message`.
  virtual void publishing(Transmitter& transmitter, Message& message) = 0;

 protected:
  ~PortHook() = default;
};

}  // namespace gxr
