#include "gxr/allocator.hpp"

#include <algorithm>
#include <exception>

#include "gxr/error.hpp"
#include "runtime/allocator_memory.hpp"

namespace gxr {

const char* to_string(MemoryStorageType storage) noexcept {
  switch (storage) {
    case MemoryStorageType::Host:
      return "host";
    case MemoryStorageType::Device:
      return "device";
    case MemoryStorageType::System:
      return "system";
  }
  return "unknown";
}

Allocator::~Allocator() = default;

void Allocator::release(void* allocator, void* pointer) noexcept {
  auto& self = *static_cast<Allocator*>(allocator);
  try {
    self.free(pointer);
  } catch (const std::exception& error) {
    self.context().log(LogLevel::Error, self, error.what());
  }
}

void Allocator::watch(const Component& term) {
  const std::lock_guard lock(watchers_mutex_);
  watchers_.push_back(&term);
  is_watched_.store(true, std::memory_order_release);
}

void Allocator::unwatch(const Component& term) {
  const std::lock_guard lock(watchers_mutex_);
  watchers_.erase(std::remove(watchers_.begin(), watchers_.end(), &term), watchers_.end());
  is_watched_.store(!watchers_.empty(), std::memory_order_release);
}

void Allocator::announce_free() {
  if (!is_watched_.load(std::memory_order_acquire)) {
    return;
  }
  // The lock keeps the watchers alive: a component that goes waits for it in unwatch().
  const std::lock_guard lock(watchers_mutex_);
  for (const Component* watcher : watchers_) {
    watcher->context().notify(*watcher);
  }
}

void* allocate_system_memory(std::size_t size) noexcept {
  std::size_t rounded = 0;
  if (__builtin_add_overflow(size == 0 ? 1 : size, kMemoryAlignment - 1, &rounded)) {
    return nullptr;
  }
  return std::aligned_alloc(kMemoryAlignment, rounded / kMemoryAlignment * kMemoryAlignment);
}

void require_system_storage(const Component& allocator, MemoryStorageType storage,
                            std::once_flag& warned) {
  if (storage == MemoryStorageType::System) {
    return;
  }
  if (storage == MemoryStorageType::Host || storage == MemoryStorageType::Device) {
    if (allocator.context().compat_gxf()) {
      std::call_once(warned, [&] {
        allocator.context().log(LogLevel::Warn, allocator,
                                std::string("gives system memory where ") + to_string(storage) +
                                    " memory is asked for: this run has no CUDA extension");
      });
      return;
    }
    throw Error(ErrorCode::NotSupported,
                "'" + allocator.full_name() + "' was asked for " + to_string(storage) +
                    " memory, which needs the CUDA extension; without it ask for system memory "
                    "(storage type 2)");
  }
  throw Error(ErrorCode::InvalidArgument,
              "'" + allocator.full_name() + "' was asked for memory of the unknown storage type " +
                  std::to_string(static_cast<std::int32_t>(storage)) +
                  "; there are 0 (host), 1 (device) and 2 (system)");
}

void throw_foreign_pointer(const Component& allocator) {
  throw Error(ErrorCode::InvalidArgument,
              "'" + allocator.full_name() +
                  "' was given back memory that is not in use: it comes from elsewhere, or was "
                  "already given back");
}

}  // namespace gxr
