#include "observe/own_signals.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

#include <unistd.h>

namespace gxr {
namespace {

std::atomic<pid_t> own_process{0};
// Written before the handler is installed that reads it.
std::array<struct sigaction, NSIG> former_dispositions{};
std::array<bool, NSIG> is_kept{};

}  // namespace

void catch_signal(int number, const struct sigaction& action) noexcept {
  const auto index = static_cast<std::size_t>(number);
  if (!is_kept[index]) {
    ::sigaction(number, nullptr, &former_dispositions[index]);
    is_kept[index] = true;
  }
  own_process.store(::getpid());
  ::sigaction(number, &action, nullptr);
}

// Only async-signal-safe calls from here on.
bool is_forked_process() noexcept { return own_process.load() != ::getpid(); }

bool leave_to_forked_process(int number) noexcept {
  if (!is_forked_process()) {
    return false;
  }
  const int saved = errno;
  ::sigaction(number, &former_dispositions[static_cast<std::size_t>(number)], nullptr);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);  // the handler's own mask blocks it
  ::raise(number);
  errno = saved;
  return true;
}

}  // namespace gxr
