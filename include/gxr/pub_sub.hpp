#pragma once

#include <cstdint>
#include <string>

#include "gxr/clock.hpp"
#include "gxr/ipc.hpp"
#include "gxr/queue.hpp"

namespace gxr {

/// Carries the topics of PubSubTransmitters to PubSubReceivers in GXF. Here each receiver of a
/// topic gets the messages of all its transmitters in the same application, with a context or
/// without one.
class GXR_API PubSubContext : public NetworkContext {
 public:
  ~PubSubContext() override;
  void declare(Interface& interface) override;

 private:
  // Accepted for GXF's files, without effect.
  Parameter<std::string> node_name_;
  Parameter<Handle<Clock>> clock_;
  Parameter<std::string> native_buffer_policy_;
};

/// The context for topics within one process.
class GXR_API InMemoryPubSubContext final : public PubSubContext {
 public:
  ~InMemoryPubSubContext() override;
};

/// An output queue whose messages go to all PubSubReceivers of its topic.
class GXR_API PubSubTransmitter final : public StagedQueue<Transmitter> {
 public:
  PubSubTransmitter() noexcept { use_ring(staged_ring()); }
  ~PubSubTransmitter() override;
  void declare(Interface& interface) override;

 private:
  Parameter<std::string> topic_name_;
};

/// An input queue for the messages of all PubSubTransmitters of its topic.
class GXR_API PubSubReceiver final : public StagedQueue<Receiver> {
 public:
  PubSubReceiver() noexcept { use_ring(staged_ring()); }
  ~PubSubReceiver() override;
  void declare(Interface& interface) override;

 private:
  Parameter<std::string> topic_name_;
};

}  // namespace gxr
