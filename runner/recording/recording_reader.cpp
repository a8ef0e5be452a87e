#include <algorithm>
#include <new>
#include <utility>

#include <fcntl.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/serialization/recording.hpp"
#include "recording/entity_scan.hpp"
#include "recording/file_claim.hpp"
#include "recording/file_stream.hpp"

namespace gxr {
namespace {

constexpr std::uint64_t kRecordsAtOnce = 4096;
constexpr std::uint64_t kLargeEntity = std::uint64_t{32} << 10U;
constexpr std::size_t kHeadersAhead = std::size_t{1} << 10U;
constexpr std::size_t kEntitiesAhead = std::size_t{256} << 10U;

/// Says how to get an index where only that is missing.
std::unique_ptr<FileStream> open_index(const RecordingPaths& paths) {
  try {
    return std::make_unique<FileStream>(paths.index, O_RDONLY);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::NotFound && has_entity(paths.entities)) {
      throw Error(ErrorCode::NotFound,
                  error.message() + ": `gxr replay-info --rebuild-index` writes a new index");
    }
    throw;
  }
}

}  // namespace

/// Reads one entity of the data file and ends with it; has the claims to both files.
class [[gnu::visibility("hidden")]] RecordingReader::Window final : public Endpoint {
 public:
  Window(const std::string& path, const FileStream& index, const std::string& user)
      : file_(path, O_RDONLY),
        claim_(file_, FileClaim::Use::Read, user),
        index_claim_(index, FileClaim::Use::Read, user) {}

  [[nodiscard]] bool is_written_elsewhere() const noexcept { return claim_.is_written_elsewhere(); }
  /// The reader does not see later writes.
  void take_size() { file_size_ = file_.size(); }

  void place(const IndexRecord& record) {
    // The elements of large tensors go straight to their place; small entities come many at once.
    file_.read_ahead(record.data_size >= kLargeEntity ? kHeadersAhead : kEntitiesAhead);
    file_.seek(record.data_offset);
    left_ = record.data_size;
  }

  void write(const void*, std::size_t) override {
    throw Error(ErrorCode::InvalidState, "a recording that is read cannot be written to");
  }
  std::size_t read(void* data, std::size_t size) override {
    const std::size_t got = file_.read(data, std::min<std::uint64_t>(size, left_));
    left_ -= got;
    return got;
  }
  [[nodiscard]] std::uint64_t readable() const override { return left_; }
  [[nodiscard]] std::uint64_t file_size() const noexcept { return file_size_; }
  /// The next place() begins anew.
  [[nodiscard]] FileStream& file() noexcept { return file_; }

 private:
  FileStream file_;
  FileClaim claim_;
  FileClaim index_claim_;
  std::uint64_t file_size_ = 0;
  std::uint64_t left_ = 0;
};

RecordingReader::RecordingReader(const RecordingPaths& paths, const std::string& user)
    : entities_path_(paths.entities),
      index_(open_index(paths)),
      window_(std::make_unique<Window>(paths.entities, *index_, user)) {
  const std::uint64_t bytes = index_->size();
  window_->take_size();  // behind that of the index: a writer writes the data first
  size_ = bytes / IndexRecord::kSize;
  torn_bytes_ = is_being_written() ? 0 : bytes % IndexRecord::kSize;
}

RecordingReader::~RecordingReader() = default;

std::uint64_t RecordingReader::data_bytes() const noexcept { return window_->file_size(); }

bool RecordingReader::is_being_written() const noexcept { return window_->is_written_elsewhere(); }

RecordingReader::Unnamed RecordingReader::unnamed() {
  if (is_being_written()) {
    return {};
  }
  const auto end_of = [this](std::uint64_t entity) {
    const IndexRecord last = record(entity);
    std::uint64_t end = 0;
    const bool fits = !__builtin_add_overflow(last.data_offset, last.data_size, &end);
    return fits ? std::min(end, data_bytes()) : data_bytes();
  };
  std::uint64_t end = size_ > 0 ? end_of(size_ - 1) : 0;
  for (std::uint64_t i = 0; i < size_ && end < data_bytes(); ++i) {
    end = std::max(end, end_of(i));  // in another order than usual
  }
  Unnamed found{data_bytes() - end, 0};
  if (found.bytes > 0) {
    scan_entities(window_->file(), end, [&](const FoundEntity&) { ++found.entities; });
  }
  return found;
}

IndexRecord RecordingReader::record(std::uint64_t entity) {
  const bool cached =
      entity >= cached_first_ && entity - cached_first_ < cached_.size() / IndexRecord::kSize;
  if (!cached) {
    const std::uint64_t count = std::min(kRecordsAtOnce, size_ - std::min(size_, entity));
    cached_.resize(count * IndexRecord::kSize);
    cached_first_ = entity;
    index_->seek(entity * IndexRecord::kSize);
    const std::size_t got = index_->read(cached_.data(), cached_.size());
    cached_.resize(got - got % IndexRecord::kSize);
    if (cached_.empty()) {
      throw Error(ErrorCode::InputOutput, quote_text(index_->path()) + " has no record " +
                                              std::to_string(entity) + ": it was shortened");
    }
  }
  return decode_index_record(cached_.data() + (entity - cached_first_) * IndexRecord::kSize);
}

std::string RecordingReader::place(std::uint64_t entity, const std::string& text) {
  return quote_text(entities_path_) + ": entity " + std::to_string(entity) + " at offset " +
         std::to_string(record(entity).data_offset) + ": " + text;
}

Endpoint& RecordingReader::open(std::uint64_t entity) {
  const IndexRecord wanted = record(entity);
  const std::uint64_t bytes = data_bytes();
  if (wanted.data_size > bytes || wanted.data_offset > bytes - wanted.data_size) {
    throw Error(ErrorCode::InvalidData, place(entity, "its " + std::to_string(wanted.data_size) +
                                                          " bytes end beyond the file, which has " +
                                                          std::to_string(bytes) + " bytes"));
  }
  window_->place(wanted);
  return *window_;
}

Message RecordingReader::read(std::uint64_t entity, EntitySerializer& serializer) {
  Endpoint& endpoint = open(entity);
  Message message;
  try {
    message = serializer.deserialize(endpoint);
  } catch (const Error& error) {
    throw Error(error.code(), place(entity, error.message()));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::OutOfMemory, place(entity, "there is not enough memory for it"));
  }
  if (endpoint.readable() > 0) {
    throw Error(ErrorCode::InvalidData,
                place(entity, std::to_string(endpoint.readable()) +
                                  " bytes are left over behind its last component"));
  }
  message.set_source_time(static_cast<std::int64_t>(record(entity).log_time));
  return message;
}

}  // namespace gxr
