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

/// One line on how the run ended: "completed after 1.2 ms: 3 entities, 30 ticks".
GXR_INTERNAL_API std::string render_end(const Report& report);
/// What went wrong or was lost: failures, waiting entities of a run that did not come to its end,
/// unread, dropped and discarded messages; empty when all is well. `places` has the places of the
/// failures, in their order, as far as they are known.
GXR_INTERNAL_API std::string render_problems(const Report& report,
                                             const std::vector<FailurePlace>& places = {});
/// One line on what a run that was to verify has compared; empty for others.
GXR_INTERNAL_API std::string render_verified(const Report& report);
/// A table with one line an entity: ticks, total, mean and longest time.
GXR_INTERNAL_API std::string render_statistics(const Report& report);
/// All of it as JSON.
GXR_INTERNAL_API std::string render_report_json(const Report& report,
                                                const std::vector<FailurePlace>& places = {});

}  // namespace gxr
