#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace gxr::commands {

// Numbers of options are decimal: digits, '-' in front of a negative one, and no '+'. The locale of
// the process does not matter. CLI11 reads numbers as the locale writes them, and some as octal or
// hexadecimal.

/// Adds an option that is a number from `least` to `greatest`, with a point for its fraction and an
/// exponent if need be; `set` gets the number.
CLI::Option* add_number_option(CLI::App& command, const std::string& name, double least,
                               double greatest, const std::string& help,
                               const std::function<void(double)>& set);

/// The same for whole numbers from 0 on, which have only digits.
CLI::Option* add_count_option(CLI::App& command, const std::string& name, std::uint64_t greatest,
                              const std::string& help,
                              const std::function<void(std::uint64_t)>& set);

}  // namespace gxr::commands
