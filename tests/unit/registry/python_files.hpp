#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "extension_bytes.hpp"
#include "gxr/version.hpp"
#include "registry/type_json.hpp"
#include "temporary_folder.hpp"

namespace gxr::test {

/// Sets an environment variable until the end of the scope; nullptr: it is not there.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    had_ = before != nullptr;
    before_ = had_ ? before : "";
    set(value);
  }
  Environment(const char* name, const std::string& value) : Environment(name, value.c_str()) {}
  ~Environment() { set(had_ ? before_.c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) const {
    value != nullptr ? ::setenv(name_, value, 1) : ::unsetenv(name_);
  }

  const char* name_;
  bool had_ = false;
  std::string before_;
};

/// Files that changed just now are not cached.
inline void let_files_settle() { std::this_thread::sleep_for(std::chrono::milliseconds(70)); }

inline std::filesystem::path write_script(const TemporaryFolder& folder, const std::string& name,
                                          const std::string& lines) {
  std::filesystem::path file = folder.write(name, "#!/bin/sh\n" + lines + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

/// A folder with a script in the place of an interpreter, and a cache of its own.
class PythonFolder {
 public:
  PythonFolder()
      : cache_("XDG_CACHE_HOME", (folder_.path() / "cache").string()),
        python_("GXR_PYTHON", (folder_.path() / "python").string()) {}

  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return std::filesystem::canonical(folder_.path()) / name;
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    folder_.write(name, text);
    return path(name);
  }
  /// What runs instead of Python. "$3" is the file.
  void interpret(const std::string& lines) const {
    write_script(folder_, "python", "echo asked >> '" + path("asked").string() + "'\n" + lines);
  }
  /// It prints this text.
  void answer(const std::string& text, int exit_code = 0) const {
    write("answer", text);
    interpret("cat '" + path("answer").string() + "'; exit " + std::to_string(exit_code));
  }
  [[nodiscard]] std::size_t times_asked() const {
    return read_bytes(path("asked")).size() / std::string("asked\n").size();
  }

 private:
  TemporaryFolder folder_;
  Environment cache_;
  Environment python_;
};

/// What the package of this gxr prints for types of a file.
inline std::string python_answer(const std::string& name, const std::vector<TypeInfo>& types,
                                 const std::vector<std::filesystem::path>& files,
                                 const std::string& version = "",
                                 const std::string& sdk = std::string(kSdkFingerprint)) {
  const std::string own = std::to_string(kSdkVersionMajor) + "." +
                          std::to_string(kSdkVersionMinor) + "." + std::to_string(kSdkVersionPatch);
  std::string list;
  for (const std::filesystem::path& file : files) {
    list += (list.empty() ? "\"" : ", \"") + file.string() + "\"";
  }
  return R"({"gxr": ")" + (version.empty() ? own : version) + R"(", "sdk": ")" + sdk +
         R"(", "name": ")" + name + R"(", "version": "1.2.3", "description": "of a test", )" +
         R"("files": [)" + list + R"(], "types": )" + types_to_json(types) + "}\n";
}

/// Runs it in a child process, for what is once a process. Returns what it returns.
template <class Run>
bool in_child(Run run) {
  const pid_t process = ::fork();
  if (process == 0) {
    bool good = false;
    try {
      good = run();
    } catch (...) {
      good = false;
    }
    ::_exit(good ? 0 : 1);
  }
  int status = 1;
  return process > 0 && ::waitpid(process, &status, 0) == process && status == 0;
}

}  // namespace gxr::test
