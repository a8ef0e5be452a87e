#include "gxr/allocator.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "observe/exception_text.hpp"
#include "sdk/allocator_memory.hpp"

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
    self.context().log(LogLevel::Error, self, exception_text(error));
  }
}

void Allocator::free_after(void* pointer, const DeviceUsers& users) {
  users.wait_on_host();
  free(pointer);
}

void Allocator::release_after(Allocator& allocator, void* pointer,
                              const DeviceUsers& users) noexcept {
  try {
    allocator.free_after(pointer, users);
  } catch (const Error& error) {
    // That a device has failed is said once, by the run.
    const bool known = error.code() == ErrorCode::Device;
    allocator.context().log(known ? LogLevel::Debug : LogLevel::Error, allocator,
                            exception_text(error));
  } catch (const std::exception& error) {
    allocator.context().log(LogLevel::Error, allocator, exception_text(error));
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

void declare_plain_host_memory(Interface& interface, Parameter<bool>& parameter) {
  interface
      .parameter(parameter, "do_not_use_cuda_malloc_host",
                 "Whether host memory is plain memory of the system",
                 "A parameter of GXF 2. true: storage type 0 is served as storage type 2 and needs "
                 "no GPU. false: it is page-locked.")
      .default_value(false);
}

MemoryStorageType host_storage(MemoryStorageType storage, const Parameter<bool>& parameter) {
  return storage == MemoryStorageType::Host && parameter.try_get().value_or(false)
             ? MemoryStorageType::System
             : storage;
}

MemoryStorageType expected_storage(const Component& allocator, MemoryStorageType storage) noexcept {
  const bool falls_back = allocator.context().compat_gxf() && DeviceRuntime::find() == nullptr;
  return falls_back ? MemoryStorageType::System : storage;
}

MemoryStorageType usable_storage(const Component& allocator, MemoryStorageType storage,
                                 std::atomic<bool>& warned) {
  if (storage == MemoryStorageType::System) {
    return storage;
  }
  if (storage != MemoryStorageType::Host && storage != MemoryStorageType::Device) {
    throw Error(ErrorCode::InvalidArgument,
                "'" + allocator.full_name() +
                    "' was asked for memory of the unknown storage type " +
                    std::to_string(static_cast<std::int32_t>(storage)) +
                    "; there are 0 (host), 1 (device) and 2 (system)");
  }
  if (DeviceRuntime::find() != nullptr) {
    return storage;
  }
  if (!allocator.context().compat_gxf()) {
    throw Error(ErrorCode::NotSupported,
                "'" + allocator.full_name() + "' was asked for " + to_string(storage) +
                    " memory; without a GPU there is system memory only (storage type 2): " +
                    DeviceRuntime::why_none());
  }
  if (!warned.exchange(true)) {
    allocator.context().log(LogLevel::Warn, allocator,
                            std::string("gives system memory where ") + to_string(storage) +
                                " memory is asked for: there is no GPU that this run can use");
  }
  return MemoryStorageType::System;
}

namespace {

struct Holders {
  std::mutex mutex;
  std::vector<const Allocator*> allocators;
};

Holders& holders() {
  static Holders all;
  return all;
}

}  // namespace

DeviceMemoryHolder::DeviceMemoryHolder(const Allocator& allocator) : allocator_(&allocator) {
  const std::lock_guard lock(holders().mutex);
  holders().allocators.push_back(allocator_);
}

DeviceMemoryHolder::~DeviceMemoryHolder() {
  const std::lock_guard lock(holders().mutex);
  std::erase(holders().allocators, allocator_);
}

void throw_out_of_device_memory(const Allocator& allocator, std::size_t bytes, int device) {
  DeviceRuntime& runtime = DeviceRuntime::get();
  const DeviceMemoryInfo info = runtime.memory_info(device);
  std::string text = "'" + allocator.full_name() + "': GPU " + std::to_string(device) + " (" +
                     runtime.device_name(device) + ") has no " + std::to_string(bytes) +
                     " bytes; " + std::to_string(info.free) + " of " + std::to_string(info.total) +
                     " bytes are free";
  const std::lock_guard lock(holders().mutex);
  const char* separator = ". Held here: ";
  for (const Allocator* holder : holders().allocators) {
    if (const std::size_t held = holder->device_bytes(); held > 0) {
      text += std::exchange(separator, ", ") + ("'" + holder->full_name() + "' ") +
              std::to_string(held) + " bytes";
    }
  }
  throw Error(ErrorCode::OutOfMemory, std::move(text));
}

void throw_out_of_host_memory(const Allocator& allocator, std::size_t bytes) {
  throw Error(ErrorCode::OutOfMemory, "'" + allocator.full_name() + "': the system has no " +
                                          std::to_string(bytes) + " bytes of page-locked memory");
}

void throw_foreign_pointer(const Component& allocator) {
  throw Error(ErrorCode::InvalidArgument,
              "'" + allocator.full_name() +
                  "' was given back memory that is not in use: it comes from elsewhere, or was "
                  "already given back");
}

}  // namespace gxr
