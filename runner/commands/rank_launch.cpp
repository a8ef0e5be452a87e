#include "commands/rank_launch.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/commands.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::commands {
namespace {

constexpr std::chrono::seconds kLateness{3};
constexpr std::array kForwarded{SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

/// Signals wait for the launcher, which asks for them.
class HeldSignals {
 public:
  HeldSignals() {
    ::signal(SIGCHLD, SIG_DFL);  // whoever ignores it cannot wait for processes
    sigemptyset(&held_);
    for (const int signal : kForwarded) {
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
          first_end_ = first_end_.value_or(std::chrono::steady_clock::now());
        }
      }
    }
  }
  /// A rank that is left a few seconds after another one has ended in order is in a call that does
  /// not return: all ranks end together.
  void end_late_ones() {
    const auto now = std::chrono::steady_clock::now();
    if (first_end_ && now > *first_end_ + kLateness) {
      forward(SIGKILL);
    }
  }
  /// Of the lowest rank that ended in order.
  [[nodiscard]] int code() const {
    for (const std::optional<int>& code : codes_) {
      if (code) {
        return *code;
      }
    }
    return kRunFailed;
  }

 private:
  std::vector<pid_t> pids_;  // 0: has ended
  std::vector<std::optional<int>> codes_;
  std::optional<std::chrono::steady_clock::time_point> first_end_;
};

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
    if (const int signal = signals.wait(); signal != SIGCHLD) {
      asked += signal == SIGINT || signal == SIGTERM || signal == SIGHUP ? 1 : 0;
      children.forward(signal);
    }
    children.end_late_ones();
  }
  return asked > 1 ? kSignal : children.code();
}

}  // namespace gxr::commands
