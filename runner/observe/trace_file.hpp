#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "internal_api.hpp"
#include "observe/trace_events.hpp"

namespace gxr {

class TraceWriter;

/// The process that a time line is about.
struct TraceProcess {
  std::string name;
  std::uint32_t number = 1;              ///< "pid" in the file
  TraceBegin begin = TraceBegin::now();  ///< the same for all processes of one time line
};

/// A time line and the file that gets it while the run goes on, in the Trace Event Format (object
/// form), which Perfetto and chrome://tracing open. Source: "Trace Event Format", the Chromium
/// project.
///
/// A thread adds what has happened twice a second. A regular file is a whole JSON document after
/// each time: its end, with the slices that go on, is overwritten the next time. So a process that
/// is killed leaves a trace that can be opened. Pipes and devices get the end at the end alone.
class TraceFile {
 public:
  static constexpr std::chrono::milliseconds kUsualInterval{500};

  /// Begins the file anew; no folder is made for it. Throws Error(InputOutput), and
  /// Error(OutOfMemory) without a thread.
  GXR_INTERNAL_API TraceFile(std::string file, const TraceProcess& process,
                             std::uint64_t limit = TraceEvents::kGreatestNumber,
                             std::chrono::milliseconds interval = kUsualInterval);
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  /// finish(), if nobody called it; what goes wrong then stays unknown.
  GXR_INTERNAL_API ~TraceFile();

  [[nodiscard]] TraceEvents& events() noexcept { return events_; }
  /// Writes the rest, closes the file, and warns in the log when events were left out. Call once,
  /// when nobody adds events any more. Throws Error(InputOutput), also for what went wrong during
  /// the run: from then on nothing was written.
  GXR_INTERNAL_API void finish();

 private:
  void work(std::chrono::milliseconds interval);
  void end_thread();

  std::string name_;
  TraceEvents events_;
  std::unique_ptr<TraceWriter> writer_;  // null: finished
  std::mutex mutex_;                     // guards the members below
  std::condition_variable changed_;
  bool begun_ = false;  // the file can be opened
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace gxr
