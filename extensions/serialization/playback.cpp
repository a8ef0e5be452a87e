#include "serialization/playback.hpp"

#include <algorithm>
#include <utility>

namespace gxr::serialization {
namespace {

/// A recording may have any number of damaged entities; so many get a warning of their own.
constexpr std::uint64_t kMostWarnings = 10;

}  // namespace

void Playback::open(const std::string& directory, const std::optional<std::string>& basename) {
  if (!basename && owner_.name().empty()) {
    throw Error(ErrorCode::InvalidParameter,
                "the recording has no name: set basename, or give the component a name");
  }
  const RecordingPaths paths(directory, basename.value_or(owner_.name()));
  reader_.emplace(paths, owner_.full_name());
  position_ = seen_ = damages_ = told_ = 0;
  found_any_ = false;
  if (reader_->torn_bytes() > 0) {
    warn("'" + paths.index + "' ends with " + std::to_string(reader_->torn_bytes()) +
         " bytes of an incomplete record, which is not used");
  }
  warn_of_unnamed(paths);
}

/// An entity that its recorder did not finish is no surprise; complete ones without an index record
/// are lost.
void Playback::warn_of_unnamed(const RecordingPaths& paths) {
  const RecordingReader::Unnamed unnamed = reader_->unnamed();
  if (unnamed.bytes == 0) {
    return;
  }
  const std::string bytes = std::to_string(unnamed.bytes) + " bytes";
  if (reader_->size() == 0) {
    warn("the index '" + paths.index +
         (reader_->torn_bytes() == 0 ? "' is empty" : "' has no complete record") + ", but '" +
         paths.entities + "' has " + bytes +
         (unnamed.entities > 0 ? ", of which nothing is replayed: `gxr replay-info "
                                 "--rebuild-index` writes a new index"
                               : ", which are no complete entity: nothing is replayed"));
  } else if (unnamed.entities > 0) {
    warn("the index '" + paths.index + "' has " + std::to_string(reader_->size()) +
         (reader_->size() == 1 ? " record" : " records") + "; the last " + bytes + " of '" +
         paths.entities + "', with " + std::to_string(unnamed.entities) +
         (unnamed.entities == 1 ? " entity" : " entities") +
         ", are in none of them and are not replayed: move the index away, then `gxr replay-info "
         "--rebuild-index` writes a new one");
  } else {
    owner_.context().log(LogLevel::Info, owner_,
                         "the last " + bytes + " of '" + paths.entities +
                             "' are no complete entity and are not replayed");
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
      warn_of_damage(error.message());
    }
    return {};
  }
}

void Playback::warn_of_damage(const std::string& text) {
  if (damages_++ < kMostWarnings) {
    ++told_;
    warn(text + "; left out");
  }
}

void Playback::tell_others() {
  if (const std::uint64_t others = damages_ - std::exchange(told_, damages_); others > 0) {
    warn(std::to_string(others) +
         (others == 1 ? " more damaged entity was" : " more damaged entities were") + " left out");
  }
}

void Playback::rewind() {
  tell_others();
  position_ = 0;
  found_any_ = false;
}

void Playback::close() {
  tell_others();
  reader_.reset();
}

void Playback::finish() {
  tell_others();
  if (reader_->size() > 0 && !found_any_) {
    warn("no entity of the recording could be read");
  }
}

void Playback::warn(const std::string& text) const {
  owner_.context().log(LogLevel::Warn, owner_, text);
}

}  // namespace gxr::serialization
