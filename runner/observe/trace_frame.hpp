#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gxr {

/// What stands before the events of a trace.
inline constexpr std::string_view kTraceHead = "{\"traceEvents\":[";
/// What begins the end of a trace, behind its events.
inline constexpr std::string_view kTraceTail = "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":";

/// What the end of a trace tells.
struct TraceFacts {
  std::string begin;  ///< when the time line begins: "2026-01-31T12:30:01.250000000Z"
  std::uint64_t events = 0;
  std::uint64_t left_out = 0;
};

/// The end of a trace.
std::string trace_tail(const TraceFacts& facts);

}  // namespace gxr
