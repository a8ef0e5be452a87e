#include "commands/number_option.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include <spdlog/fmt/fmt.h>

namespace gxr::commands {
namespace {

/// Nothing when a double cannot hold it. Throws when the text has other characters, or is no
/// number.
std::optional<double> read_decimal(const std::string& name, const std::string& text,
                                   std::string_view characters, const char* what,
                                   const char* example) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const bool is_number = text.find_first_not_of(characters) == std::string::npos && rest == end &&
                         error != std::errc::invalid_argument;
  if (!is_number) {
    throw CLI::ValidationError(
        name, fmt::format("Value {} is not a {}: write decimal digits without '+', like {}", text,
                          what, example));
  }
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

double in_range(const std::string& name, const std::string& text,
                const std::optional<double>& number, double least, double greatest) {
  if (!number || *number < least || *number > greatest) {
    throw CLI::ValidationError(
        name, fmt::format("Value {} not in range {} to {}", text, least, greatest));
  }
  return *number;
}

}  // namespace

CLI::Option* add_number_option(CLI::App& command, const std::string& name, double least,
                               double greatest, const std::string& help,
                               const std::function<void(double)>& set) {
  return command.add_option_function<std::string>(
      name,
      [=](const std::string& text) {
        const auto read = read_decimal(name, text, "-0123456789.eE", "number", "2.5");
        set(in_range(name, text, read, least, greatest));
      },
      help);
}

/// Counts are far below what a double holds exactly.
CLI::Option* add_count_option(CLI::App& command, const std::string& name, std::uint64_t greatest,
                              const std::string& help,
                              const std::function<void(std::uint64_t)>& set) {
  return command.add_option_function<std::string>(
      name,
      [=](const std::string& text) {
        const auto read = read_decimal(name, text, "-0123456789", "whole number", "25");
        set(static_cast<std::uint64_t>(
            in_range(name, text, read, 0.0, static_cast<double>(greatest))));
      },
      help);
}

}  // namespace gxr::commands
