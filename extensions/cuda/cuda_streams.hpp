#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "gxr/cuda/streams.hpp"
#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// Waits for the work that writes a message, then passes the message on.
class CudaStreamSync final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Input<> rx_;
  Output<> tx_;
};

/// Base of the terms that wait for device work behind messages. An error of the device, and work
/// that takes too long, end the wait with an error. A GPU is needed when there is such work only.
class DeviceWorkTerm : public SchedulingTerm {
 public:
  void initialize() override;
  void deinitialize() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

 protected:
  /// What to wait for: nothing; some work; or, without an answer, for the receivers' next message.
  struct Awaited {
    bool messages = false;  ///< are all messages there that must be?
    std::vector<DeviceWork> works;
  };
  [[nodiscard]] virtual Awaited awaited() = 0;
  [[nodiscard]] virtual std::vector<Receiver*> receivers() const = 0;
  /// 0: wait without end.
  [[nodiscard]] virtual std::int64_t timeout_ms() const { return 60000; }
  [[nodiscard]] virtual const char* hint_for_timeout() const {
    return "gxr::cuda::CudaStreamCondition has a timeout_ms for work that needs longer";
  }

 private:
  Condition wait_for(const DeviceWork& work);

  DeviceWork watched_;
  bool watches_ = false;  // the runtime may still know this term
  std::chrono::steady_clock::time_point since_;
};

/// Base of GXF's terms, which look at the oldest message of a receiver.
class OldestMessageTerm : public DeviceWorkTerm {
 public:
  void declare(Interface& interface) override;

 protected:
  [[nodiscard]] Awaited awaited() override;
  [[nodiscard]] std::vector<Receiver*> receivers() const override {
    return {receiver_.get().get()};
  }
  /// What this message has to wait for; true when it can be told.
  [[nodiscard]] virtual bool work_of(const Message& message, DeviceWork& work) const = 0;

 private:
  Parameter<Handle<Receiver>> receiver_;
};

/// READY when the work that writes the oldest message is done.
class CudaStreamSchedulingTerm final : public OldestMessageTerm {
  [[nodiscard]] bool work_of(const Message& message, DeviceWork& work) const override;
};

/// READY when a CudaEvent of the oldest message has happened.
class CudaEventSchedulingTerm final : public OldestMessageTerm {
 public:
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] bool work_of(const Message& message, DeviceWork& work) const override;

  Parameter<std::string> event_name_;
};

/// READY when the CudaBuffer of the oldest message is filled.
class CudaBufferAvailableSchedulingTerm final : public OldestMessageTerm {
  [[nodiscard]] bool work_of(const Message& message, DeviceWork& work) const override;
};

/// READY when every receiver has a message, and the work that writes any message there is done.
class CudaStreamCondition final : public DeviceWorkTerm {
 public:
  void declare(Interface& interface) override;
  void initialize() override;

 private:
  [[nodiscard]] Awaited awaited() override;
  [[nodiscard]] std::vector<Receiver*> receivers() const override;
  [[nodiscard]] std::int64_t timeout_ms() const override { return *timeout_ms_; }
  [[nodiscard]] const char* hint_for_timeout() const override {
    return "raise timeout_ms if it needs longer";
  }

  Parameter<Handle<Receiver>> receiver_;
  Parameter<std::vector<Handle<Receiver>>> receivers_;
  Parameter<std::int64_t> timeout_ms_;
};

}  // namespace gxr::cuda
