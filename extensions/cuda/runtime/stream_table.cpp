#include "stream_table.hpp"

#include <algorithm>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "partition.hpp"

namespace gxr::cuda {
namespace {

/// The priority within what the current device has.
int clipped_priority(int priority) {
  int least = 0;
  int greatest = 0;
  cuda_check("cudaDeviceGetStreamPriorityRange",
             cudaDeviceGetStreamPriorityRange(&least, &greatest));
  return std::clamp(priority, greatest, least);
}

cudaStream_t make_stream(const StreamOptions& options) {
  const DeviceGuard guard(options.device);
  const int priority = clipped_priority(options.priority);
  if (options.partition != nullptr) {
    return static_cast<GreenContext*>(options.partition)->make_stream(priority);
  }
  cudaStream_t stream = nullptr;
  const unsigned flags = options.blocking ? cudaStreamDefault : cudaStreamNonBlocking;
  cuda_check("cudaStreamCreateWithPriority",
             cudaStreamCreateWithPriority(&stream, flags, priority));
  return stream;
}

}  // namespace

DeviceStream& StreamTable::acquire(const StreamOptions& options) {
  if (RuntimeStream* const idle = take_idle(options); idle != nullptr) {
    return *idle;
  }
  OwnedStream made(make_stream(options));
  const std::lock_guard lock(mutex_);
  RuntimeStream& stream = object_for(std::move(made), options);
  by_handle_.emplace(stream.handle(), &stream);
  return stream;
}

RuntimeStream* StreamTable::take_idle(const StreamOptions& options) {
  const std::lock_guard lock(mutex_);
  const auto idle = std::ranges::find_if(
      idle_, [&](const RuntimeStream* stream) { return stream->options() == options; });
  if (idle == idle_.end()) {
    return nullptr;
  }
  RuntimeStream* const stream = *idle;
  idle_.erase(idle);
  return stream;
}

/// An object whose stream went with its partition, or a new one. Call with mutex_ held.
RuntimeStream& StreamTable::object_for(OwnedStream stream, const StreamOptions& options) {
  const auto unused = std::ranges::find_if(streams_, [&](const auto& known) {
    return options.partition != nullptr && known->is_retired() && known->device() == options.device;
  });
  if (unused != streams_.end()) {
    (*unused)->revive(std::move(stream), options);
    return **unused;
  }
  idle_.reserve(streams_.size() + 1);  // so that release() needs no memory
  streams_.push_back(std::make_unique<RuntimeStream>(std::move(stream), options));
  return *streams_.back();
}

void StreamTable::release(DeviceStream& stream) noexcept {
  auto& mine = static_cast<RuntimeStream&>(stream);
  const std::lock_guard lock(mutex_);
  if (!mine.is_retired()) {
    idle_.push_back(&mine);
  }
}

DeviceStream* StreamTable::find(CUstream_st* handle) const noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = by_handle_.find(handle);
  return found != by_handle_.end() ? found->second : nullptr;
}

std::vector<RuntimeStream*> StreamTable::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<RuntimeStream*> all;
  for (const auto& stream : streams_) {
    all.push_back(stream.get());
  }
  return all;
}

void StreamTable::retire(const DevicePartition& partition) noexcept {
  std::vector<RuntimeStream*> gone;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& stream : streams_) {
      if (stream->options().partition == &partition && !stream->is_retired()) {
        by_handle_.erase(stream->handle());
        std::erase(idle_, stream.get());
        gone.push_back(stream.get());
      }
    }
  }
  for (RuntimeStream* stream : gone) {
    stream->retire();
  }
}

void StreamTable::forget_user(const std::string* who) noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& stream : streams_) {
    stream->forget_user(who);
  }
}

std::string StreamTable::users() const {
  std::vector<const std::string*> users;
  const std::lock_guard lock(mutex_);
  for (const auto& stream : streams_) {
    for (const std::string* user : stream->recent_users()) {
      if (std::ranges::find(users, user) == users.end()) {
        users.push_back(user);
      }
    }
  }
  std::string text;
  for (const std::string* user : users) {
    text += (text.empty() ? "'" : " or '") + *user + "'";
  }
  return text;
}

}  // namespace gxr::cuda
