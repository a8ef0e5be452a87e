#pragma once

#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "gxr/report.hpp"
#include "plan/plan.hpp"

namespace gxr::commands {

/// What the terminal is told in another form goes to the log file, if there is one, by these: it
/// then tells by itself what ran, how it ended, and why.
void record_start(const Plan& plan, const std::vector<std::string>& files);
void record_diagnostics(const Diagnostics& diagnostics, const SourceMap& sources);
void record_end(const Report& report);

}  // namespace gxr::commands
