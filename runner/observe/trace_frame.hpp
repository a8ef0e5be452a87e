#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gxr {

/// The text before the events of a trace.
inline constexpr std::string_view kTraceHead = "{\"traceEvents\":[";
/// The text with which the end of a trace begins, behind its events.
inline constexpr std::string_view kTraceTail = "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":";

/// The facts in the end of a trace.
struct TraceFacts {
  std::string begin;  ///< when the time line begins: "2026-01-31T12:30:01.250000000Z"
  std::uint64_t events = 0;
  std::uint64_t left_out = 0;
};

/// The end of a trace.
std::string trace_tail(const TraceFacts& facts);

}  // namespace gxr
