#include "ipc/service_thread.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <sys/eventfd.h>

#include "gxr/error.hpp"

namespace gxr {

ServiceThread::ServiceThread(std::function<void(int stop)> serve)
    : stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!stop_.is_open()) {
    throw Error(ErrorCode::OutOfMemory, "no file descriptor is left for a thread to be stopped by");
  }
  try {
    thread_ = std::thread([serve = std::move(serve), stop = stop_.get()] { serve(stop); });
  } catch (const std::exception& error) {
    throw Error(ErrorCode::OutOfMemory, std::string("a thread cannot be started: ") + error.what());
  }
}

ServiceThread::~ServiceThread() {
  // Adding to an eventfd fails only when it is full, and so readable.
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

}  // namespace gxr
