#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "document/utf8.hpp"
#include "gxr/run_status.hpp"
#include "internal_api.hpp"

namespace gxr {

// What was measured of a run, for people. Names are not escaped.

/// "250 ns", "1.20 us", "3.00 ms", "2.50 s".
GXR_INTERNAL_API std::string duration_text(double ns);
/// "100 B", "1.50 KiB", …
GXR_INTERNAL_API std::string bytes_text(std::uint64_t bytes);
/// A time of `facts` for a table: "-" when nothing was measured.
GXR_INTERNAL_API std::string time_cell(const TimeFacts& facts, std::int64_t ns);
/// The text with spaces up to `width` characters.
GXR_INTERNAL_API std::string padded(const std::string& text, std::size_t width);

/// The width of a table's column of names.
template <class List, class Name>
std::size_t name_width(const List& list, std::string_view title, const Name& name) {
  constexpr std::size_t kWidest = 32;
  std::size_t width = title.size();
  for (const auto& each : list) {
    width = std::max(width, std::min(count_characters(name(each)), kWidest));
  }
  return width;
}

// Tables, empty without rows:

/// How late entities ticked that waited for times.
GXR_INTERNAL_API std::string lateness_table(const std::vector<EntityStatus>& entities);
/// Deadlines, how often they were missed, and the longest time or age.
GXR_INTERNAL_API std::string deadline_table(const std::vector<EntityStatus>& entities);
/// Content, drops, most messages, and how long messages wait.
GXR_INTERNAL_API std::string queue_table(const std::vector<EntityStatus>& entities);
/// How old data is when sinks can take it.
GXR_INTERNAL_API std::string path_table(const RunStatus& status);
/// Iterations of CUDA graphs, and the times of their operators.
std::string graph_table(const std::vector<GraphStatus>& graphs);
/// Bytes that are given out.
GXR_INTERNAL_API std::string allocator_table(const std::vector<AllocatorStatus>& allocators);

}  // namespace gxr
