#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "observe/run_status.hpp"

namespace gxr::commands {

/// By what the entities of `gxr top` are sorted: the greatest first, but for names.
enum class TopOrder : std::uint8_t { Start, Name, Rate, Fill, Drops, Time };

/// What is to be seen of a table of entities.
struct TopLook {
  std::size_t width = 80;   ///< columns of a terminal
  std::size_t height = 24;  ///< lines; 0: as many as it takes, and no line about keys
  TopOrder order = TopOrder::Start;
  std::size_t first = 0;  ///< entity at the top, in that order; at most the last page
  std::string note;       ///< such as that the application does not answer
};

/// A text of at most `height` lines.
struct TopPage {
  std::vector<std::string> lines;  ///< printable, each at most `width` columns wide
  std::size_t title = 0;           ///< line that has the names of the columns
  std::size_t first = 0;           ///< TopLook::first, as far as there are entities
  std::size_t rows = 0;            ///< entities that are to be seen
};

/// The table of an application, with the rates between two moments of it. Without entities in
/// `before`, with those since its start.
TopPage render_top(const ApplicationStatus& before, const ApplicationStatus& now,
                   const TopLook& look);

/// Which part of `seconds` between two moments an entity spent in its ticks, by the mean of those
/// that were measured in between: 0 to 1.
double busy_share(const EntityStatus& before, const EntityStatus& now, double seconds);

/// A number in at most 6 characters: "0.0", "12.5", "1250", "98.5k", "12.5M".
std::string short_number(double number);
/// The same of a count, which is whole: "0", "12", "98500", "98.5M".
std::string short_count(std::uint64_t count);
/// The text in exactly so many columns of a terminal, cut or padded.
std::string fit_columns(const std::string& text, std::size_t columns);

}  // namespace gxr::commands
