#pragma once

#include <cstdint>
#include <string>

#include "gxr/open_file.hpp"
#include "internal_api.hpp"
#include "observe/trace_events.hpp"

namespace gxr {

/// A time line and the file that gets it at the end, in the Trace Event Format (object form), which
/// Perfetto and chrome://tracing open. Source: "Trace Event Format", the Chromium project.
class TraceFile {
 public:
  /// Begins the file anew; no folder is made for it. `process` is what the time line is called.
  /// Throws Error(InputOutput).
  GXR_INTERNAL_API TraceFile(std::string file, std::string process,
                             std::uint64_t limit = TraceEvents::kGreatestNumber);

  [[nodiscard]] TraceEvents& events() noexcept { return events_; }
  /// Writes and closes the file, and warns in the log when events were left out. Call once, when
  /// nobody adds events any more. Throws Error(InputOutput).
  GXR_INTERNAL_API void write();

 private:
  std::string name_;
  std::string process_;
  StdioFile file_;
  TraceEvents events_;
};

}  // namespace gxr
