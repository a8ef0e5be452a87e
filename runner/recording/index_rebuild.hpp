#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gxr/serialization/recording.hpp"
#include "internal_api.hpp"

namespace gxr {

/// What rebuild_index() did.
struct RebuiltIndex {
  std::uint64_t entities = 0;
  std::uint64_t left_over = 0;  ///< bytes of the data that make no complete entity
  std::string problem;          ///< why not; empty when nothing is left over
};

/// Writes a new index for a recording whose index is empty or missing, from what the data says. The
/// times are those of the entities' Timestamps; with `rate`, in entities per second, they are
/// evenly spaced, the last one at the time at which the data was last written.
///
/// Throws Error(InvalidState) when the index has content, which is never overwritten,
/// Error(InvalidParameter) when an entity has no time and there is no rate, Error(InvalidData) when
/// the data has no complete entity, Error(NotFound) and Error(InputOutput) with the path.
GXR_INTERNAL_API RebuiltIndex rebuild_index(const RecordingPaths& paths,
                                            std::optional<double> rate);

}  // namespace gxr
