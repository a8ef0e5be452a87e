#include "gil.hpp"

#include <unistd.h>

namespace gxr::python {
namespace {

bool is_finalizing() noexcept {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

/// For ever, when the interpreter ends.
void wait_while_finalizing() noexcept {
  while (is_finalizing()) {
    ::pause();
  }
}

/// The interpreter's state of the calling thread, which is no thread of Python.
class ThreadState {
 public:
  ThreadState() noexcept {
    ensured_ = PyGILState_Ensure();
    state_ = PyEval_SaveThread();
  }
  ~ThreadState() {
    if (Py_IsInitialized() != 0 && !is_finalizing()) {
      PyEval_RestoreThread(state_);
      PyGILState_Release(ensured_);
    }
  }
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

  [[nodiscard]] PyThreadState* get() const noexcept { return state_; }

 private:
  PyGILState_STATE ensured_;
  PyThreadState* state_;
};

}  // namespace

Gil::Gil() noexcept {
  if (PyGILState_Check() != 0) {
    return;
  }
  wait_while_finalizing();
  kept_ = PyGILState_GetThisThreadState();
  if (kept_ == nullptr) {  // a thread of the engine
    thread_local const ThreadState state;
    kept_ = state.get();
  }
  PyEval_RestoreThread(kept_);
}

Gil::~Gil() {
  if (kept_ != nullptr) {
    PyEval_SaveThread();
  }
}

// The thread that ends the interpreter keeps the lock: it could not get it back.
WithoutGil::WithoutGil() noexcept
    : state_(PyGILState_Check() != 0 && !is_finalizing() ? PyEval_SaveThread() : nullptr) {}

WithoutGil::~WithoutGil() {
  if (state_ != nullptr) {
    wait_while_finalizing();
    PyEval_RestoreThread(state_);
  }
}

}  // namespace gxr::python
