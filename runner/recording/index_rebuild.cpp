#include "recording/index_rebuild.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"
#include "recording/entity_scan.hpp"
#include "recording/file_claim.hpp"
#include "recording/file_stream.hpp"

namespace gxr {
namespace {

constexpr double kSecond = 1e9;

/// Of a file that is there, in ns since 1970.
std::int64_t last_written(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return 0;
  }
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

/// Of an entity that comes `left` entities before the last one.
std::int64_t spaced(std::int64_t last, std::uint64_t left, double rate) {
  const double before = static_cast<double>(left) * kSecond / rate;
  return before < static_cast<double>(last) ? last - std::llround(before) : 0;
}

[[noreturn]] void refuse(const std::string& path, std::uint64_t bytes) {
  throw Error(
      ErrorCode::InvalidState,
      quote_text(path) + " has " + std::to_string(bytes) +
          " bytes, and an index that is not empty is never overwritten: move it away first");
}

[[noreturn]] void fail(const char* what, const std::string& path, int error) {
  throw Error(ErrorCode::InputOutput,
              std::string(what) + " " + quote_text(path) + ": " + system_error_text(error));
}

/// Where the new index goes. As long as it lives, no other process that locks the old one has it.
class IndexPlace {
 public:
  IndexPlace(std::string path, const std::string& user) : path_(std::move(path)) {
    std::error_code unknown;
    const auto kind = std::filesystem::symlink_status(path_, unknown).type();
    if (kind == std::filesystem::file_type::not_found) {
      return;
    }
    if (kind == std::filesystem::file_type::symlink && !std::filesystem::exists(path_, unknown)) {
      throw Error(ErrorCode::InvalidState, quote_text(path_) +
                                               " is a symbolic link to a file that does not exist: "
                                               "remove the link first");
    }
    old_ = std::make_unique<FileStream>(path_, O_WRONLY);  // follows nobody else's link
    claim_ = std::make_unique<FileClaim>(*old_, FileClaim::Use::Write, user);
    require_empty();
    target_ = std::filesystem::canonical(path_, unknown).string();
    if (unknown || !is_old(target_)) {
      throw_changed();
    }
  }

  /// The file to write: where the links lead.
  [[nodiscard]] const std::string& target() const { return old_ == nullptr ? path_ : target_; }
  /// Throws Error when there is content that the new index would replace.
  void require_empty() const {
    if (old_ == nullptr) {
      if (struct stat status{}; ::lstat(path_.c_str(), &status) == 0) {
        refuse(path_, static_cast<std::uint64_t>(status.st_size));
      }
      return;
    }
    if (!old_->identity().is_regular) {
      throw Error(ErrorCode::InvalidState, quote_text(path_) + " is not a regular file");
    }
    if (old_->size() >= IndexRecord::kSize) {
      refuse(path_, old_->size());
    }
    if (!target_.empty() && !is_old(target_)) {
      throw_changed();
    }
  }
  /// The new file belongs to whom the old one does, and has its permissions.
  void give_owner_and_mode(int file) const {
    if (struct stat status{}; old_ != nullptr && ::stat(target_.c_str(), &status) == 0) {
      if (::fchown(file, status.st_uid, status.st_gid) != 0) {
        return;  // only root may give files away
      }
      static_cast<void>(::fchmod(file, status.st_mode & 0777U));
    }
  }

 private:
  [[nodiscard]] bool is_old(const std::string& path) const {
    struct stat status {};
    const FileStream::Identity old = old_->identity();
    return ::lstat(path.c_str(), &status) == 0 && status.st_dev == old.device &&
           status.st_ino == old.number;
  }
  [[noreturn]] void throw_changed() const {
    throw Error(ErrorCode::InvalidState,
                "another process replaced " + quote_text(path_) + " meanwhile");
  }

  std::string path_;
  std::string target_;
  std::unique_ptr<FileStream> old_;  // none: there was no index
  std::unique_ptr<FileClaim> claim_;
};

constexpr const char* kSayRate = ": say with --rate how many entities come per second";

/// Counts the entities, and looks whether each has a time, and not all the same.
RebuiltIndex look_through(FileStream& data, bool needs_times) {
  RebuiltIndex found;
  std::optional<std::int64_t> first;
  bool differs = false;
  const ScanEnd end = scan_entities(data, 0, [&](const FoundEntity& entity) {
    if (needs_times && !entity.time) {
      throw Error(ErrorCode::InvalidParameter,
                  quote_text(data.path()) + ": entity " + std::to_string(found.entities) +
                      " has no Timestamp that tells its time" + kSayRate);
    }
    first = first ? first : entity.time;
    differs = differs || entity.time != first;
    ++found.entities;
  });
  found.left_over = data.size() - end.offset;
  found.problem = end.problem;
  if (found.entities == 0) {
    throw Error(ErrorCode::InvalidData,
                quote_text(data.path()) + " has no complete entity" +
                    (end.problem.empty() ? std::string() : ": " + end.problem));
  }
  if (needs_times && found.entities > 1 && !differs) {
    throw Error(
        ErrorCode::InvalidParameter,
        quote_text(data.path()) + ": the Timestamps of all entities are the same" + kSayRate);
  }
  return found;
}

/// A recorder locks the data alone. The claim to read lets that pass, because its entities can be
/// read meanwhile; an index for them would be wrong at once.
void require_no_writer(const FileStream& data) {
  if (!data.lock(false)) {
    throw Error(ErrorCode::InvalidState,
                "another process writes " + quote_text(data.path()) +
                    ": its index can be rebuilt when that process has ended");
  }
}

/// The record of each of the first `count` entities.
void write_records(FileStream& data, std::FILE* index, const std::string& index_path,
                   std::uint64_t count, std::optional<double> rate) {
  const std::int64_t end = last_written(data.path());
  std::uint64_t number = 0;
  scan_entities(data, 0, [&](const FoundEntity& entity) {
    if (++number > count) {
      return;  // somebody still writes the data, without a lock
    }
    const std::int64_t time = rate ? spaced(end, count - number, *rate) : entity.time.value_or(0);
    const auto bytes =
        encode(IndexRecord{static_cast<std::uint64_t>(time), entity.size, entity.offset});
    if (std::fwrite(bytes.data(), 1, bytes.size(), index) != bytes.size()) {
      fail("cannot write", index_path, errno);
    }
  });
}

}  // namespace

RebuiltIndex rebuild_index(const RecordingPaths& paths, std::optional<double> rate) {
  const std::string user = "gxr replay-info";
  FileStream data(paths.entities, O_RDONLY | O_NONBLOCK);
  const FileClaim claim(data, FileClaim::Use::Read, user);
  require_no_writer(data);
  const IndexPlace place(paths.index, user);
  const RebuiltIndex found = look_through(data, !rate);
  // Under another name until it is complete: an interruption leaves what was there.
  FileReplacement replacement(place.target());
  if (!replacement.file()) {
    fail("cannot create", paths.index, replacement.file().error());
  }
  place.give_owner_and_mode(replacement.file().descriptor());
  StdioFile index = replacement.file().stream("wb");
  if (index == nullptr) {
    fail("cannot create", paths.index, replacement.file().error());
  }
  write_records(data, index.get(), paths.index, found.entities, rate);
  if (std::fclose(index.release()) != 0) {
    fail("cannot write", paths.index, errno);
  }
  place.require_empty();  // somebody may have written it meanwhile
  if (const int error = replacement.commit(); error != 0) {
    fail("cannot write", paths.index, error);
  }
  return found;
}

}  // namespace gxr
