#pragma once

#include <cstdint>
#include <string>

#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// Waits for the streams of a message, then passes it on.
class CudaStreamSync final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;

 private:
  Parameter<Handle<Receiver>> rx_;
  Parameter<Handle<Transmitter>> tx_;
};

/// Terms that look at device work behind the oldest message of a receiver.
class DeviceWorkTerm : public SchedulingTerm {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;

 private:
  Parameter<Handle<Receiver>> receiver_;
};

/// READY when the work on the message's stream is done.
class CudaStreamSchedulingTerm final : public DeviceWorkTerm {};

/// READY when a CUDA event of the message has happened.
class CudaEventSchedulingTerm final : public DeviceWorkTerm {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<std::string> event_name_;
};

/// READY when the message's buffer is filled.
class CudaBufferAvailableSchedulingTerm final : public DeviceWorkTerm {};

}  // namespace gxr::cuda
