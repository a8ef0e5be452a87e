#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "executors/live_changes.hpp"
#include "internal_api.hpp"
#include "ipc/file_descriptor.hpp"
#include "ipc/service_thread.hpp"

namespace gxr {

/// Adds a parameter file as Document::add_parameter_file() does, but takes maps alone: what GXF's
/// entity documents may say besides cannot be changed while an application runs.
GXR_INTERNAL_API void add_watched_file(const std::string& path, Document& document,
                                       Diagnostics& diagnostics);

/// Notices when a file is written or replaced.
class WatchedFile {
 public:
  /// Of what is wrong with the file, no more than `most_problems` lines are reported each time; 0:
  /// all. Throws Error(InputOutput) when its folder cannot be watched.
  GXR_INTERNAL_API explicit WatchedFile(std::string path, std::size_t most_problems = 100);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::size_t most_problems() const noexcept { return most_problems_; }
  /// Can be read from when take() should be called.
  [[nodiscard]] int descriptor() const noexcept { return events_.get(); }
  enum class Event : std::uint8_t { Nothing, Written, FolderGone };
  /// What happened since the last call; does not wait.
  [[nodiscard]] Event take() const;

 private:
  std::string path_;
  std::string name_;  // in its folder
  std::size_t most_problems_;
  FileDescriptor events_;
};

/// Sets what changes in a watched parameter file, on a thread of its own, while the application
/// runs. What is wrong is a warning on the log, and nothing is set then. What is taken out of the
/// file keeps its value, and a file that is not there changes nothing.
///
/// Must not go before the application has ended: it may wait for its components.
class ParameterWatcher {
 public:
  /// `read` has the file as the application was made of it. Refers to `file` and `changes`.
  GXR_INTERNAL_API ParameterWatcher(const WatchedFile& file, const Document& read,
                                    LiveChanges& changes);

 private:
  using Address = std::tuple<std::string, std::string, std::string>;
  using Values = std::map<Address, std::string>;  // as YAML

  [[nodiscard]] Values values_in(const Document& document) const;
  void watch(int stop);
  void read_again();
  void set(Document& document, Diagnostics& diagnostics);
  void refuse(const std::string& problems);

  const WatchedFile& file_;
  LiveChanges& changes_;
  Values values_;         // what the file has said last of each; of the thread
  std::string problems_;  // of the file as it is, reported; of the thread
  ServiceThread thread_;
};

}  // namespace gxr
