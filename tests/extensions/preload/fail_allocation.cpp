// Replaces operator new: that number GXR_FAIL_ALLOCATION of the process throws std::bad_alloc. The
// number of all is written to the file that GXR_COUNT_ALLOCATIONS names, when the process ends.

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations{0};

struct Counter {
  long fails = -1;
  const char* file = std::getenv("GXR_COUNT_ALLOCATIONS");

  Counter() {
    if (const char* const number = std::getenv("GXR_FAIL_ALLOCATION")) {
      fails = std::atol(number);
    }
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  ~Counter() {
    if (std::FILE* const out = file != nullptr ? std::fopen(file, "we") : nullptr) {
      std::fprintf(out, "%ld\n", allocations.load());
      std::fclose(out);
    }
  }
};

bool fails_now() {
  static const Counter counter;
  return ++allocations == counter.fails;
}

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = fails_now() ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return fails_now() ? nullptr : std::malloc(size == 0 ? 1 : size);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
