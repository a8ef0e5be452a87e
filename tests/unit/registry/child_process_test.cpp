#include "registry/child_process.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "temporary_folder.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;
using Reason = ProcessEnd::Reason;
using namespace std::chrono_literals;

const ProcessLimits kChildLimits{20s, 1U << 20U};

ProcessEnd shell(const std::string& line, const ProcessLimits& limits = kChildLimits) {
  return run_child_process({"/bin/sh", "-c", line}, limits);
}

/// Empty when there is none yet.
std::string first_line(const std::string& file) {
  std::string line;
  std::ifstream text(file);
  return std::getline(text, line) && !text.eof() ? line : std::string();
}

/// Waits for the end of a process that somebody else started.
bool has_ended(const std::string& process) {
  for (int i = 0; i < 500; ++i) {
    std::ifstream file("/proc/" + process + "/stat");
    std::string text;
    if (!std::getline(file, text) || text.find(") Z ") != std::string::npos) {
      return true;
    }
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST_CASE("A child process gives its outputs and its exit code") {
  const ProcessEnd end = shell("echo out; echo err >&2; exit 7");
  CHECK(end.reason == Reason::Exited);
  CHECK(end.status == 7);
  CHECK(end.output == "out\n");
  CHECK(end.errors == "err\n");
}

TEST_CASE("Words are no lines of a shell") {
  CHECK(run_child_process({"/bin/echo", "a  b", "$HOME", "; exit 3"}, kChildLimits).output ==
        "a  b $HOME ; exit 3\n");
}

TEST_CASE("A child process has nothing to read") { CHECK(shell("cat; echo $?").output == "0\n"); }

TEST_CASE("A signal that ends a child process is told") {
  const ProcessEnd end = shell("kill -TERM $$");
  CHECK(end.reason == Reason::Signal);
  CHECK(end.status == SIGTERM);
}

TEST_CASE("A child process that takes too long is killed with those that it started") {
  const ProcessEnd end = shell("sleep 100 & echo $!; trap '' TERM; sleep 100", {300ms, 1U << 20U});
  CHECK(end.reason == Reason::TooLong);
  CHECK(has_ended(end.output.substr(0, end.output.find('\n'))));
}

TEST_CASE("What a child process leaves behind goes with it") {
  const auto begin = std::chrono::steady_clock::now();
  const ProcessEnd end = shell("sleep 100 & echo $!");
  CHECK(std::chrono::steady_clock::now() - begin < 15s);
  CHECK(end.reason == Reason::Exited);
  CHECK(has_ended(end.output.substr(0, end.output.find('\n'))));
}

TEST_CASE("A child process that closes its outputs is waited for") {
  CHECK(shell("exec >&- 2>&-; sleep 0.1; exit 5").status == 5);
}

TEST_CASE("A child process that says too much is killed") {
  CHECK(shell("yes").reason == Reason::TooLarge);
  CHECK(shell("head -c 1048577 /dev/zero").reason == Reason::TooLarge);
  const ProcessEnd just_fits = shell("head -c 1048576 /dev/zero");
  CHECK(just_fits.reason == Reason::Exited);
  CHECK(just_fits.output.size() == 1048576);
}

TEST_CASE("Of many errors the end stays") {
  const ProcessEnd end = shell("seq 1 200000 >&2");
  CHECK(end.errors.size() == std::size_t{64} << 10U);
  CHECK(end.errors.ends_with("199999\n200000\n"));
}

TEST_CASE("A program that cannot be started is an error") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(run_child_process({(folder.path() / "none").string()}, kChildLimits), Error);
  CHECK_THROWS_AS(run_child_process({folder.write("text", "x").string()}, kChildLimits), Error);
}

TEST_CASE("A child process ends with the process that started it") {
  const test::TemporaryFolder folder;
  const std::string note = (folder.path() / "note").string();
  const pid_t process = ::fork();
  if (process == 0) {
    static_cast<void>(shell("echo $$ > '" + note + "'; exec sleep 100"));
    ::_exit(0);
  }
  std::string child;
  for (int i = 0; i < 500 && child.empty(); ++i) {
    std::this_thread::sleep_for(10ms);
    std::getline(std::ifstream(note), child);
  }
  REQUIRE_FALSE(child.empty());
  ::kill(process, SIGKILL);
  CHECK(has_ended(child));
}

TEST_CASE("A child process ends early, with those that it started, when nobody wants its answer") {
  const test::TemporaryFolder folder;
  const std::string note = (folder.path() / "note").string();
  ProcessLimits limits = kChildLimits;
  limits.is_interrupted = [&] { return !first_line(note).empty(); };
  const auto begin = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(shell("sleep 100 & echo $! > '" + note + "'; sleep 100", limits), Interrupted);
  CHECK(std::chrono::steady_clock::now() - begin < 15s);
  CHECK(has_ended(first_line(note)));
}

TEST_CASE("A child process ends with those that it started when its parent is killed") {
  const test::TemporaryFolder folder;
  const std::string note = (folder.path() / "note").string();
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    INFO(signal);
    fs::remove(note);
    const pid_t process = ::fork();
    if (process == 0) {
      static_cast<void>(std::signal(signal, SIG_DFL));
      static_cast<void>(shell("sleep 100 & echo $! > '" + note + "'; sleep 100"));
      ::_exit(0);
    }
    std::string grandchild;
    for (int i = 0; i < 500 && grandchild.empty(); ++i) {
      std::this_thread::sleep_for(10ms);
      grandchild = first_line(note);
    }
    REQUIRE_FALSE(grandchild.empty());
    ::kill(process, signal);
    CHECK(has_ended(grandchild));
    ::waitpid(process, nullptr, 0);
  }
}

TEST_CASE("Nothing stays behind a child process") {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {  // of other tests
  }
  static_cast<void>(shell("sleep 100 & echo"));
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // there are no children
}

}  // namespace
}  // namespace gxr
