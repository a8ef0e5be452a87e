#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "commands/python_process.hpp"
#include "commands/rank_options.hpp"
#include "commands/run.hpp"
#include "graph/rank_key.hpp"
#include "gxr/plain_text.hpp"
#include "rank_run/mpi_library.hpp"

namespace gxr::commands {
namespace {

constexpr const char* kCommand = "mpirun";
constexpr const char* kProcesses = "-n";
constexpr const char* kDryRun = "--dry-run";
constexpr const char* kFurther = "--mpi";

struct MpirunOptions {
  RunOptions run;
  std::uint64_t processes = 0;
  std::vector<std::string> further;  ///< words for mpirun
  bool dry_run = false;
};

/// The options of `gxr run` among the words of the command line, as they were written.
std::vector<std::string> words_for_run() {
  std::vector<std::string> words;
  const std::vector<std::string>& all = kept_command_line();
  for (std::size_t i = 1; i < all.size(); ++i) {  // behind the command
    const std::string_view word = all[i];
    if (word == kProcesses || word == kFurther) {
      ++i;
    } else if (word != kDryRun && !word.starts_with(kProcesses) &&
               !word.starts_with(std::string(kFurther) + "=")) {
      words.emplace_back(word);
    }
  }
  return words;
}

/// This program, as other hosts find it, too.
std::string own_program() {
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  return size > 0 ? std::string(path.data(), static_cast<std::size_t>(size)) : "gxr";
}

std::vector<std::string> launch_words(const MpirunOptions& options) {
  std::vector<std::string> words{"mpirun", "-n", std::to_string(options.processes)};
  // gxr has several threads for each rank, which must not share one core.
  words.insert(words.end(), {"--oversubscribe", "--bind-to", "none"});
  // When a rank is lost, mpirun asks the others for the end after these seconds, and kills them
  // after as many more.
  words.insert(words.end(), {"--mca", "odls_base_sigkill_timeout", "2"});
  // A host that says nothing is lost after 3 s for mpirun, too, which would wait for it otherwise.
  words.insert(words.end(), {"--mca", "oob_tcp_keepalive_time", "1"});
  words.insert(words.end(), {"--mca", "oob_tcp_keepalive_intvl", "1"});
  words.insert(words.end(), {"--mca", "oob_tcp_keepalive_probes", "2"});
  if (::geteuid() == 0) {
    words.emplace_back("--allow-run-as-root");
  }
  words.insert(words.end(), options.further.begin(), options.further.end());
  words.insert(words.end(), {own_program(), "run"});
  const std::vector<std::string> own = words_for_run();
  words.insert(words.end(), own.begin(), own.end());
  return words;
}

/// For a shell.
std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
    return word;
  }
  std::string result = "'";
  for (const char letter : word) {
    result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return result + "'";
}

std::string line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "" : " ") + shell_quoted(word);
  }
  return line;
}

/// Passes signals on to mpirun until that has ended. Not those of the terminal, which mpirun has
/// got itself.
int wait_for(pid_t child, const sigset_t& held) {
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    siginfo_t about{};
    const int signal = ::sigwaitinfo(&held, &about);
    if (signal > 0 && signal != SIGCHLD && about.si_code != SI_KERNEL) {
      ::kill(child, signal);
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kRunFailed;
}

int launch(const std::vector<std::string>& words) {
  sigset_t held;
  sigset_t before;
  sigemptyset(&held);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    sigaddset(&held, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &held, &before);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigmask(&attributes, &before);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> pointers;
  for (const std::string& word : words) {
    pointers.push_back(const_cast<char*>(word.c_str()));
  }
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, pointers.front(), nullptr, &attributes, pointers.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    print_error("mpirun cannot be started: " + system_error_text(error) +
                (error == ENOENT ? ": install MPI ('cmake/setup.sh mpi')" : ""));
    return kUsage;
  }
  const int code = wait_for(child, held);
  if (code != kDone) {
    print_error("mpirun ended with exit code " + std::to_string(code) +
                "; it was started as: " + line_of(words));
  }
  return code;
}

int mpirun(const MpirunOptions& options) {
  const std::vector<std::string> words = launch_words(options);
  if (options.dry_run) {
    print_text(line_of(words) + "\n");
    return kDone;
  }
  static_cast<void>(describe_mpi());  // throws when there is no MPI
  return launch(words);
}

}  // namespace

void add_mpirun(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MpirunOptions>();
  CLI::App* command =
      app.add_subcommand(kCommand, "Run an application in several processes, joined by MPI");
  add_count_option(*command, kProcesses, kGreatestRank + 1, "Processes, each of which is a rank",
                   [options](std::uint64_t number) {
                     if (number == 0) {
                       throw CLI::ValidationError(kProcesses, "there is at least one rank");
                     }
                     options->processes = number;
                   })
      ->type_name("N")
      ->required();
  command->add_option(kFurther, options->further, "A further word for mpirun; repeat it for more")
      ->type_name("WORD")
      ->allow_extra_args(false);
  command->add_flag(kDryRun, options->dry_run, "Print the line that starts mpirun, and end");
  options->run.application.add_to(*command);
  options->run.add_to(*command);
  add_place_option(*command, options->run.application);
  command->callback([options, &exit_code] { exit_code = mpirun(*options); });
}

}  // namespace gxr::commands
