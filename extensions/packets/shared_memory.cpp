#include "packets/shared_memory.hpp"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::cuda {
namespace {

constexpr std::uint64_t kHugePage = 2U << 20U;
constexpr mode_t kUserOnly = S_IRUSR | S_IWUSR;
constexpr std::size_t kLongestName = 250;
constexpr int kTries = 1000;
constexpr std::chrono::milliseconds kPause{1};

[[noreturn]] void fail(const std::string& text, int error) {
  throw Error(error == ENOMEM || error == ENOSPC ? ErrorCode::OutOfMemory : ErrorCode::InputOutput,
              text + ": " + system_error_text(error));
}

std::string checked_name(const std::string& name) {
  if (name.empty()) {
    return {};
  }
  const bool is_plain =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
      std::string::npos;
  if (!is_plain || name.front() == '.' || name.size() > kLongestName) {
    throw Error(ErrorCode::InvalidParameter,
                "'name' has 1 to " + std::to_string(kLongestName) +
                    " letters, digits, '-', '_' and '.', and does not begin with '.'");
  }
  return "/" + name;
}

}  // namespace

RingMemory::RingMemory(const std::string& name, std::uint32_t slots, std::uint32_t frame_bytes)
    : name_(checked_name(name)) {
  bytes_ = ring_bytes(slots, frame_bytes);
  if (is_shared()) {
    open_shared(slots, frame_bytes);
  } else {
    map_own();
    ring_ = make_ring(memory_, slots, frame_bytes);
  }
}

RingMemory::~RingMemory() {
  unmap();
  if (!file_) {
    return;
  }
  // Of several that leave at the same time, the last one gets the lock for one alone.
  ::flock(file_.descriptor(), LOCK_UN);
  if (::flock(file_.descriptor(), LOCK_EX | LOCK_NB) == 0 && still_exists()) {
    ::shm_unlink(name_.c_str());
  }
}

void RingMemory::refuse(const std::string& reason) const {
  throw Error(ErrorCode::Incompatible, "shared memory '" + name_.substr(1) + "': " + reason +
                                           "; choose another 'name', or remove /dev/shm" + name_);
}

void RingMemory::map(int file) {
  memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  if (memory_ == MAP_FAILED) {
    memory_ = nullptr;
    fail("no memory for a ring of " + std::to_string(bytes_) + " bytes", errno);
  }
}

/// In huge pages where the system gives them: a thread that goes through all slots of a large ring
/// needs the addresses of more small pages than any cache holds.
void RingMemory::map_own() {
  const std::uint64_t room = bytes_ + kHugePage;
  void* const all =
      ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) {
    fail("no memory for a ring of " + std::to_string(bytes_) + " bytes", errno);
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(all);
  const std::uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t end = (first + bytes_ + page - 1) / page * page;
  if (first > begin) {
    ::munmap(all, first - begin);
  }
  if (begin + room > end) {
    ::munmap(reinterpret_cast<void*>(end), begin + room - end);
  }
  memory_ = reinterpret_cast<void*>(first);
  static_cast<void>(::madvise(memory_, bytes_, MADV_HUGEPAGE));
  std::memset(memory_, 0, bytes_);  // takes the pages now, not when packets come
}

void RingMemory::unmap() noexcept {
  if (memory_ != nullptr) {
    ::munmap(memory_, bytes_);
    memory_ = nullptr;
  }
}

void RingMemory::open_shared(std::uint32_t slots, std::uint32_t frame_bytes) {
  for (int i = 0; i < kTries; ++i) {
    file_ = OpenFile(::shm_open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kUserOnly));
    if (!file_) {
      fail("shared memory '" + name_.substr(1) + "'", errno);
    }
    struct stat facts {};
    if (::fstat(file_.descriptor(), &facts) != 0 || facts.st_uid != ::geteuid()) {
      refuse("it belongs to another user");
    }
    if (::flock(file_.descriptor(), LOCK_EX | LOCK_NB) == 0) {
      make_shared(slots, frame_bytes);
    }
    // Gives up the lock for one alone, if it has that.
    if (::flock(file_.descriptor(), LOCK_SH) != 0) {
      fail("shared memory '" + name_.substr(1) + "'", errno);
    }
    if (is_made()) {
      check_shared(slots, frame_bytes);
      return;
    }
    file_ = OpenFile(-1);  // lets the lock go, so that one of them makes it
    std::this_thread::sleep_for(kPause);
  }
  refuse("other processes make and remove it all the time");
}

/// Not so while another process was quicker to lock a new file.
bool RingMemory::is_made() const {
  struct stat facts {};
  return ::fstat(file_.descriptor(), &facts) == 0 && facts.st_nlink > 0 && facts.st_size > 0;
}

bool RingMemory::still_exists() const {
  struct stat facts {};
  return ::fstat(file_.descriptor(), &facts) == 0 && facts.st_nlink > 0;
}

/// Nobody else uses it: what is in it was left behind, by whatever program.
void RingMemory::make_shared(std::uint32_t slots, std::uint32_t frame_bytes) {
  struct stat facts {};
  if (::fstat(file_.descriptor(), &facts) != 0) {
    fail("shared memory '" + name_.substr(1) + "'", errno);
  }
  if (facts.st_size > 0) {
    std::uint64_t magic = 0;
    if (::pread(file_.descriptor(), &magic, sizeof magic, 0) != sizeof magic ||
        (magic != kRingMagic && magic != 0)) {
      refuse("it is no ring of packets");
    }
  }
  if (::ftruncate(file_.descriptor(), 0) != 0 ||
      ::ftruncate(file_.descriptor(), static_cast<off_t>(bytes_)) != 0) {
    fail("shared memory '" + name_.substr(1) + "' of " + std::to_string(bytes_) + " bytes", errno);
  }
  // Takes the pages now: a page that is missing later would be a SIGBUS.
  if (const int error = ::posix_fallocate(file_.descriptor(), 0, static_cast<off_t>(bytes_))) {
    fail("shared memory '" + name_.substr(1) + "' of " + std::to_string(bytes_) + " bytes", error);
  }
  map(file_.descriptor());
  make_ring(memory_, slots, frame_bytes);
  unmap();
}

void RingMemory::check_shared(std::uint32_t slots, std::uint32_t frame_bytes) {
  struct stat facts {};
  if (::fstat(file_.descriptor(), &facts) != 0) {
    fail("shared memory '" + name_.substr(1) + "'", errno);
  }
  if (static_cast<std::uint64_t>(facts.st_size) < sizeof(RingHeader)) {
    refuse("it is too small for the header of a ring");
  }
  const std::uint64_t wanted = bytes_;
  bytes_ = static_cast<std::uint64_t>(facts.st_size);
  map(file_.descriptor());
  if (const char* const reason = open_ring(memory_, bytes_, ring_)) {
    unmap();
    refuse(reason);
  }
  if (ring_.slots != slots || ring_.frame_bytes != frame_bytes) {
    const std::string there = std::to_string(ring_.slots) + " slots for frames of " +
                              std::to_string(ring_.frame_bytes) + " bytes";
    unmap();
    bytes_ = wanted;
    throw Error(ErrorCode::Incompatible,
                "shared memory '" + name_.substr(1) + "': its ring has " + there + ", not " +
                    std::to_string(slots) + " for " + std::to_string(frame_bytes) +
                    "; both sides need the same 'slots' and 'frame_bytes'");
  }
}

}  // namespace gxr::cuda
