#include "ipc/service_thread.hpp"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <sys/eventfd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "observe/own_thread.hpp"

namespace gxr {

ServiceThread::ServiceThread(const std::string& what, std::function<void(int stop)> serve)
    : stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!stop_.is_open()) {
    const std::string reason = system_error_text(errno);
    throw Error(ErrorCode::OutOfMemory, "no file descriptor is free for " + what + ": " + reason);
  }
  thread_ = start_thread(what, [serve = std::move(serve), stop = stop_.get()] { serve(stop); });
}

ServiceThread::~ServiceThread() {
  // Adding to an eventfd fails only when it is full, and so readable.
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

}  // namespace gxr
