#include "commands/interrupt_signals.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "commands/commands.hpp"
#include "observe/log.hpp"

namespace gxr::commands {
namespace {

/// Wrappers such as timeout(1) signal the process and then its group: the same wish, told twice.
constexpr std::chrono::milliseconds kEcho{300};

sigset_t interrupt_set(InterruptSignals::Style style) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  if (style == InterruptSignals::Style::Gxr) {
    sigaddset(&set, SIGTERM);
  }
  return set;
}

[[noreturn]] void die_of_interrupt() {
  ::signal(SIGINT, SIG_DFL);
  const sigset_t set = interrupt_set(InterruptSignals::Style::Gxe);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(SIGINT);
  std::_Exit(kSignal);
}

}  // namespace

InterruptSignals::InterruptSignals(std::function<void()> stop, Style style)
    : stop_(std::move(stop)), style_(style) {
  const sigset_t set = interrupt_set(style);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC);
  end_ = ::eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] { wait(); });
}

InterruptSignals::~InterruptSignals() {
  const std::uint64_t one = 1;
  if (::write(end_, &one, sizeof(one)) == static_cast<ssize_t>(sizeof(one))) {
    thread_.join();
  } else {
    thread_.detach();
  }
  ::close(signals_);
  ::close(end_);
}

void InterruptSignals::wait() {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> asked;
  bool warned = false;
  for (;;) {
    pollfd events[] = {{signals_, POLLIN, 0}, {end_, POLLIN, 0}};
    if (::poll(events, 2, -1) < 0) {
      continue;
    }
    if (events[1].revents != 0) {
      return;
    }
    signalfd_siginfo info{};
    if (::read(signals_, &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info))) {
      continue;
    }
    if (!asked) {
      asked = Clock::now();
      stop_();
    } else if (Clock::now() - *asked <= kEcho) {
      continue;
    } else if (style_ == Style::Gxr) {
      std::_Exit(kSignal);
    } else if (!std::exchange(warned, true)) {
      Log::write(LogLevel::Error, "interrupted again while stopping; the next time kills");
    } else {
      die_of_interrupt();
    }
  }
}

}  // namespace gxr::commands
