#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gxr/gxr.hpp"
#include "gxr/serialization/recording.hpp"

namespace gxr::serialization {

/// What EntityReplayer and VideoStreamReplayer have in common: a recording that is read entity by
/// entity, damaged ones left out when the user says so.
class Playback {
 public:
  /// Who reads, for the log and for the name of the recording.
  explicit Playback(const Codelet& owner) noexcept : owner_(owner) {}

  /// Opens the recording; `basename` left out means the owner's name.
  void open(const std::string& directory, const std::optional<std::string>& basename);
  void close();

  /// Records of the recording.
  [[nodiscard]] std::uint64_t size() const { return reader_->size(); }
  [[nodiscard]] bool at_end() const { return position_ >= reader_->size(); }
  /// Index record that the next read() takes. Precondition: not at_end().
  [[nodiscard]] IndexRecord next_record() { return reader_->record(position_); }
  /// Goes back to the first entity. Damaged ones that were warned of are not warned of again.
  void rewind();
  /// read() gave a message since open() or rewind().
  [[nodiscard]] bool found_any() const noexcept { return found_any_; }
  /// To call when the replay ends: warns of a recording of which nothing could be read.
  void finish();
  [[nodiscard]] RecordingReader& reader() noexcept { return *reader_; }

  /// The next message. A damaged one is an error, or, with `ignore_corrupted`, a null message and,
  /// the first time, a warning. From the eleventh damaged one on they are only counted; one warning
  /// tells the number. Precondition: not at_end().
  Message read(EntitySerializer& serializer, bool ignore_corrupted);

 private:
  void warn(const std::string& text) const;
  void warn_of_unnamed(const RecordingPaths& paths);
  void warn_of_damage(const std::string& text);
  /// Tells how many damaged entities were left out without a warning of their own.
  void tell_others();

  const Codelet& owner_;
  std::optional<RecordingReader> reader_;
  std::uint64_t position_ = 0;
  std::uint64_t seen_ = 0;     // entities, from the first on, that were read or warned of
  std::uint64_t damages_ = 0;  // entities that were left out
  std::uint64_t told_ = 0;     // of those, the ones that the log knows of
  bool found_any_ = false;
};

}  // namespace gxr::serialization
