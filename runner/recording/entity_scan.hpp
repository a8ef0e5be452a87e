#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "recording/file_stream.hpp"

namespace gxr {

/// Where an entity is in the data of a recording, as its own headers say.
struct FoundEntity {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::optional<std::int64_t> time;  ///< of its Timestamp, ns; none without one
};

/// Where a scan ended.
struct ScanEnd {
  std::uint64_t offset = 0;  ///< behind the last complete entity
  std::string problem;       ///< why no entity follows; empty at the end of the file
};

/// Finds the entities of a data file from `offset` on, one behind the other, without the index.
/// Skips their data. Ends at the first that is not complete, or that has a part whose size nobody
/// knows. Throws Error(InputOutput).
ScanEnd scan_entities(FileStream& file, std::uint64_t offset,
                      const std::function<void(const FoundEntity&)>& found);

/// Whether the file can be read and begins with a complete entity, so that an index can be made.
bool has_entity(const std::string& path) noexcept;

}  // namespace gxr
