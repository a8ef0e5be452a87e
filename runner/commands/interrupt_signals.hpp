#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include <sys/types.h>

#include "commands/run_watch.hpp"
#include "commands/signal_pipe.hpp"

namespace gxr::commands {

/// Ends a run when a signal asks for it. While it lives, the first SIGINT, SIGTERM or SIGHUP calls
/// `stop`; a second one ends the process at once, with exit code 130 and words about what was left.
/// SIGUSR1 has the status written to the log, SIGUSR2 the log file opened again; SIGPIPE and
/// SIGXFSZ do not kill. All of it happens on threads of its own, never in a handler.
///
/// One wish counts once although it comes as two signals: timeout(1) signals its process and then
/// its group, with a SIGCONT behind; a terminal that closes sends SIGHUP by the kernel and by the
/// shell; and a wrapper passes on the Ctrl-C that the terminal has sent to everybody. Two signals
/// of one kind of sender are two, however close.
class InterruptSignals {
 public:
  /// gxe: only SIGINT is caught, a second one is only reported, and a third one kills.
  enum class Style { Gxr, Gxe };

  /// Before a run of style Gxr, while its application is loaded: see catch_signals_early().
  static void catch_early(int code_of_sigterm);
  /// The same for one of several ranks, which must not go without a word: signals wait for the run.
  /// Others may ask each rank as well as `launcher`, which passes wishes on: only its second wish
  /// ends the process at once.
  static void note_early(pid_t launcher);

  /// A descriptor that the signals' thread polls as well: a server needs no thread before its first
  /// client.
  struct Knock {
    int descriptor = -1;           ///< below 0: nothing
    std::function<void()> answer;  ///< called once, when the descriptor can be read from
  };

  /// Further tasks of the signals' thread; each must return at once.
  struct Calls {
    Knock knock;
    std::int64_t late = 0;  ///< ns from now on after which `when_late` is called; 0: never
    std::function<void()> when_late;   ///< may throw
    std::function<void()> when_asked;  ///< called when a signal asks for the end of the run
  };

  /// `run` and what it calls must outlive this, and so must what `calls` are about. Throws
  /// Error(OutOfMemory) when there is no thread or file descriptor.
  InterruptSignals(ApplicationRun& run, Style style, Calls calls);
  InterruptSignals(const InterruptSignals&) = delete;
  InterruptSignals& operator=(const InterruptSignals&) = delete;
  ~InterruptSignals();

  /// The signal that asked first for the end; 0: none did.
  [[nodiscard]] int first() const noexcept { return first_number_.load(); }
  /// Ends the process with the exit code of a failed run, since the run does not return: GPU work
  /// hangs, as `why` says.
  [[noreturn]] void end_hanging_run(const std::string& why);

 private:
  void listen();
  void wait();
  void call_when_late();
  [[nodiscard]] int time_left() const noexcept;
  [[nodiscard]] bool is_decided() const noexcept;
  void hear(const SignalNote& note);
  void hear_wish(const SignalNote& note);
  [[nodiscard]] bool repeats_first(const SignalNote& note) const noexcept;
  [[nodiscard]] bool may_be_of_timeout(const SignalNote& note) const noexcept;
  void end_now();

  ApplicationRun& run_;
  Style style_;
  SignalPipe signals_;
  RunWatch watch_;
  std::atomic<int> first_number_{0};

  // Of the thread that listens.
  Calls calls_;
  std::int64_t late_;                    // steady ns; kForever: nothing happens then
  std::optional<SignalNote> first_;      // wish
  std::optional<SignalNote> undecided_;  // the second wish, or the first one told twice
  std::optional<SignalNote> continued_;  // the last SIGCONT
  int repeated_ = 0;                     // wishes after the first
  int of_launcher_ = 0;                  // wishes

  std::thread thread_;
};

}  // namespace gxr::commands
