#include "waker.hpp"

#include <cerrno>
#include <cstdint>

#include <nanobind/stl/shared_ptr.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::python {

Waker::Waker() : file_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!file_) {
    throw Error(ErrorCode::InputOutput,
                "cannot wait in an event loop: " + system_error_text(errno));
  }
}

void Waker::wake() const noexcept {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(file_.descriptor(), &one, sizeof(one)));
}

std::shared_ptr<Waker> Wakers::make() {
  auto made = std::make_shared<Waker>();
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [](const auto& waker) { return waker.expired(); });
  waiting_.push_back(made);
  return made;
}

void Wakers::wake() noexcept {
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<Waker>& each : waiting_) {
    if (const std::shared_ptr<Waker> waker = each.lock()) {
      waker->wake();
    }
  }
  waiting_.clear();
}

void bind_waker(nb::module_& module) {
  nb::class_<Waker>(module, "Waker").def("fileno", &Waker::descriptor);
}

}  // namespace gxr::python
