#include <chrono>
#include <string>
#include <utility>

#include <fcntl.h>

#include "gxr/error.hpp"
#include "gxr/serialization/recording.hpp"
#include "recording/file_claim.hpp"
#include "recording/file_stream.hpp"

namespace gxr {
namespace {

std::uint64_t wall_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

std::string file_path(const std::string& directory, const std::string& basename) {
  const bool separate = !directory.empty() && directory.back() != '/';
  return directory + (separate ? "/" : "") + basename;
}

/// What cannot be dropped, readers ignore.
void drop_from(FileStream& file, std::uint64_t position) noexcept {
  try {
    file.truncate(position);
  } catch (const Error&) {  // a device, for one
  }
}

}  // namespace

RecordingPaths::RecordingPaths(const std::string& directory, const std::string& basename)
    : index(file_path(directory, basename) + ".gxf_index"),
      entities(file_path(directory, basename) + ".gxf_entities") {}

/// The data file as an endpoint.
class [[gnu::visibility("hidden")]] RecordingWriter::Sink final : public Endpoint {
 public:
  Sink(const std::string& path, const std::string& user)
      : file(path, O_WRONLY | O_CREAT), claim(file, FileClaim::Use::Write, user) {}
  void write(const void* data, std::size_t size) override { file.write(data, size); }
  std::size_t read(void*, std::size_t) override { return 0; }
  [[nodiscard]] std::uint64_t readable() const override { return 0; }

  FileStream file;
  FileClaim claim;
};

RecordingWriter::RecordingWriter(const RecordingPaths& paths, const std::string& user)
    : data_(std::make_unique<Sink>(paths.entities, user)),
      index_(std::make_unique<FileStream>(paths.index, O_WRONLY | O_CREAT)),
      index_claim_(std::make_unique<FileClaim>(*index_, FileClaim::Use::Write, user)) {}

RecordingWriter::~RecordingWriter() {
  try {
    if (begun_) {
      close();
    }
  } catch (const Error&) {  // said in the contract
  }
}

void RecordingWriter::write(const Message& message, EntitySerializer& serializer,
                            LogTime log_time) {
  drop_old();
  const std::uint64_t start = data_->file.position();
  try {
    serializer.serialize(message, *data_);
    data_->file.flush();
    write_record(start, message, log_time);
  } catch (...) {
    drop_from(data_->file, start);
    throw;
  }
  ++entities_;
}

/// Empties the files, the index first, so that it never names what is not there.
void RecordingWriter::drop_old() {
  if (!std::exchange(begun_, true)) {
    index_->drop_content();
    data_->file.drop_content();
  }
}

/// Writes the index record of the entity from `start` to the end of the data, or nothing.
void RecordingWriter::write_record(std::uint64_t start, const Message& message, LogTime log_time) {
  const auto source = static_cast<std::uint64_t>(message.source_time());
  IndexRecord record;
  record.log_time = log_time == LogTime::Source && source != 0 ? source : wall_clock();
  record.data_size = data_->file.position() - start;
  record.data_offset = start;
  const auto bytes = encode(record);
  const std::uint64_t end = index_->position();
  try {
    index_->write(bytes.data(), bytes.size());
    index_->flush();
  } catch (...) {
    drop_from(*index_, end);
    throw;
  }
}

void RecordingWriter::close() {
  if (data_ == nullptr) {
    return;
  }
  drop_old();
  data_->file.close();
  index_->close();
  index_claim_ = nullptr;
  data_ = nullptr;
  index_ = nullptr;
}

}  // namespace gxr
