#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include <nanobind/nanobind.h>

#include "gxr/open_file.hpp"

namespace gxr::python {

namespace nb = nanobind;

/// A file that can be read once something has changed, for event loops.
class Waker {
 public:
  /// Throws Error(InputOutput) when the system has no file left.
  Waker();

  [[nodiscard]] int descriptor() const noexcept { return file_.descriptor(); }
  void wake() const noexcept;

 private:
  OpenFile file_;
};

/// Those who wait for a change. Thread-safe.
class Wakers {
 public:
  /// One for the next change. Look again after this call: the change may have come before.
  std::shared_ptr<Waker> make();
  /// There was a change. Cheap when nobody waits.
  void wake() noexcept;

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Waker>> waiting_;  // of which some may have given up
};

void bind_waker(nb::module_& module);

}  // namespace gxr::python
