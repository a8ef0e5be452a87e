#include "registry/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Of standard error, whose end is what people look at.
constexpr std::size_t kMostErrors = std::size_t{64} << 10U;
/// How long a process that has closed its outputs, or whose children have them, goes unnoticed.
constexpr std::chrono::milliseconds kPatience(10);

[[noreturn]] void throw_refused(const std::string& program, int error) {
  throw Error(ErrorCode::InputOutput,
              "cannot start " + quote_text(program) + ": " + system_error_text(error));
}

struct Pipe {
  OpenFile read{-1};
  OpenFile write{-1};

  explicit Pipe(const std::string& program) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw_refused(program, errno);
    }
    read = OpenFile(ends[0]);
    write = OpenFile(ends[1]);
    static_cast<void>(::fcntl(ends[0], F_SETFL, O_NONBLOCK));
  }
};

/// In the child, where only what is safe in a handler may be called.
[[noreturn]] void become(char* const* arguments, const std::array<int, 3>& streams, int failure,
                         pid_t parent) {
  static_cast<void>(::setpgid(0, 0));
  static_cast<void>(::prctl(PR_SET_PDEATHSIG, SIGKILL));
  sigset_t none;
  ::sigemptyset(&none);
  static_cast<void>(::sigprocmask(SIG_SETMASK, &none, nullptr));
  bool ready = ::getppid() == parent;
  for (int number = 0; number < 3 && ready; ++number) {
    const int stream = streams[static_cast<std::size_t>(number)];
    // One that has its number already must lose its flag.
    ready = stream == number ? ::fcntl(number, F_SETFD, 0) == 0 : ::dup2(stream, number) == number;
  }
  if (ready) {
    ::execv(arguments[0], arguments);
  }
  const int error = errno;
  static_cast<void>(!::write(failure, &error, sizeof(error)));
  ::_exit(127);
}

/// In another child, in the group of the first. Ends that group when `parent` has ended, however
/// that was: a signal such as Ctrl-C leaves it no time. Only what is safe in a handler may be
/// called.
[[noreturn]] void guard(pid_t group, pid_t parent) {
  if (::setpgid(0, group) != 0) {
    ::_exit(0);  // the number of the group may become another one's
  }
  static_cast<void>(::close_range(0, ~0U, 0));  // readers of pipes wait for their end
  static_cast<void>(::prctl(PR_SET_PDEATHSIG, SIGTERM));
  if (::getppid() == parent) {
    sigset_t end;
    ::sigemptyset(&end);
    ::sigaddset(&end, SIGTERM);
    while (::sigwaitinfo(&end, nullptr) < 0) {
    }
  }
  static_cast<void>(::kill(-group, SIGKILL));
  ::_exit(0);
}

/// A descriptor that is none of the standard ones, so that dup2() to one of those overwrites none.
OpenFile away_from_standard(OpenFile file) {
  return file && file.descriptor() <= STDERR_FILENO
             ? OpenFile(::fcntl(file.descriptor(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
             : std::move(file);
}

/// A running child, which ends with this object.
class Child {
 public:
  explicit Child(const std::vector<std::string>& arguments);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  ProcessEnd wait(const ProcessLimits& limits);

 private:
  bool has_exited();
  void take(OpenFile& from, std::string& text, std::size_t most);
  void take_output(const ProcessLimits& limits);
  void start_guard();
  void end() noexcept;

  const std::string& program_;
  pid_t process_ = -1;
  pid_t guard_ = -1;
  int status_ = 0;
  OpenFile output_{-1};
  OpenFile errors_{-1};
  ProcessEnd result_;
};

Child::Child(const std::vector<std::string>& arguments) : program_(arguments.front()) {
  std::vector<char*> words;
  for (const std::string& argument : arguments) {
    words.push_back(const_cast<char*>(argument.c_str()));  // execv() does not write to them
  }
  words.push_back(nullptr);
  Pipe output(program_);
  Pipe errors(program_);
  Pipe failure(program_);
  const OpenFile nothing = away_from_standard(OpenFile(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
  for (Pipe* pipe : {&output, &errors, &failure}) {
    pipe->write = away_from_standard(std::move(pipe->write));
  }
  if (!nothing || !output.write || !errors.write || !failure.write) {
    throw_refused(program_, EMFILE);
  }
  const std::array<int, 3> streams{nothing.descriptor(), output.write.descriptor(),
                                   errors.write.descriptor()};
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) {
    throw_refused(program_, errno);
  }
  if (process_ == 0) {
    become(words.data(), streams, failure.write.descriptor(), parent);
  }
  static_cast<void>(::setpgid(process_, process_));  // whichever of the two is first
  failure.write = OpenFile(-1);
  output_ = std::move(output.read);
  errors_ = std::move(errors.read);
  int error = 0;
  pollfd begun{failure.read.descriptor(), POLLIN, 0};
  while (::poll(&begun, 1, -1) < 0 && errno == EINTR) {
  }
  if (::read(failure.read.descriptor(), &error, sizeof(error)) == sizeof(error)) {
    end();
    throw_refused(program_, error);
  }
  start_guard();
}

/// It has no use for signals, nor for the handlers of this process.
void Child::start_guard() {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  static_cast<void>(::pthread_sigmask(SIG_SETMASK, &all, &before));
  const pid_t parent = ::getpid();
  guard_ = ::fork();
  if (guard_ == 0) {
    guard(process_, parent);
  }
  const int error = errno;
  static_cast<void>(::pthread_sigmask(SIG_SETMASK, &before, nullptr));
  if (guard_ < 0) {
    end();
    throw_refused(program_, error);
  }
}

/// The process stays, as a zombie, so that nothing else gets its number.
bool Child::has_exited() {
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    return errno != EINTR;
  }
  return info.si_pid == process_;
}

/// Takes what is there, but no more at once than leaves time for a look at the clock. Of more than
/// twice `most` bytes the end stays.
void Child::take(OpenFile& from, std::string& text, std::size_t most) {
  std::array<char, std::size_t{16} << 10U> buffer;
  for (int i = 0; i < 64; ++i) {
    const ssize_t size = ::read(from.descriptor(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size < 0 && errno == EAGAIN) {
      return;
    }
    if (size <= 0) {
      from = OpenFile(-1);
      return;
    }
    text.append(buffer.data(), static_cast<std::size_t>(size));
    if (text.size() > 2 * most) {
      text.erase(0, text.size() - most);
    }
  }
}

void Child::take_output(const ProcessLimits& limits) {
  if (output_) {
    take(output_, result_.output, limits.most_bytes);
  }
  if (errors_) {
    take(errors_, result_.errors, kMostErrors);
  }
}

ProcessEnd Child::wait(const ProcessLimits& limits) {
  const SteadyClock::time_point deadline = SteadyClock::now() + limits.time;
  for (;;) {
    const bool exited = has_exited();
    take_output(limits);
    if (result_.output.size() > limits.most_bytes) {
      result_.reason = ProcessEnd::Reason::TooLarge;
      break;
    }
    if (exited) {
      break;
    }
    if (limits.is_interrupted && limits.is_interrupted()) {
      throw Interrupted();
    }
    if (SteadyClock::now() >= deadline) {
      result_.reason = ProcessEnd::Reason::TooLong;
      break;
    }
    // Descriptors below 0 are passed over.
    std::array<pollfd, 2> outputs{pollfd{output_.descriptor(), POLLIN, 0},
                                  pollfd{errors_.descriptor(), POLLIN, 0}};
    static_cast<void>(::poll(outputs.data(), outputs.size(), static_cast<int>(kPatience.count())));
  }
  end();
  if (result_.reason == ProcessEnd::Reason::Exited && WIFSIGNALED(status_)) {
    result_.reason = ProcessEnd::Reason::Signal;
    result_.status = WTERMSIG(status_);
  } else if (result_.reason == ProcessEnd::Reason::Exited) {
    result_.status = WEXITSTATUS(status_);
  }
  if (result_.errors.size() > kMostErrors) {
    result_.errors.erase(0, result_.errors.size() - kMostErrors);
  }
  return std::move(result_);
}

void Child::end() noexcept {
  if (process_ <= 0) {
    return;
  }
  static_cast<void>(::kill(-process_, SIGKILL));
  while (::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (guard_ > 0) {
    static_cast<void>(::kill(guard_, SIGKILL));  // it may not be in the group yet
    while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
    }
    guard_ = -1;
  }
}

}  // namespace

ProcessEnd run_child_process(const std::vector<std::string>& arguments,
                             const ProcessLimits& limits) {
  return Child(arguments).wait(limits);
}

}  // namespace gxr
