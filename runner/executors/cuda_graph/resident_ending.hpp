#pragma once

#include <chrono>
#include <exception>
#include <mutex>

#include "executors/cuda_graph/resident_runner.hpp"
#include "gxr/error.hpp"

namespace gxr {

/// Ends the loop: for a change, for the program, or for good.
class ResidentRunner::Ending {
 public:
  using Lock = std::unique_lock<std::mutex>;

  explicit Ending(ResidentRunner& runner) : runner_(runner) {}

  /// Tells the loop to end: when the inputs are worked on that are there, or at once.
  void tell(GraphStop how);
  /// Does the loop run? Throws when the device has failed.
  [[nodiscard]] bool is_running();
  /// Returns when the loop has ended; `lock` is open meanwhile, if there is one. False: nothing has
  /// happened for so long, or the application ends while this is for a program that has it running.
  [[nodiscard]] bool wait(Lock* lock, std::chrono::nanoseconds patience,
                          bool is_for_program = false);
  /// The loop has ended.
  void note_end();
  /// The device has failed: says where, to the program, too.
  [[noreturn]] void fail(const Error& error);
  /// Waits for kPatience, and throws when it does not end.
  void require_end();
  /// Throws Error(Device). `patience`: how long nothing has happened; 0: it was known before.
  [[noreturn]] void throw_does_not_end(const char* why, std::chrono::nanoseconds patience) const;

  /// Ends the loop for good; nothing is published any more. Failures are kept.
  void end() noexcept;
  /// end(), but for what has failed before; throws what was kept.
  void finish();

 private:
  void end_for_good();
  void end_running(Lock& lock);
  void give_up(Lock& lock, std::chrono::nanoseconds patience, bool has_stalled);

  ResidentRunner& runner_;
  std::exception_ptr failure_;  // of end()
};

}  // namespace gxr
