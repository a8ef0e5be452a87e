#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gxr {

/// What a child process may take.
struct ProcessLimits {
  std::chrono::nanoseconds time{};
  std::size_t most_bytes = 0;  ///< of its standard output
  /// Is the answer not wanted any more? Asked many times a second; may be empty.
  std::function<bool()> is_interrupted = nullptr;
};

/// Nobody wants the result of a call any more: it ended before it was done. It is no
/// std::exception, so that nobody takes it for a mistake in a file.
struct Interrupted {};

/// How a child process ended.
struct ProcessEnd {
  enum class Reason {
    Exited,    ///< `status` is its exit code
    Signal,    ///< `status` is the signal that killed it
    TooLong,   ///< it was killed
    TooLarge,  ///< likewise
  };
  Reason reason = Reason::Exited;
  int status = 0;
  std::string output;  ///< standard output
  std::string errors;  ///< the end of standard error
};

/// Runs a program without a shell, waits for it, and ends what it started and left behind. It has
/// nothing to read, the environment and folder of this process, and a process group of its own. It
/// is killed with its group when this process or the calling thread ends, so a Ctrl-C leaves
/// nothing. Throws Interrupted when the limits say so, Error(InputOutput) when the system refuses,
/// and the reason of execv(2) for a program that cannot be run. Precondition: `arguments` begin
/// with the path of the program.
ProcessEnd run_child_process(const std::vector<std::string>& arguments,
                             const ProcessLimits& limits);

}  // namespace gxr
