#include "recording/file_claim.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "document/utf8.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

struct Claims {
  std::mutex mutex;
  std::vector<const FileClaim*> all;
};

Claims& claims() {
  static Claims instance;
  return instance;
}

std::string called(const std::string& user) {
  return user.empty() ? "something in this program" : quote_text(user);
}

}  // namespace

FileClaim::FileClaim(const FileStream& file, Use use, std::string user)
    : file_(file.identity()), use_(use), path_(file.path()), user_(std::move(user)) {
  auto& [mutex, all] = claims();
  const std::lock_guard lock(mutex);
  for (const FileClaim* other : all) {
    const bool writes = use == Use::Write || other->use_ == Use::Write;
    if (writes && file_.is_regular && other->file_ == file_) {
      throw Error(ErrorCode::InvalidParameter, conflict_with(*other));
    }
  }
  require_of_other_processes(file);
  all.push_back(this);
}

FileClaim::~FileClaim() {
  auto& [mutex, all] = claims();
  const std::lock_guard lock(mutex);
  std::erase(all, this);
}

/// Whoever reads what another process records finds the entities that are complete.
void FileClaim::require_of_other_processes(const FileStream& file) {
  const bool writes = use_ == Use::Write;
  if (!file_.is_regular || file.lock(writes)) {
    return;
  }
  is_written_elsewhere_ = true;
  if (writes) {
    throw Error(ErrorCode::InvalidState,
                called(user_) + " would overwrite the recording " + quote_text(path_) +
                    ", which another process records or replays: give one of them another "
                    "directory or basename, or wait until it has ended");
  }
}

std::string FileClaim::conflict_with(const FileClaim& other) const {
  const FileClaim& writer = use_ == Use::Write ? *this : other;
  const FileClaim& second = use_ == Use::Write ? other : *this;
  return called(writer.user_) + " would overwrite the recording " + quote_text(second.path_) +
         ", which " + called(second.user_) +
         (second.use_ == Use::Read ? " replays" : " records, too") +
         ": give one of them another directory or basename";
}

}  // namespace gxr
