#include "mock_allocator.hpp"

#include <cstdlib>
#include <limits>
#include <string>

namespace gxr::testing {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

void* system_memory(std::size_t size) noexcept {
  if (size > kNoLimit - kAlignment) {
    return nullptr;
  }
  const std::size_t blocks = size / kAlignment + 1;
  return std::aligned_alloc(kAlignment, blocks * kAlignment);
}

}  // namespace

MockAllocator::~MockAllocator() {
  for (const auto& [pointer, piece] : out_) {
    std::free(pointer);
  }
}

void MockAllocator::declare(Interface& interface) {
  interface
      .parameter(ignore_memory_leak_, "ignore_memory_leak",
                 "Whether memory may still be in use after the run")
      .default_value(false);
  interface.parameter(fail_on_free_, "fail_on_free", "Whether giving memory back fails")
      .default_value(false);
  interface.parameter(max_block_size_, "max_block_size", "Greatest size of one piece")
      .optional()
      .unit("bytes");
  interface
      .parameter(max_host_allocation_, "max_host_allocation",
                 "Greatest sum of host memory (storage type 0) in use")
      .optional()
      .unit("bytes");
  interface
      .parameter(max_device_allocation_, "max_device_allocation",
                 "Greatest sum of device memory (storage type 1) in use")
      .optional()
      .unit("bytes");
  interface
      .parameter(max_system_allocation_, "max_system_allocation",
                 "Greatest sum of system memory (storage type 2) in use")
      .optional()
      .unit("bytes");
}

void MockAllocator::initialize() {
  const std::lock_guard lock(mutex_);
  if (!out_.empty()) {
    throw Error(ErrorCode::InvalidState, "initialized again while memory is in use");
  }
}

void MockAllocator::deinitialize() {
  const std::lock_guard lock(mutex_);
  if (out_.empty() || *ignore_memory_leak_) {
    return;
  }
  throw Error(std::to_string(out_.size()) +
              (out_.size() == 1 ? " piece of memory was" : " pieces of memory were") +
              " never given back (" + std::to_string(taken_[0] + taken_[1] + taken_[2]) +
              " bytes); `ignore_memory_leak: true` allows that");
}

const Parameter<std::size_t>& MockAllocator::limit(std::size_t storage) const noexcept {
  return storage == 0   ? max_host_allocation_
         : storage == 1 ? max_device_allocation_
                        : max_system_allocation_;
}

std::size_t MockAllocator::left(std::size_t storage) const {
  const std::size_t most = limit(storage).try_get().value_or(kNoLimit);
  return most - taken_[storage];
}

void* MockAllocator::allocate(std::size_t size, MemoryStorageType storage) {
  const auto type = static_cast<std::size_t>(storage);
  if (type >= kTypes) {
    throw Error(ErrorCode::InvalidArgument,
                "'" + full_name() + "' was asked for memory of an unknown storage type");
  }
  if (size > max_block_size_.try_get().value_or(kNoLimit)) {
    throw Error(ErrorCode::InvalidArgument,
                "'" + full_name() + "' was asked for " + std::to_string(size) +
                    " bytes, max_block_size is " + std::to_string(*max_block_size_));
  }
  const std::lock_guard lock(mutex_);
  if (size > left(type)) {
    throw Error(ErrorCode::OutOfMemory,
                "'" + full_name() + "' was asked for " + std::to_string(size) + " bytes of " +
                    to_string(storage) + " memory, " + std::to_string(left(type)) + " of max_" +
                    to_string(storage) + "_allocation are left");
  }
  void* pointer = system_memory(size);
  if (pointer == nullptr) {
    throw Error(ErrorCode::OutOfMemory,
                "'" + full_name() + "': the system has no " + std::to_string(size) + " bytes");
  }
  out_.emplace(pointer, Piece{size, type});
  taken_[type] += size;
  return pointer;
}

void MockAllocator::free(void* pointer) {
  if (pointer == nullptr) {
    return;
  }
  if (*fail_on_free_) {
    throw Error("fails because of its parameter 'fail_on_free'");
  }
  {
    const std::lock_guard lock(mutex_);
    const auto piece = out_.find(pointer);
    if (piece == out_.end()) {
      throw Error(ErrorCode::InvalidArgument,
                  "'" + full_name() + "' was given back memory that is not in use");
    }
    taken_[piece->second.storage] -= piece->second.size;
    out_.erase(piece);
  }
  std::free(pointer);
  announce_free();
}

bool MockAllocator::is_available(std::size_t size) const {
  if (size > max_block_size_.try_get().value_or(kNoLimit)) {
    return false;
  }
  const std::lock_guard lock(mutex_);
  return size <= left(0) || size <= left(1) || size <= left(2);
}

}  // namespace gxr::testing
