#pragma once

#include <cstdint>
#include <string>

#include "document/diagnostics.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Reads the values of a document's key that is a map, such as `on_failure`, and reports what is
/// wrong with them.
class RuleValues {
 public:
  /// `form` is the hint of every report: "write 'deadline: {tick: 5ms}'".
  RuleValues(const char* form, Diagnostics& diagnostics) : form_(form), diagnostics_(diagnostics) {}

  /// A duration in nanoseconds; `otherwise` when it is none, which is reported.
  [[nodiscard]] std::int64_t time(const Value& value, std::int64_t otherwise);
  /// An integer of at least 1; likewise.
  [[nodiscard]] std::uint64_t number(const Value& key, const Value& value, std::uint64_t otherwise);
  void report(const Value& value, const std::string& text);
  /// The key is none of `map`.
  void report_key(const Value& key, const char* map);

 private:
  const char* form_;
  Diagnostics& diagnostics_;
};

}  // namespace gxr
