#include "commands/signal_pipe.hpp"

#include <atomic>
#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "commands/commands.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "observe/last_words.hpp"
#include "observe/own_signals.hpp"

namespace gxr::commands {
namespace {

/// Two signals of one wish come closer together than this; see InterruptSignals.
constexpr std::int64_t kEcho = 300'000'000;

enum class Phase : std::uint8_t {
  Early,  // catch_signals_early()
  Noted,  // there is a SignalPipe
  Late,   // it has gone
};

// What the handlers use. The pipe is made once and never closed, since a handler may be about to
// write to it.
std::atomic<int> read_end{-1};
std::atomic<int> write_end{-1};
std::atomic<Phase> phase{Phase::Late};
std::atomic<int> early_code_of_sigterm{kSignal};
std::atomic<std::int64_t> asked_late{0};  // when a signal came first after it had gone

// Only async-signal-safe calls from here on.
std::int64_t now_for_handler() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

bool asks_to_end(int number) noexcept {
  return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

void note_signal(int number, siginfo_t* info, void* /*context*/) {
  if (leave_to_forked_process(number)) {
    return;
  }
  const int saved = errno;
  const bool from_process =
      info->si_code == SI_USER || info->si_code == SI_TKILL || info->si_code == SI_QUEUE;
  const SignalNote note{number, info->si_code, from_process ? info->si_pid : 0, now_for_handler()};
  const Phase now = phase.load();
  if (now == Phase::Early && asks_to_end(number)) {
    write_last_words("gxr: interrupted by a signal before the run\n");
    ::_exit(number == SIGTERM ? early_code_of_sigterm.load() : kSignal);
  }
  if (now != Phase::Late) {
    // Fails only when hundreds wait to be taken: one more or less is no matter then.
    static_cast<void>(!::write(write_end.load(), &note, sizeof(note)));
  } else if (asks_to_end(number)) {
    std::int64_t first = 0;
    if (!asked_late.compare_exchange_strong(first, note.when) && note.when - first > kEcho) {
      ::_exit(kSignal);
    }
  }
  errno = saved;
}

void pass_over(int number) { static_cast<void>(leave_to_forked_process(number)); }
// Up to here.

void open_pipe() {
  if (read_end.load() >= 0) {
    return;
  }
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Error(ErrorCode::OutOfMemory,
                "signals cannot be caught: no pipe for them: " + system_error_text(errno));
  }
  read_end.store(ends[0]);
  write_end.store(ends[1]);
}

bool is_ignored(int number) noexcept {
  struct sigaction before {};
  return ::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
}

void catch_all(std::initializer_list<int> numbers, std::initializer_list<int> ignored) {
  struct sigaction action {};
  action.sa_sigaction = note_signal;
  action.sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigset_t caught;
  sigemptyset(&caught);
  for (const int number : numbers) {
    sigaddset(&action.sa_mask, number);  // so that notes are written in the order of the signals
    if (number != SIGHUP || !is_ignored(number)) {
      sigaddset(&caught, number);
    }
  }
  for (const int number : numbers) {
    if (sigismember(&caught, number) == 1) {
      catch_signal(number, action);
    }
  }
  struct sigaction nothing {};
  nothing.sa_handler = pass_over;
  nothing.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&nothing.sa_mask);
  for (const int number : ignored) {
    catch_signal(number, nothing);
  }
  // Whoever started the process may have blocked them.
  ::pthread_sigmask(SIG_UNBLOCK, &caught, nullptr);
}

}  // namespace

void catch_signals_early(std::initializer_list<int> numbers, int code_of_sigterm) {
  open_pipe();
  early_code_of_sigterm.store(code_of_sigterm);
  phase.store(Phase::Early);
  catch_all(numbers, {});
}

void note_signals_early(std::initializer_list<int> numbers) {
  if (read_end.load() >= 0) {
    ::close(read_end.exchange(-1));
    ::close(write_end.exchange(-1));
  }
  open_pipe();
  phase.store(Phase::Noted);
  catch_all(numbers, {});
}

SignalPipe::SignalPipe(std::initializer_list<int> numbers, std::initializer_list<int> ignored) {
  open_pipe();
  phase.store(Phase::Noted);
  catch_all(numbers, ignored);
}

SignalPipe::~SignalPipe() { phase.store(Phase::Late); }

int SignalPipe::descriptor() const noexcept { return read_end.load(); }

std::optional<SignalNote> SignalPipe::take() const noexcept {
  SignalNote note;
  const ssize_t size = ::read(read_end.load(), &note, sizeof(note));
  return size == static_cast<ssize_t>(sizeof(note)) ? std::optional(note) : std::nullopt;
}

void SignalPipe::end() noexcept {
  has_ended_.store(true);
  const SignalNote nothing;
  // Fails only when the pipe is full, and so readable.
  static_cast<void>(!::write(write_end.load(), &nothing, sizeof(nothing)));
}

}  // namespace gxr::commands
