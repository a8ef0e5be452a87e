#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include <sys/types.h>

namespace gxr::commands {

/// A signal that came, as its handler saw it.
struct SignalNote {
  int number = 0;         ///< 0: none; SignalPipe::end() wakes with it
  int code = 0;           ///< si_code: SI_USER, SI_KERNEL, …
  pid_t sender = 0;       ///< process that sent it; 0 if none did, or one of another namespace
  std::int64_t when = 0;  ///< steady clock, ns
};

/// For the time before there is a SignalPipe, while an application is loaded: nothing has to be
/// stopped, so a SIGINT, SIGTERM or SIGHUP ends the process at once, with words and `kSignal`, or
/// `code_of_sigterm`. The other signals of `numbers` wait for the SignalPipe. Dispositions and
/// errors as there.
void catch_signals_early(std::initializer_list<int> numbers, int code_of_sigterm);

/// The same, but all of `numbers` wait for the SignalPipe. For a forked process with one thread,
/// whose pipe is not that of its parent.
void note_signals_early(std::initializer_list<int> numbers);

/// The signals of this process, through a pipe. They are caught by handlers, neither blocked nor
/// ignored, so that programs that components start begin with the usual dispositions and mask.
/// Handlers and pipe stay until the process ends: nobody dies of a signal while the results are
/// printed. One object at a time.
class SignalPipe {
 public:
  /// `numbers` are noted; of `ignored` ones nothing is heard, but that a call fails which they are
  /// about, with EPIPE or EFBIG. A SIGHUP that the process was started to ignore stays ignored, as
  /// nohup(1) wants it. Throws Error(OutOfMemory) when there is no file descriptor.
  SignalPipe(std::initializer_list<int> numbers, std::initializer_list<int> ignored);
  SignalPipe(const SignalPipe&) = delete;
  SignalPipe& operator=(const SignalPipe&) = delete;
  /// Signals are not noted any more. A second SIGINT, SIGTERM or SIGHUP from now on ends the
  /// process with `kSignal`, since who reads the results may be stuck.
  ~SignalPipe();

  /// Can be read from when take() has something.
  [[nodiscard]] int descriptor() const noexcept;
  /// The next signal, in the order in which they came; does not wait.
  [[nodiscard]] std::optional<SignalNote> take() const noexcept;
  /// For the thread that waits for signals: nobody needs it any more. Makes descriptor() readable.
  void end() noexcept;
  [[nodiscard]] bool has_ended() const noexcept { return has_ended_.load(); }

 private:
  std::atomic<bool> has_ended_{false};
};

}  // namespace gxr::commands
