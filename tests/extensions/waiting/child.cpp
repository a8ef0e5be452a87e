#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "waiting.hpp"

extern char** environ;

namespace test {
namespace {

void check(int error) {
  if (error != 0) {
    throw gxr::Error(gxr::ErrorCode::Failure, std::generic_category().message(error));
  }
}

}  // namespace

void Child::declare(gxr::Interface& interface) {
  interface.parameter(command_, "command", "What the shell is to do").default_value("");
  interface.parameter(by_, "by", "How the program is started")
      .choices({{"fork", "fork and exec"},
                {"spawn", "posix_spawn"},
                {"fork-only", "fork; no program is executed, and the process waits for a signal"},
                {"fork-exit", "fork; no program is executed, and the process calls exit(3)"}})
      .default_value("spawn");
  interface.parameter(at_once_, "at_once", "Signal that a forked process gets before it does anything; 0: none")
      .default_value(0);
  interface.parameter(ready_, "ready", "File that the command makes and stop() waits for; none: no waiting")
      .default_value("");
}

void Child::start() {
  if (*by_ == "spawn") {
    spawn();
  } else {
    fork();
  }
}

void Child::spawn() {
  const char* const arguments[] = {"sh", "-c", command_->c_str(), nullptr};
  check(::posix_spawnp(&child_, "sh", nullptr, nullptr, const_cast<char**>(arguments), environ));
}

void Child::fork() {
  int held[2] = {-1, -1};
  check(::pipe2(held, O_CLOEXEC) == 0 ? 0 : errno);
  child_ = ::fork();
  if (child_ == 0) {
    ::close(held[1]);
    be_child(held[0]);
  }
  const int error = child_ < 0 ? errno : 0;
  if (error == 0 && *at_once_ != 0) {
    ::kill(child_, *at_once_);
  }
  ::close(held[0]);
  ::close(held[1]);
  check(error);
}

/// Begins when nobody has the other end of `held` open.
void Child::be_child(int held) {
  char nothing = 0;
  while (::read(held, &nothing, 1) < 0 && errno == EINTR) {
  }
  if (*by_ == "fork-exit") {
    std::exit(3);
  }
  if (*by_ == "fork-only") {
    ::alarm(30);  // who is deaf to signals ends by this one
    for (;;) {
      ::pause();
    }
  }
  const char* const arguments[] = {"sh", "-c", command_->c_str(), nullptr};
  ::execvp("sh", const_cast<char**>(arguments));
  ::_exit(127);
}

void Child::stop() {
  // The file says that the command has got so far: time does not, on a busy machine.
  while (!ready_->empty() && ::access(ready_->c_str(), F_OK) != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (*by_ != "fork-exit") {
    ::kill(child_, SIGTERM);
  }
  int status = 0;
  ::waitpid(child_, &status, 0);
  log_info(WIFSIGNALED(status) ? "the command ended by signal " + std::to_string(WTERMSIG(status))
                               : "the command ended with " + std::to_string(WEXITSTATUS(status)));
}

}  // namespace test
