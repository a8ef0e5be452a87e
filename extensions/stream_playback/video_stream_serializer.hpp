#pragma once

#include "gxr/serialization/entity_serializer.hpp"

namespace gxr::stream_playback {

/// StdEntitySerializer that does not warn of sequence numbers unless asked.
class VideoStreamSerializer final : public StdEntitySerializer {
 public:
  VideoStreamSerializer() noexcept : StdEntitySerializer(false) {}
};

}  // namespace gxr::stream_playback
