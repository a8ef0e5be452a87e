#pragma once

#include <mutex>
#include <set>

#include "gxr/error.hpp"
#include "gxr/queue.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {

/// receiver.sync(), whose errors name the receiver.
inline void sync_receiver(Receiver& receiver) {
  try {
    receiver.sync();
  } catch (const Error& error) {
    throw Error(error.code(), "receiver '" + receiver.full_name() + "': " + error.message());
  }
}

/// What an executor does when a receiver with policy 2 gets more messages than it holds while they
/// move to its main stage: the error ends the run, or with `--compat gxf` it is a warning, the
/// first time for each receiver, as in GXF 5.7. What has no room stays on the back stage. Any
/// thread.
class OverfullReceivers {
 public:
  explicit OverfullReceivers(bool compat_gxf) noexcept : compat_gxf_(compat_gxf) {}

  /// Calls `sync`, which syncs `receiver`.
  template <class Sync>
  void guard(Receiver& receiver, Sync&& sync) {
    try {
      sync();
    } catch (const Error& error) {
      if (!compat_gxf_ || error.code() != ErrorCode::Overflow ||
          EngineAccess::ring(receiver) == nullptr) {
        throw;
      }
      warn(receiver, error);
    }
  }
  /// sync_receiver(), guarded.
  void sync(Receiver& receiver) {
    guard(receiver, [&receiver] { sync_receiver(receiver); });
  }

 private:
  void warn(const Receiver& receiver, const Error& error) {
    const std::lock_guard lock(mutex_);
    if (warned_.insert(&receiver).second) {
      receiver.context().log(LogLevel::Warn, receiver,
                             error.message() + "; the newest ones wait behind it");
    }
  }

  const bool compat_gxf_;
  std::mutex mutex_;  // guards warned_
  std::set<const Receiver*> warned_;
};

}  // namespace gxr
