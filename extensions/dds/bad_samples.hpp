#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dds/transport.hpp"

namespace gxr::dds {

/// The text without its digits: texts that differ only in numbers are of one kind.
[[nodiscard]] std::string kind_of_text(std::string_view text);

/// Which texts of a library are told: each kind of text once in a minute. Thread-safe.
class RepeatedTexts {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// True: it is to be told.
  bool add(std::string_view text, Time now);

 private:
  static constexpr std::size_t kMostKinds = 256;  // others are always told

  std::mutex mutex_;
  std::map<std::string, Time, std::less<>> told_;
};

/// Counts samples that were dropped for what they hold, and says which are worth a warning.
/// Thread-safe.
class BadSamples {
 public:
  /// True: it is the first of this kind of reason from this writer. At most 64 kinds are told.
  bool add(const Guid& writer, std::string_view reason);
  [[nodiscard]] std::uint64_t count() const;
  void clear();

 private:
  static constexpr std::size_t kMostTold = 64;

  mutable std::mutex mutex_;  // guards the members below
  std::uint64_t count_ = 0;
  std::set<std::pair<Guid, std::string>> told_;
};

}  // namespace gxr::dds
