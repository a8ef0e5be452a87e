#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gxr/export.hpp"
#include "gxr/message.hpp"
#include "gxr/serialization/endpoint.hpp"
#include "gxr/serialization/entity_serializer.hpp"
#include "gxr/serialization/record_format.hpp"

namespace gxr {

class FileClaim;  // these two are of the engine
class FileStream;

/// The two files of a recording.
struct RecordingPaths {
  std::string index;     ///< DIRECTORY/BASENAME.gxf_index
  std::string entities;  ///< DIRECTORY/BASENAME.gxf_entities

  /// The files of BASENAME in DIRECTORY; looks at nothing.
  GXR_API RecordingPaths(const std::string& directory, const std::string& basename);
};

/// What the index record of an entity says of time.
enum class LogTime : std::uint8_t {
  Now,     ///< the wall clock after the entity was written
  Source,  ///< the message's source time; the wall clock when it is unknown (0)
};
template <>
struct EnumNames<LogTime> {
  static constexpr std::pair<LogTime, const char*> values[] = {{LogTime::Now, "now"},
                                                               {LogTime::Source, "source"}};
};

/// Writes a recording. Every write() hands the entity to the operating system and then the index
/// record that names it, so a recording whose writer was killed has all entities whose write()
/// returned. One thread at a time.
class GXR_API RecordingWriter {
 public:
  /// Opens both files, or makes them; the folder must exist. The first write() or close() drops
  /// their old contents. `user` is how messages call the component that records. Throws
  /// Error(InputOutput), and Error(InvalidParameter) when the same program reads or writes the
  /// files already.
  explicit RecordingWriter(const RecordingPaths& paths, const std::string& user = {});
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;
  /// Closes the files, without a word when that fails: call close() first. Files to which nothing
  /// was written stay as they were.
  ~RecordingWriter();

  /// Appends one message. Whatever is thrown (a full disk is Error(InputOutput) with the file's
  /// name), the files hold the complete entities before it.
  void write(const Message& message, EntitySerializer& serializer, LogTime log_time);
  /// Closes the files; those to which nothing was written are empty then. Throws
  /// Error(InputOutput). No write() may follow.
  void close();
  /// Messages written so far.
  [[nodiscard]] std::uint64_t entities() const noexcept { return entities_; }

 private:
  class Sink;

  void drop_old();
  void write_record(std::uint64_t start, const Message& message, LogTime log_time);

  std::unique_ptr<Sink> data_;
  std::unique_ptr<FileStream> index_;
  std::unique_ptr<FileClaim> index_claim_;
  bool begun_ = false;  // what the files held before is dropped
  std::uint64_t entities_ = 0;
};

/// Reads a recording by its index, entity by entity, in any order. One thread at a time.
class GXR_API RecordingReader {
 public:
  /// `user` is how messages call the component that reads. Throws Error(NotFound) or
  /// Error(InputOutput) with the path, and Error(InvalidParameter) when the same program writes the
  /// files.
  explicit RecordingReader(const RecordingPaths& paths, const std::string& user = {});
  RecordingReader(const RecordingReader&) = delete;
  RecordingReader& operator=(const RecordingReader&) = delete;
  ~RecordingReader();

  /// Complete records of the index.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Did another process write the recording when this opened it? Later writes of that process
  /// are not seen.
  [[nodiscard]] bool is_being_written() const noexcept;
  /// Bytes of a torn record at the end of the index: its writer was killed. Such a record is not
  /// used. 0 while the recording is written.
  [[nodiscard]] std::size_t torn_bytes() const noexcept { return torn_bytes_; }
  /// Bytes of the data file.
  [[nodiscard]] std::uint64_t data_bytes() const noexcept;
  /// Data behind the last entity that the index names: its writer was killed, or the index was
  /// shortened. None while the recording is written.
  struct Unnamed {
    std::uint64_t bytes = 0;     ///< behind the last entity that the index names
    std::uint64_t entities = 0;  ///< complete ones among them
  };
  /// Looks through the index, and the data behind. Throws Error(InputOutput).
  [[nodiscard]] Unnamed unnamed();
  /// Throws Error(InputOutput).
  [[nodiscard]] IndexRecord record(std::uint64_t entity);
  /// The message, with the record's log time as its source time. Throws Error(InvalidData) that
  /// names file, entity and offset when the entity is damaged; the others can still be read.
  Message read(std::uint64_t entity, EntitySerializer& serializer);
  /// An endpoint that reads the bytes of one entity and ends there; valid until the next call.
  /// Throws as read().
  Endpoint& open(std::uint64_t entity);
  /// "FILE: entity 3 at offset 230400: TEXT"
  [[nodiscard]] std::string place(std::uint64_t entity, const std::string& text);

 private:
  class Window;

  std::string entities_path_;
  std::unique_ptr<FileStream> index_;
  std::unique_ptr<Window> window_;  // on the data file
  std::uint64_t size_ = 0;
  std::size_t torn_bytes_ = 0;
  std::vector<std::byte> cached_;  // records from cached_first_ on
  std::uint64_t cached_first_ = 0;
};

}  // namespace gxr
