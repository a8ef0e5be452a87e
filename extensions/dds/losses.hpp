#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dds/transport.hpp"

namespace gxr::dds {

/// Counts for each writer what came of it, and what did not.
class Losses {
 public:
  struct Writer {
    Guid guid{};
    std::uint64_t received = 0;
    std::uint64_t lost = 0;     ///< on the way
    std::uint64_t dropped = 0;  ///< here, without room
    std::uint64_t last = 0;     ///< number of the last that came
    std::uint64_t untold = 0;   ///< of those that are missing, which no arrival has told
  };

  /// Number `number` of the writer `guid` came; 0: not known. Returns how many before it are
  /// missing. `from_here_on`: those before it were not to come.
  std::uint64_t arrived(const Guid& guid, std::uint64_t number, bool from_here_on = false);
  /// One of that writer, which had arrived, found no room.
  void dropped(const Guid& writer) { ++writers_[writer].dropped; }
  /// So many are missing before the next one that comes of that writer, too.
  void add_to_next(const Guid& writer, std::uint64_t count) { writers_[writer].untold += count; }

  /// Those that it knows best last; the numbers of those that were forgotten are in no writer.
  [[nodiscard]] std::vector<Writer> writers() const;
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

 private:
  std::map<Guid, Writer> writers_;
  std::uint64_t lost_ = 0;
};

}  // namespace gxr::dds
