#pragma once

#include <CLI/CLI.hpp>

namespace gxr::commands {

/// Check of an option that is a number from `least` to `greatest`. CLI::Range lets NaN pass, which
/// is neither less nor greater than anything.
CLI::Validator number_range(double least, double greatest);

}  // namespace gxr::commands
