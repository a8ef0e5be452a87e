#include "signals.hpp"

namespace gxr::python {
namespace {

/// Of the thread whose handler raised it, which takes it before it ends.
std::optional<nb::python_error>& kept() {
  static thread_local std::optional<nb::python_error> error;
  return error;
}

}  // namespace

void look_for_signals() {
  if (PyErr_CheckSignals() != 0) {
    throw nb::python_error();
  }
}

bool is_interrupted() {
  const Gil gil;
  if (PyErr_CheckSignals() == 0) {
    return false;
  }
  kept().emplace();
  return true;
}

std::optional<nb::python_error> take_interruption() {
  std::optional<nb::python_error> taken;
  if (kept()) {
    taken.emplace(*std::move(kept()));
    kept().reset();
  }
  return taken;
}

}  // namespace gxr::python
