#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "gxr/device_runtime.hpp"
#include "owned.hpp"
#include "stream.hpp"

namespace gxr::cuda {

/// The streams of the process: made when none that fits is idle, and kept. Thread-safe.
class StreamTable {
 public:
  /// On a device that is there.
  DeviceStream& acquire(const StreamOptions& options);
  void release(DeviceStream& stream) noexcept;
  /// nullptr: it is not gxr's.
  [[nodiscard]] DeviceStream* find(CUstream_st* handle) const noexcept;
  [[nodiscard]] std::vector<RuntimeStream*> all() const;
  /// Gives up all streams of a partition.
  void retire(const DevicePartition& partition) noexcept;
  /// See DeviceWorkInFlight.
  void forget_user(const std::string* who) noexcept;
  [[nodiscard]] std::string users() const;

 private:
  [[nodiscard]] RuntimeStream* take_idle(const StreamOptions& options);
  RuntimeStream& object_for(OwnedStream stream, const StreamOptions& options);

  // Nothing else is locked and CUDA is not asked while it is held, because an error is described
  // under it.
  mutable std::mutex mutex_;  // guards the members below
  std::vector<std::unique_ptr<RuntimeStream>> streams_;
  std::vector<RuntimeStream*> idle_;
  std::unordered_map<CUstream_st*, RuntimeStream*> by_handle_;
};

}  // namespace gxr::cuda
