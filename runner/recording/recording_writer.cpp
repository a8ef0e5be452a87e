#include <algorithm>
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

constexpr std::uint64_t kLongestDelay = 100'000'000;  // ns that an entity may stay in our memory

std::uint64_t wall_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

std::string file_path(const std::string& directory, const std::string& basename) {
  const bool separate = !directory.empty() && directory.back() != '/';
  return directory + (separate ? "/" : "") + basename;
}

}  // namespace

RecordingPaths::RecordingPaths(const std::string& directory, const std::string& basename)
    : index(file_path(directory, basename) + ".gxf_index"),
      entities(file_path(directory, basename) + ".gxf_entities") {}

/// The data file as an endpoint.
class RecordingWriter::Sink final : public Endpoint {
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
  FileStream& file = data_->file;
  const std::uint64_t start = file.position();
  try {
    serializer.serialize(message, *data_);
  } catch (...) {
    drop_from(start);
    throw;
  }
  const std::uint64_t now = wall_clock();
  const auto source = static_cast<std::uint64_t>(message.source_time());
  IndexRecord record;
  record.log_time = log_time == LogTime::Source && source != 0 ? source : now;
  record.data_size = file.position() - start;
  record.data_offset = start;
  const auto bytes = encode(record);
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  ++entities_;
  if (file.handed_over() == file.position() || now - last_flush_ > kLongestDelay) {
    last_flush_ = now;
    flush();
  }
}

/// Empties the files, the index first, so that it never names what is not there.
void RecordingWriter::drop_old() {
  if (!std::exchange(begun_, true)) {
    index_->drop_content();
    data_->file.drop_content();
  }
}

void RecordingWriter::flush() {
  drop_old();
  try {
    data_->file.flush();
  } catch (...) {
    drop_from(data_->file.position());
    throw;
  }
  write_index();
}

void RecordingWriter::write_index() {
  if (pending_.empty()) {
    return;
  }
  const std::vector<std::byte> records = std::exchange(pending_, {});
  try {
    index_->write(records.data(), records.size());
    index_->flush();
  } catch (...) {
    const std::uint64_t written = index_->position();
    index_->truncate(written - written % IndexRecord::kSize);
    throw;
  }
}

/// Forgets everything from `position` on; what lies before the end of the data and is complete
/// stays. After a failed write the data may end before `position`.
void RecordingWriter::drop_from(std::uint64_t position) noexcept {
  FileStream& file = data_->file;
  std::uint64_t end = std::min(position, file.position());
  while (!pending_.empty()) {
    const IndexRecord last =
        decode_index_record(pending_.data() + pending_.size() - IndexRecord::kSize);
    if (last.data_offset + last.data_size <= end) {
      end = last.data_offset + last.data_size;
      break;
    }
    pending_.resize(pending_.size() - IndexRecord::kSize);
    --entities_;
    end = std::min(end, last.data_offset);
  }
  try {
    file.truncate(end);
  } catch (const Error&) {  // readers ignore what no index record names
  }
}

void RecordingWriter::close() {
  if (data_ == nullptr) {
    return;
  }
  flush();
  data_->file.close();
  index_->close();
  index_claim_ = nullptr;
  data_ = nullptr;
  index_ = nullptr;
}

}  // namespace gxr
