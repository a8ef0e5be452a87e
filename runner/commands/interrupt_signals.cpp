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

namespace gxr::commands {
namespace {

/// Wrappers such as timeout(1) signal the process and then its group: the same wish, told twice.
constexpr std::chrono::milliseconds kEcho{300};

sigset_t interrupt_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

InterruptSignals::InterruptSignals(std::function<void()> stop) : stop_(std::move(stop)) {
  const sigset_t set = interrupt_set();
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
    } else if (Clock::now() - *asked > kEcho) {
      std::_Exit(kSignal);
    }
  }
}

}  // namespace gxr::commands
