#pragma once

#include <span>

#include "document/diagnostics.hpp"

namespace gxr {

/// As the tables write them.
inline constexpr auto kError = Severity::Error;
inline constexpr auto kWarning = Severity::Warning;

// The table of diagnostics in its parts, in the order of DiagnosticCode.
std::span<const DiagnosticInfo> file_diagnostics();
std::span<const DiagnosticInfo> short_form_diagnostics();
std::span<const DiagnosticInfo> extension_diagnostics();
std::span<const DiagnosticInfo> parameter_diagnostics();
std::span<const DiagnosticInfo> handle_diagnostics();
std::span<const DiagnosticInfo> execution_diagnostics();
std::span<const DiagnosticInfo> region_diagnostics();
std::span<const DiagnosticInfo> rank_diagnostics();

}  // namespace gxr
