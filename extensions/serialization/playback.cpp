#include "serialization/playback.hpp"

#include <algorithm>
#include <utility>

namespace gxr::serialization {

void Playback::open(const std::string& directory, const std::optional<std::string>& basename) {
  if (!basename && owner_.name().empty()) {
    throw Error(ErrorCode::InvalidParameter,
                "the recording has no name: set basename, or give the component a name");
  }
  const RecordingPaths paths(directory, basename ? *basename : owner_.name());
  reader_.emplace(paths, owner_.full_name());
  rewind();
  seen_ = 0;
  if (reader_->torn_bytes() > 0) {
    warn("'" + paths.index + "' ends with " + std::to_string(reader_->torn_bytes()) +
         " bytes of an incomplete record, which is not used");
  }
}

Message Playback::read(EntitySerializer& serializer, bool ignore_corrupted) {
  const std::uint64_t entity = position_++;
  const bool first_time = entity >= std::exchange(seen_, std::max(seen_, position_));
  try {
    Message message = reader_->read(entity, serializer);
    found_any_ = found_any_ || message;
    return message;
  } catch (const Error& error) {
    if (!ignore_corrupted || error.code() != ErrorCode::InvalidData) {
      throw;
    }
    if (first_time) {
      warn(error.message() + "; left out");
    }
    return {};
  }
}

void Playback::finish() const {
  if (reader_->size() > 0 && !found_any_) {
    warn("no entity of the recording could be read");
  }
}

void Playback::warn(const std::string& text) const {
  owner_.context().log(LogLevel::Warn, owner_, text);
}

}  // namespace gxr::serialization
