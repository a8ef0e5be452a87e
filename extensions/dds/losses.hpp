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
  };

  /// Number `number` of the writer `guid` came; 0: not known. Returns how many before it did not.
  std::uint64_t arrived(const Guid& guid, std::uint64_t number);
  /// One of that writer, which had arrived, found no room.
  void dropped(const Guid& writer) { ++writers_[writer].dropped; }

  /// Those that it knows best last; the numbers of those that were forgotten are in no writer.
  [[nodiscard]] std::vector<Writer> writers() const;
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

 private:
  std::map<Guid, Writer> writers_;
  std::uint64_t lost_ = 0;
};

}  // namespace gxr::dds
