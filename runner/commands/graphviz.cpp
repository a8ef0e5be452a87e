#include "commands/graphviz.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace gxr::commands {
namespace {

/// A file that holds `text` until the scope ends.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / "gxr-graph-XXXXXX").string()) {
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0) {
      throw Error(ErrorCode::InputOutput, "cannot make a temporary file: " + path_);
    }
    const bool written =
        ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(descriptor);
    if (!written) {
      ::unlink(path_.c_str());
      throw Error(ErrorCode::InputOutput, "cannot write " + path_);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { ::unlink(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What is special about a process that is started.
class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  void write_output_to(int descriptor) {
    ::posix_spawn_file_actions_adddup2(&actions_, descriptor, STDOUT_FILENO);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// Runs a program to its end; returns its exit status, 127 when there is no such program.
int run_program(const std::vector<std::string>& words, const FileActions& actions) {
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));  // posix_spawn does not write to them
  }
  arguments.push_back(nullptr);
  pid_t process = 0;
  if (::posix_spawnp(&process, arguments[0], actions.get(), nullptr, arguments.data(), environ) !=
      0) {
    return 127;
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

void run_graphviz(const std::string& drawing, const std::string& format,
                  const std::string& output) {
  const TemporaryFile input(drawing);
  FileActions actions;
  OpenFile file(-1);
  if (!output.empty()) {
    // What it held goes when there is a drawing in its place.
    file = open_to_write(output, WriteMode::Keep);
    if (!file) {
      throw Error(ErrorCode::InputOutput, "cannot write '" + output + "': " + file.reason());
    }
    actions.write_output_to(file.descriptor());
  }
  const int status = run_program({"dot", "-T" + format, input.path()}, actions);
  if (status == 127) {
    throw Error(
        ErrorCode::NotAvailable,
        "'" + format +
            "' needs the program 'dot' of graphviz, which is not installed (Debian and Ubuntu: "
            "apt install graphviz); --format dot, mermaid and text work without it");
  }
  if (status != 0) {
    throw Error(ErrorCode::Failure,
                "'dot' of graphviz failed with exit status " + std::to_string(status));
  }
  // Devices and pipes have no end to be cut.
  if (const off_t end = file ? ::lseek(file.descriptor(), 0, SEEK_CUR) : -1;
      end >= 0 && ::ftruncate(file.descriptor(), end) != 0 && errno != EINVAL) {
    throw Error(ErrorCode::InputOutput,
                "cannot write '" + output + "': " + system_error_text(errno));
  }
}

}  // namespace gxr::commands
