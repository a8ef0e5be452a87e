#include "commands/interrupt_signals.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string>
#include <utility>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "commands/commands.hpp"
#include "executors/application_run.hpp"
#include "observe/last_words.hpp"
#include "observe/log.hpp"
#include "observe/own_thread.hpp"
#include "system/nanoseconds.hpp"

namespace gxr::commands {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
/// A wrapper passes a signal on so soon.
constexpr std::int64_t kPassedOn = 300 * kMillisecond;
/// timeout(1) sends its signals so close together.
constexpr std::int64_t kTimeoutSends = 100 * kMillisecond;

/// By a run of style Gxr.
constexpr std::initializer_list<int> kCaught{SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGUSR1, SIGUSR2};

[[noreturn]] void die_of_interrupt() {
  ::signal(SIGINT, SIG_DFL);
  ::raise(SIGINT);
  std::_Exit(kSignal);
}

SignalPipe catch_signals(InterruptSignals::Style style) {
  if (style == InterruptSignals::Style::Gxe) {
    return {{SIGINT, SIGCONT}, {}};
  }
  return {kCaught, {SIGPIPE, SIGXFSZ}};
}

bool is_of_kernel(const SignalNote& note) noexcept { return note.code == SI_KERNEL; }

std::atomic<int> code_of_alarm{kSignal};
std::atomic<pid_t> launcher_of_ranks{0};  // 0: there is none

void end_of_alarm(int /*number*/) { ::_exit(code_of_alarm.load()); }

/// The process ends within a second, whatever the calling thread waits for.
void end_within_a_second(int exit_code) noexcept {
  code_of_alarm.store(exit_code);
  struct sigaction action {};
  action.sa_handler = end_of_alarm;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::alarm(1);
}

}  // namespace

void InterruptSignals::catch_early(int code_of_sigterm) {
  catch_signals_early(kCaught, code_of_sigterm);
}

void InterruptSignals::note_early(pid_t launcher) {
  launcher_of_ranks.store(launcher);
  note_signals_early(kCaught);
}

InterruptSignals::InterruptSignals(ApplicationRun& run, Style style, Calls calls)
    : run_(run),
      style_(style),
      signals_(catch_signals(style)),
      watch_(run, style == Style::Gxr ? "interrupt again to end at once"
                                      : "interrupt twice more to end at once"),
      calls_(std::move(calls)),
      late_(calls_.late > 0 ? steady_now() + calls_.late : kForever),
      thread_(start_thread("the thread that hears signals", [this] { listen(); })) {}

InterruptSignals::~InterruptSignals() {
  watch_.end();  // while signals are still heard: it may wait for who reads the log
  signals_.end();
  thread_.join();
}

void InterruptSignals::listen() {
  for (;;) {
    wait();
    while (const auto note = signals_.take()) {
      try {
        hear(*note);
      } catch (const std::exception&) {  // there is no memory; the next one is heard nevertheless
      }
    }
    if (signals_.has_ended()) {
      return;
    }
    if (is_decided()) {
      undecided_.reset();
      end_now();  // no SIGCONT came
    }
  }
}

void InterruptSignals::wait() {
  std::array<pollfd, 2> events{
      {{signals_.descriptor(), POLLIN, 0}, {calls_.knock.descriptor, POLLIN, 0}}};
  static_cast<void>(::poll(events.data(), events.size(), time_left()));
  if (events[1].revents != 0) {
    calls_.knock.descriptor = -1;  // which poll() passes over
    calls_.knock.answer();
  }
  if (steady_now() >= late_) {
    late_ = kForever;
    call_when_late();
  }
}

/// The run goes on, whatever comes of it.
void InterruptSignals::call_when_late() {
  try {
    calls_.when_late();
  } catch (const std::exception& error) {
    watch_.say(error.what());
  }
}

/// Milliseconds until `undecided_` counts, or it is late; -1: there is neither.
int InterruptSignals::time_left() const noexcept {
  const std::int64_t next = undecided_ ? std::min(undecided_->when + kTimeoutSends, late_) : late_;
  if (next == kForever) {
    return -1;
  }
  const std::int64_t left = next - steady_now();
  return static_cast<int>(std::max<std::int64_t>((left + kMillisecond - 1) / kMillisecond, 0));
}

/// Has nobody taken it back in time?
bool InterruptSignals::is_decided() const noexcept {
  return undecided_ && steady_now() >= undecided_->when + kTimeoutSends;
}

void InterruptSignals::hear(const SignalNote& note) {
  switch (note.number) {
    case 0:
      break;
    case SIGUSR1:
      watch_.ask_for_status();
      break;
    case SIGUSR2:
      watch_.reopen_log();
      break;
    case SIGCONT:
      continued_ = note;
      if (undecided_ && undecided_->sender == note.sender) {
        undecided_.reset();
      }
      break;
    default:
      hear_wish(note);
      break;
  }
}

void InterruptSignals::hear_wish(const SignalNote& note) {
  const pid_t launcher = launcher_of_ranks.load();
  of_launcher_ += launcher != 0 && note.sender == launcher ? 1 : 0;
  if (!first_) {
    first_ = note;
    first_number_.store(note.number);
    if (calls_.when_asked) {
      calls_.when_asked();
    }
    run_.interrupt_by_signal();
    watch_.wait_for_end();
  } else if (launcher != 0) {
    if (note.sender == launcher && of_launcher_ > 1) {
      end_now();
    }
  } else if (repeats_first(note)) {
    return;
  } else if (may_be_of_timeout(note) && !undecided_) {
    undecided_ = note;
  } else {
    undecided_.reset();
    end_now();
  }
}

/// Is it the same wish by another way, or by timeout(1)?
bool InterruptSignals::repeats_first(const SignalNote& note) const noexcept {
  if (note.number != first_->number) {
    return false;
  }
  const bool any_of_kernel = is_of_kernel(note) || is_of_kernel(*first_);
  if (note.number == SIGHUP && any_of_kernel) {
    return true;
  }
  const std::int64_t since = note.when - first_->when;
  if (is_of_kernel(note) != is_of_kernel(*first_)) {
    return since <= kPassedOn;
  }
  return may_be_of_timeout(note) && continued_ && continued_->sender == note.sender &&
         continued_->when >= first_->when;
}

/// Could it be the second of the two that timeout(1) sends, with a SIGCONT behind?
bool InterruptSignals::may_be_of_timeout(const SignalNote& note) const noexcept {
  return note.number == first_->number && !is_of_kernel(note) && note.sender == first_->sender &&
         repeated_ == 0 && note.when - first_->when <= kTimeoutSends;
}

void InterruptSignals::end_hanging_run(const std::string& why) {
  end_within_a_second(kRunFailed);  // also when the log is a full pipe
  Log::write(LogLevel::Error, why + "; " + watch_.what_is_left());
  std::fflush(nullptr);
  std::_Exit(kRunFailed);
}

/// The run has been asked for again.
void InterruptSignals::end_now() {
  if (style_ == Style::Gxr) {
    end_within_a_second(kSignal);  // also when the words get stuck
    try {
      write_last_words("gxr: ended at once by a second signal: " + watch_.what_is_left() + "\n");
    } catch (...) {  // there is no memory for more words
      write_last_words("gxr: ended at once by a second signal\n");
    }
    std::_Exit(kSignal);
  }
  if (++repeated_ > 1) {
    die_of_interrupt();
  }
  watch_.say("interrupted again while stopping; the next time kills");
}

}  // namespace gxr::commands
