#include "commands/rank_launch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
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
#include "observe/own_thread.hpp"
#include "registry/python_host.hpp"

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

bool is_passed_over(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// A signal that came.
struct Heard {
  int number = SIGCHLD;
  bool is_of_kernel = false;
  std::chrono::steady_clock::time_point when;

  [[nodiscard]] bool is_wish() const noexcept {
    return number == SIGINT || number == SIGTERM || number == SIGHUP;
  }
  /// Is it the same wish by another way? See InterruptSignals.
  [[nodiscard]] bool repeats(const Heard& first) const noexcept {
    constexpr std::chrono::milliseconds kPassedOn{300};
    return number == first.number && (when - first.when <= kPassedOn ||
                                      (number == SIGHUP && (is_of_kernel || first.is_of_kernel)));
  }
};

/// Signals wait for the launcher, which asks for them.
class HeldSignals {
 public:
  HeldSignals() {
    ::signal(SIGCHLD, SIG_DFL);  // whoever ignores it cannot wait for processes
    sigemptyset(&held_);
    for (const int signal : kHeard) {
      if (!is_passed_over(signal)) {  // else it would be held, too
        sigaddset(&held_, signal);
      }
    }
    sigaddset(&held_, SIGCHLD);
    ::pthread_sigmask(SIG_BLOCK, &held_, &before_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { release(); }

  void release() const noexcept { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  /// SIGCHLD also when a second has passed.
  [[nodiscard]] Heard wait() const noexcept {
    const timespec second{1, 0};
    siginfo_t info{};
    const int number = ::sigtimedwait(&held_, &info, &second);
    return {number > 0 ? number : SIGCHLD, info.si_code == SI_KERNEL,
            std::chrono::steady_clock::now()};
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

/// The parent of a process; 0: it is not known.
pid_t parent_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  pid_t parent = 0;
  if (name_end != std::string::npos && name_end + 4 < text.size()) {  // ") S 123 "
    std::from_chars(text.data() + name_end + 4, text.data() + text.size(), parent);
  }
  return parent;
}

/// Is no shell there that could continue this process group? Then the system does not stop it.
bool is_in_orphaned_group() {
  pid_t parent = ::getppid();
  while (parent > 1 && ::getpgid(parent) == ::getpgrp()) {
    parent = parent_of(parent);
  }
  return parent <= 1 || ::getsid(parent) != ::getsid(0);
}

/// A rank that hangs must not outlive the launcher, whose end closes the pipe.
void end_behind_launcher(FileDescriptor life) {
  start_thread("the thread that hears of the end of gxr", [pipe = life.release()] {
    std::byte nothing{};
    while (::read(pipe, &nothing, 1) < 0 && errno == EINTR) {
    }
    std::this_thread::sleep_for(kLateness);
    std::_Exit(kRunFailed);
  }).detach();
}

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

pid_t fork_rank() {
  const PythonHost* const python = python_host();
  return python != nullptr ? python->fork() : ::fork();
}

}  // namespace

int launch_ranks(Rank ranks, const std::function<int(Rank, std::vector<FileDescriptor>)>& run) {
  const DescriptorLimit limit;
  Sockets sockets = make_sockets(ranks);
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    throw Error(ErrorCode::OutOfMemory, "there is no pipe for ranks: " + system_error_text(errno));
  }
  FileDescriptor life(pipe[0]);
  FileDescriptor own_life(pipe[1]);
  const HeldSignals signals;
  const pid_t launcher = ::getpid();
  std::fflush(nullptr);
  Children children(ranks);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const pid_t pid = fork_rank();
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
      InterruptSignals::note_early(launcher);
      signals.release();
      own_life = FileDescriptor();
      end_behind_launcher(std::move(life));
      const int code = run(rank, std::move(own));
      if (const PythonHost* const python = python_host()) {
        python->leave();
      }
      std::fflush(nullptr);
      std::exit(code);
    }
    children.add(rank, pid);
  }
  sockets.clear();
  std::optional<Heard> first;  // wish for the end
  bool is_asked_again = false;
  for (children.reap(); children.any(); children.reap()) {
    const Heard heard = signals.wait();
    if (heard.number == SIGTSTP) {
      if (!is_in_orphaned_group()) {
        children.stop();
      }
    } else if (heard.is_wish() && first && heard.repeats(*first)) {
      continue;
    } else if (heard.number != SIGCHLD) {
      children.forward(heard.number);
    }
    if (heard.is_wish() && first) {
      is_asked_again = true;
      children.end_soon();
    } else if (heard.is_wish()) {
      first = heard;
    }
    children.end_late_ones();
  }
  return is_asked_again ? kSignal : children.code();
}

}  // namespace gxr::commands
