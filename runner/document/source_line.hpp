#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "document/source.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// A line of a source as a terminal shows it, and what stands below it to mark a place.
struct MarkedLine {
  std::string line;
  std::string marker;  ///< blanks, then '^'
};

/// Draws `length` characters from column `column` (from 1) on. Tabs become four blanks, controls
/// and invalid bytes escape sequences; a line that is wider than `width` columns is cut around the
/// place. At least one '^', which may stand behind the end of the line.
MarkedLine mark_line(std::string_view line, std::uint32_t column, std::uint32_t length,
                     std::size_t width = 100);

/// `length` brought within the line, and within the word where an alias stands in the place of a
/// longer text.
std::uint32_t clip_length(std::string_view line, std::uint32_t column, std::uint32_t length);
/// The length that a diagnostic marks. In the line of gxr launch, too, a word may stand in the
/// place of a longer text: `image::Source` in that of `gxr::image::Source`.
std::uint32_t marked_length(const SourceMap& sources, Location where, std::uint32_t length);

}  // namespace gxr
