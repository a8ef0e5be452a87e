#pragma once

#include "gxf/core/expected.hpp"
#include "gxf/std/multi_source_timestamp.hpp"

namespace nvidia {
namespace gxf {

/// The moment as that clock sees it; GXF_QUERY_NOT_FOUND if it is not among them.
inline Expected<Timestamp> getTimestamp(const MultiSourceTimestamp& timestamps,
                                        const TimeDomainID& domain) {
  for (const auto source : timestamps) {
    if (source->second == domain) {
      return source->first;
    }
  }
  return Unexpected{GXF_QUERY_NOT_FOUND};
}

}  // namespace gxf
}  // namespace nvidia
