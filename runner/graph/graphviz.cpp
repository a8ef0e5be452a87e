#include "graph/graphviz.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace gxr {
namespace {

/// A file that holds `text` until the scope ends.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text = {})
      : path_((std::filesystem::temp_directory_path() / "gxr-graph-XXXXXX").string()),
        file_(::mkostemp(path_.data(), O_CLOEXEC)) {
    if (!file_) {
      throw Error(ErrorCode::InputOutput, "cannot make a temporary file: " + path_);
    }
    if (::write(file_.descriptor(), text.data(), text.size()) !=
        static_cast<ssize_t>(text.size())) {
      ::unlink(path_.c_str());
      throw Error(ErrorCode::InputOutput, "cannot write " + path_);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { ::unlink(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return file_.descriptor(); }
  /// What it holds now.
  [[nodiscard]] std::string content() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  std::string path_;
  OpenFile file_;
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

/// The file of a program that PATH leads to.
std::optional<std::string> find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  const std::string_view folders = path != nullptr ? path : "/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder(folders.substr(begin, end - begin));
    std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) {
      return file;
    }
    begin = end + 1;
  }
  return std::nullopt;
}

/// Runs a program to its end; returns its exit status, 127 when it cannot be run.
int run_program(const std::vector<std::string>& words, const FileActions& actions) {
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));  // posix_spawn does not write to them
  }
  arguments.push_back(nullptr);
  pid_t process = 0;
  if (::posix_spawn(&process, arguments[0], actions.get(), nullptr, arguments.data(), environ) !=
      0) {
    return 127;
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string draw_by_program(const std::string& program, const std::string& drawing,
                            const std::string& format) {
  const TemporaryFile input(drawing);
  const TemporaryFile output;
  FileActions actions;
  actions.write_output_to(output.descriptor());
  const int status = run_program({program, "-T" + format, input.path()}, actions);
  if (status != 0) {
    throw Error(ErrorCode::Failure,
                "'dot' of graphviz failed with exit status " + std::to_string(status));
  }
  return output.content();
}

/// The library of Graphviz, if it is there; opened when it is needed, and never closed.
class GraphvizLibrary {
 public:
  GraphvizLibrary()
      : graphs_(::dlopen("libcgraph.so.6", RTLD_NOW | RTLD_LOCAL)),
        layouts_(::dlopen("libgvc.so.6", RTLD_NOW | RTLD_LOCAL)) {
    complete_ =
        find(graphs_, "agmemread", read_) && find(graphs_, "agclose", close_) &&
        find(layouts_, "gvContext", make_context_) &&
        find(layouts_, "gvFreeContext", free_context_) && find(layouts_, "gvLayout", lay_out_) &&
        find(layouts_, "gvFreeLayout", free_layout_) && find(layouts_, "gvRenderData", render_) &&
        find(layouts_, "gvFreeRenderData", free_data_);
  }

  [[nodiscard]] bool is_there() const { return complete_; }

  /// The picture; the library itself says on standard error what is wrong when there is none.
  [[nodiscard]] std::optional<std::string> draw(const std::string& drawing,
                                                const std::string& format) const {
    std::optional<std::string> picture;
    void* const context = make_context_();
    if (void* const graph = read_(drawing.c_str())) {
      if (lay_out_(context, graph, "dot") == 0) {
        char* data = nullptr;
        std::size_t size = 0;  // versions differ in how many bytes of it they write
        if (render_(context, graph, format.c_str(), &data, &size) == 0 && data != nullptr) {
          picture.emplace(data, size);
          free_data_(data);
        }
        free_layout_(context, graph);
      }
      close_(graph);
    }
    free_context_(context);
    return picture;
  }

 private:
  template <class Function>
  static bool find(void* library, const char* name, Function& function) {
    function = library == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
  }

  void* graphs_;
  void* layouts_;
  bool complete_ = false;
  void* (*read_)(const char*) = nullptr;
  int (*close_)(void*) = nullptr;
  void* (*make_context_)() = nullptr;
  int (*free_context_)(void*) = nullptr;
  int (*lay_out_)(void*, void*, const char*) = nullptr;
  int (*free_layout_)(void*, void*) = nullptr;
  int (*render_)(void*, void*, const char*, char**, std::size_t*) = nullptr;
  void (*free_data_)(char*) = nullptr;
};

}  // namespace

bool has_graphviz_program() { return find_program("dot").has_value(); }

std::string run_graphviz(const std::string& drawing, const std::string& format) {
  // A process of its own cannot take this one with it when it fails.
  if (const std::optional<std::string> program = find_program("dot")) {
    return draw_by_program(*program, drawing, format);
  }
  const GraphvizLibrary library;
  if (!library.is_there()) {
    throw Error(
        ErrorCode::NotAvailable,
        "'" + format +
            "' needs Graphviz, and neither its library libgvc.so.6 nor its program 'dot' is "
            "installed (Debian and Ubuntu: apt install libgvc6, or graphviz); the formats dot, "
            "mermaid and text work without it");
  }
  std::optional<std::string> picture = library.draw(drawing, format);
  if (!picture) {
    throw Error(ErrorCode::Failure, "libgvc.so.6 of Graphviz cannot draw '" + format + "'");
  }
  return *std::move(picture);
}

}  // namespace gxr
