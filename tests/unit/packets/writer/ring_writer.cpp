// ring_writer NAME FRAMES: a process that is no gxr fills the ring of that name: FRAMES frames,
// each with its number (8 bytes) and 4 whole numbers, which are the same; then ends it. It waits
// for room.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gxr/cuda/ring.hpp>

namespace {

constexpr std::chrono::milliseconds kPause{1};
constexpr int kElements = 4;

struct Frame {
  std::uint64_t number = 0;
  std::int32_t elements[kElements] = {};
};

[[noreturn]] void fail(const std::string& text) {
  std::fprintf(stderr, "ring_writer: %s\n", text.c_str());
  std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    fail("two arguments are needed: NAME FRAMES");
  }
  const std::string name = std::string("/") + arguments[1];
  int file = -1;
  struct stat facts {};
  while (true) {
    file = ::shm_open(name.c_str(), O_RDWR, 0);
    // Others know by the lock that somebody uses it. Waits while it is made.
    if (file >= 0 && ::flock(file, LOCK_SH) == 0 && ::fstat(file, &facts) == 0 &&
        facts.st_size > 0) {
      break;
    }
    ::close(file);
    std::this_thread::sleep_for(kPause);  // the application makes it
  }
  const auto bytes = static_cast<std::uint64_t>(facts.st_size);
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    fail("no memory");
  }
  gxr::cuda::RingView ring;
  if (const char* const reason = gxr::cuda::open_ring(memory, bytes, ring)) {
    fail(reason);
  }
  gxr::cuda::RingWriter writer(ring);
  const std::uint64_t frames = std::strtoull(arguments[2], nullptr, 10);
  for (std::uint64_t i = 0; i < frames;) {
    if (writer.room() == 0) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    Frame frame{i, {}};
    for (std::int32_t& element : frame.elements) {
      element = static_cast<std::int32_t>(i) + 1;
    }
    writer.write(&frame, sizeof frame, 0);
    ++i;
  }
  writer.end();
  // The last one removes it.
  ::flock(file, LOCK_UN);
  if (::flock(file, LOCK_EX | LOCK_NB) == 0 && ::fstat(file, &facts) == 0 && facts.st_nlink > 0) {
    ::shm_unlink(name.c_str());
  }
}
