#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace gxr::commands {

/// Adds an option that is a number from `least` to `greatest` with a point for its fraction,
/// whatever the locale of the process; `set` gets the number. CLI11 reads numbers as the locale
/// writes them.
CLI::Option* add_number_option(CLI::App& command, const std::string& name, double least,
                               double greatest, const std::string& help,
                               const std::function<void(double)>& set);

}  // namespace gxr::commands
