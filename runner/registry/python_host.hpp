#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "gxr/type_info.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// A process in which Python runs. The native module of the package gxr is one.
struct PythonHost {
  std::string interpreter;  ///< sys.executable; empty: that of the environment
  /// The factories of these types of a file, in their order; imports it. Throws Error.
  std::function<std::vector<ComponentFactory>(const std::filesystem::path& file,
                                              const std::vector<TypeInfo>& types)>
      factories = nullptr;
  /// As fork(), and tells the interpreter in both processes.
  std::function<pid_t()> fork = nullptr;
  /// What the interpreter does before its process ends, if that does not return to it: calls the
  /// functions of atexit, and flushes its streams.
  std::function<void()> leave = nullptr;
  /// Has a handler of a signal, such as that of Ctrl-C, raised something? What waits for another
  /// process then throws Interrupted. Asked on the thread that waits.
  std::function<bool()> is_interrupted = nullptr;
};

/// Once a process, and before anything that asks for it. Throws Error(InvalidState) the second
/// time.
GXR_INTERNAL_API void set_python_host(PythonHost host);
/// nullptr: Python does not run in this process.
GXR_INTERNAL_API const PythonHost* python_host() noexcept;

}  // namespace gxr
