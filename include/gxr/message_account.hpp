#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gxr/export.hpp"

namespace gxr {

/// How close messages came to being used where a threshold decides.
struct NearestMiss {
  std::int64_t distance_ns = 0;   ///< the least distance that was too large
  std::string threshold;          ///< name of the parameter that decides
  std::int64_t threshold_ns = 0;  ///< its value
};

/// Messages that a component discarded on purpose, for one reason.
struct Discard {
  std::uint64_t count = 0;  ///< messages that were discarded
  std::uint64_t of = 0;     ///< messages that it took altogether; 0: not told
  std::string reason;       ///< half a sentence: "no partner came in time"
  /// Where a threshold decides: how close it was.
  std::optional<NearestMiss> nearest_miss = std::nullopt;
};

/// A second base of components that discard messages on purpose, or keep some until the run ends.
/// The report names them like those that a full queue drops. Queues with GXF's parameters
/// `capacity` and `policy` need it only for what they do beyond that.
class GXR_API MessageAccount {
 public:
  MessageAccount() = default;
  MessageAccount(const MessageAccount&) = delete;
  MessageAccount& operator=(const MessageAccount&) = delete;
  virtual ~MessageAccount();

  /// Messages discarded in this run; those of count 0 are left out of the report. Called once, when
  /// everything has stopped and nothing was deinitialized.
  [[nodiscard]] virtual std::vector<Discard> discards() const = 0;
  /// Messages that nobody has read. Called at the same time.
  [[nodiscard]] virtual std::size_t unread() const { return 0; }
};

}  // namespace gxr
