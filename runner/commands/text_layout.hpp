#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gxr::commands {

/// Output of commands fits this many columns wherever its words do.
inline constexpr std::size_t kTextWidth = 80;

/// The text broken at blanks into lines of at most kTextWidth columns, each behind `indent` blanks;
/// line ends in the text stay.
std::string paragraph(std::string_view text, std::size_t indent);

/// A name and, from `column` on, a text: "  name      text that goes on\n            here". A name
/// that reaches into the column has its text on the next line.
std::string entry(std::string_view name, std::string_view text, std::size_t indent,
                  std::size_t column);

}  // namespace gxr::commands
