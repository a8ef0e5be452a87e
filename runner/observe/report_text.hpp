#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/report.hpp"
#include "internal_api.hpp"

namespace gxr {

/// Where a file describes what failed.
struct FailurePlace {
  std::string lines;  ///< the place and its line, for a terminal; empty: not known
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Something that went wrong or was lost in a run.
struct ReportProblem {
  enum class Kind : std::uint8_t {
    Error,    ///< it failed the run
    Warning,  ///< something was lost
    Waiting,  ///< who waited when the run ended
  };
  Kind kind = Kind::Warning;
  std::string text;       ///< escaped; lines behind the first are indented; without line end
  std::string entity;     ///< that it is about; empty: none, or several
  std::string component;  ///< likewise
};
/// In the order of render_problems().
GXR_INTERNAL_API std::vector<ReportProblem> problems_of(const Report& report);

/// One line on how the run ended: "completed after 1.2 ms: 3 entities, 30 ticks".
GXR_INTERNAL_API std::string render_end(const Report& report);
/// What went wrong or was lost: failures, waiting entities of a run that did not come to its end,
/// unread, dropped and discarded messages; empty when all is well. `places` has the places of the
/// failures, in their order, as far as they are known.
GXR_INTERNAL_API std::string render_problems(const Report& report,
                                             const std::vector<FailurePlace>& places = {});
/// One line on what a run that was to verify has compared; empty for others.
GXR_INTERNAL_API std::string render_verified(const Report& report);
/// Tables, not for programs: ticks and times of entities; CUDA graphs; queues, lateness, ages of
/// data and allocators.
GXR_INTERNAL_API std::string render_statistics(const Report& report);
/// All of it as JSON.
GXR_INTERNAL_API std::string render_report_json(const Report& report,
                                                const std::vector<FailurePlace>& places = {});

}  // namespace gxr
