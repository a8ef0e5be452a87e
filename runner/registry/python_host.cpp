#include "registry/python_host.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "gxr/error.hpp"

namespace gxr {
namespace {

std::atomic<const PythonHost*>& the_host() noexcept {
  static std::atomic<const PythonHost*> host = nullptr;
  return host;
}

}  // namespace

void set_python_host(PythonHost host) {
  auto given = std::make_unique<const PythonHost>(std::move(host));
  const PythonHost* none = nullptr;
  if (!the_host().compare_exchange_strong(none, given.get())) {
    throw Error(ErrorCode::InvalidState, "this process has a Python host already");
  }
  // It stays, as Python does: components may be made until the process ends.
  static_cast<void>(given.release());
}

const PythonHost* python_host() noexcept { return the_host().load(); }

}  // namespace gxr
