#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dds/transport.hpp"

namespace gxr::dds {

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
