#pragma once

#include <nanobind/nanobind.h>

namespace gxr::python {

/// Holds Python's global lock. A thread that asks for it while the interpreter ends waits for ever:
/// the interpreter would end the thread, through frames that cannot be left so. Cheap on threads of
/// the engine: the interpreter's state of a thread is made once and kept until the thread ends.
class Gil {
 public:
  Gil() noexcept;
  ~Gil();
  Gil(const Gil&) = delete;
  Gil& operator=(const Gil&) = delete;

 private:
  PyThreadState* kept_ = nullptr;  // null: the thread held the lock before
};

/// Gives the lock back while it exists, if the thread holds it.
class WithoutGil {
 public:
  WithoutGil() noexcept;
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace gxr::python
