#pragma once

#include <functional>
#include <string>
#include <thread>

#include "internal_api.hpp"
#include "ipc/file_descriptor.hpp"

namespace gxr {

/// A thread that waits for files with poll(2), and ends when this object does.
class ServiceThread {
 public:
  /// `serve` returns soon after its argument has become readable. Throws Error(OutOfMemory) when
  /// the system has no thread or no file descriptor; `what` names the thread in the message.
  ServiceThread(const std::string& what, std::function<void(int stop)> serve);
  ServiceThread(const ServiceThread&) = delete;
  ServiceThread& operator=(const ServiceThread&) = delete;
  GXR_INTERNAL_API ~ServiceThread();

 private:
  FileDescriptor stop_;  // an eventfd
  std::thread thread_;
};

}  // namespace gxr
