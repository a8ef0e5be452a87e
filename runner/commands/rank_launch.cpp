#include "commands/rank_launch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/commands.hpp"
#include "commands/interrupt_signals.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::commands {
namespace {

constexpr std::chrono::seconds kLateness{3};
constexpr std::array kHeard{SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGTSTP};

/// As many file descriptors as the process may have, for this long.
class DescriptorLimit {
 public:
  DescriptorLimit() noexcept {
    if (::getrlimit(RLIMIT_NOFILE, &before_) == 0) {
      const rlimit all{before_.rlim_max, before_.rlim_max};
      changed_ = ::setrlimit(RLIMIT_NOFILE, &all) == 0;
    }
  }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;
  ~DescriptorLimit() { restore(); }

  void restore() const noexcept {
    if (changed_) {
      ::setrlimit(RLIMIT_NOFILE, &before_);
    }
  }

 private:
  rlimit before_{};
  bool changed_ = false;
};

/// Signals wait for the launcher, which asks for them.
class HeldSignals {
 public:
  HeldSignals() {
    ::signal(SIGCHLD, SIG_DFL);  // whoever ignores it cannot wait for processes
    sigemptyset(&held_);
    for (const int signal : kHeard) {
      sigaddset(&held_, signal);
    }
    sigaddset(&held_, SIGCHLD);
    ::pthread_sigmask(SIG_BLOCK, &held_, &before_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { release(); }

  void release() const noexcept { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  /// SIGCHLD also when a second has passed.
  [[nodiscard]] int wait() const noexcept {
    const timespec second{1, 0};
    const int number = ::sigtimedwait(&held_, nullptr, &second);
    return number > 0 ? number : SIGCHLD;
  }

 private:
  sigset_t held_{};
  sigset_t before_{};
};

/// The sockets between all ranks: [a][b] is that of rank a to rank b.
using Sockets = std::vector<std::vector<FileDescriptor>>;

Sockets make_sockets(Rank ranks) {
  Sockets sockets(ranks);
  for (std::vector<FileDescriptor>& of_one : sockets) {
    of_one.resize(ranks);
  }
  for (Rank a = 0; a < ranks; ++a) {
    for (Rank b = a + 1; b < ranks; ++b) {
      std::array<int, 2> pair{};
      if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
        throw Error(ErrorCode::OutOfMemory, "there are not enough file descriptors for " +
                                                std::to_string(ranks) +
                                                " ranks: " + system_error_text(errno) +
                                                " ('ulimit -n' says how many there are)");
      }
      sockets[a][b] = FileDescriptor(pair[0]);
      sockets[b][a] = FileDescriptor(pair[1]);
    }
  }
  return sockets;
}

/// Processes that run, and how those ended that did.
class Children {
 public:
  explicit Children(Rank ranks) : pids_(ranks), codes_(ranks) {}

  void add(Rank rank, pid_t pid) { pids_[rank] = pid; }
  [[nodiscard]] bool any() const noexcept {
    for (const pid_t pid : pids_) {
      if (pid != 0) {
        return true;
      }
    }
    return false;
  }
  void forward(int signal) const noexcept {
    for (const pid_t pid : pids_) {
      if (pid != 0) {
        ::kill(pid, signal);
      }
    }
  }
  /// Takes note of those that have ended.
  void reap() {
    for (std::size_t rank = 0; rank < pids_.size(); ++rank) {
      int status = 0;
      if (pids_[rank] != 0 && ::waitpid(pids_[rank], &status, WNOHANG) == pids_[rank]) {
        pids_[rank] = 0;
        if (WIFEXITED(status)) {
          codes_[rank] = WEXITSTATUS(status);
          end_soon();
        }
      }
    }
  }
  /// All ranks end together: one that is left a few seconds from now on is in a call that does not
  /// return.
  void end_soon() { last_moment_ = last_moment_.value_or(Clock::now() + kLateness); }
  void end_late_ones() const {
    if (last_moment_ && Clock::now() > *last_moment_) {
      forward(SIGKILL);
    }
  }
  /// Stops them and this process, until somebody has it go on.
  void stop() {
    const auto begin = Clock::now();
    forward(SIGSTOP);
    ::raise(SIGSTOP);
    forward(SIGCONT);
    if (last_moment_) {
      *last_moment_ += Clock::now() - begin;
    }
  }
  /// Of the lowest rank that ended in order with a failure, or without one.
  [[nodiscard]] int code() const {
    const auto failed =
        std::ranges::find_if(codes_, [](const auto& code) { return code && *code != kDone; });
    const auto any =
        std::ranges::find_if(codes_, [](const auto& code) { return code.has_value(); });
    return failed != codes_.end() ? **failed : any != codes_.end() ? **any : kRunFailed;
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<pid_t> pids_;  // 0: has ended
  std::vector<std::optional<int>> codes_;
  std::optional<Clock::time_point> last_moment_;
};

/// Components may use select(), which takes low numbers only.
void number_low(std::vector<FileDescriptor>& sockets) {
  for (FileDescriptor& socket : sockets) {
    if (socket.is_open()) {
      FileDescriptor copy(::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0));
      if (copy.is_open() && copy.get() < socket.get()) {
        socket = std::move(copy);
      }
    }
  }
}

/// Does not outlive the launcher, and gets signals from it alone: a terminal and timeout(1) signal
/// the launcher's whole process group.
void follow(pid_t launcher) {
  ::setpgid(0, 0);
  ::signal(SIGTTOU, SIG_IGN);  // of a terminal, whose foreground has the launcher alone
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != launcher) {
    std::_Exit(kRunFailed);
  }
}

}  // namespace

int launch_ranks(Rank ranks, const std::function<int(Rank, std::vector<FileDescriptor>)>& run) {
  const DescriptorLimit limit;
  Sockets sockets = make_sockets(ranks);
  const HeldSignals signals;
  const pid_t launcher = ::getpid();
  std::fflush(nullptr);
  Children children(ranks);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const pid_t pid = ::fork();
    if (pid < 0) {
      const std::string reason = system_error_text(errno);
      children.forward(SIGKILL);
      throw Error(ErrorCode::OutOfMemory, "rank " + std::to_string(rank) + " of " +
                                              std::to_string(ranks) +
                                              " cannot be started: " + reason);
    }
    if (pid == 0) {
      follow(launcher);
      std::vector<FileDescriptor> own = std::move(sockets[rank]);
      sockets.clear();  // a rank that is gone is seen by the others as its sockets close
      number_low(own);
      limit.restore();
      InterruptSignals::note_early();
      signals.release();
      const int code = run(rank, std::move(own));
      std::fflush(nullptr);
      std::exit(code);
    }
    children.add(rank, pid);
  }
  sockets.clear();
  int asked = 0;  // so often for the end
  for (children.reap(); children.any(); children.reap()) {
    const int signal = signals.wait();
    if (signal == SIGTSTP) {
      children.stop();
    } else if (signal != SIGCHLD) {
      asked += signal == SIGINT || signal == SIGTERM || signal == SIGHUP ? 1 : 0;
      children.forward(signal);
      if (asked > 1) {
        children.end_soon();
      }
    }
    children.end_late_ones();
  }
  return asked > 1 ? kSignal : children.code();
}

}  // namespace gxr::commands
