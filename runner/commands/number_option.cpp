#include "commands/number_option.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include <spdlog/fmt/fmt.h>

namespace gxr::commands {
namespace {

std::optional<double> read_number(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const bool is_whole = error == std::errc() && rest == end;
  return is_whole && !std::isnan(number) ? std::optional(number) : std::nullopt;
}

}  // namespace

CLI::Option* add_number_option(CLI::App& command, const std::string& name, double least,
                               double greatest, const std::string& help,
                               const std::function<void(double)>& set) {
  return command.add_option_function<std::string>(
      name,
      [=](const std::string& text) {
        const std::optional<double> number = read_number(text);
        if (!number) {
          throw CLI::ValidationError(name, "Value " + text + " is not a number");
        }
        if (*number < least || *number > greatest) {
          throw CLI::ValidationError(
              name, fmt::format("Value {} not in range {} to {}", text, least, greatest));
        }
        set(*number);
      },
      help);
}

}  // namespace gxr::commands
