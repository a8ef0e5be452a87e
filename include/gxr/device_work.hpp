#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gxr/export.hpp"

// What cudaStream_t points to; CUDA's own name, so that no CUDA header is needed here.
struct CUstream_st;

namespace gxr {

class DeviceStream;

/// The work that a stream had been given up to some moment. A null stream: no work.
struct DeviceWork {
  DeviceStream* stream = nullptr;  ///< null: no work
  std::uint64_t number = 0;        ///< of the last piece of work; the stream counts them

  /// Is there work?
  explicit operator bool() const noexcept { return stream != nullptr; }
};

/// Waits on the host; see DeviceUsers::finish_on_host().
[[nodiscard]] GXR_API bool finish_on_host(const DeviceWork& work) noexcept;

/// A CUDA stream of the process, owned by its DeviceRuntime. An object is never destroyed: when its
/// stream is handed back and handed out again, numbers go on, so that DeviceWork that somebody
/// kept stays right. Thread-safe.
///
/// Functions that ask the driver throw Error(Device) when it refuses.
class GXR_API DeviceStream {
 public:
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;

  /// The cudaStream_t.
  [[nodiscard]] CUstream_st* handle() const noexcept { return handle_; }
  /// Number of its GPU, as CUDA counts.
  [[nodiscard]] int device() const noexcept { return device_; }

  /// Is it like the streams that codelets get without a pool: of usual priority, all SMs, and not
  /// waiting for the legacy default stream? Only such streams are taken over.
  [[nodiscard]] bool is_plain() const noexcept { return plain_; }

  /// All work given to the stream so far. Does not ask the driver.
  DeviceWork mark() noexcept { return {this, given_.fetch_add(1, std::memory_order_acq_rel) + 1}; }
  /// Is this work done, as far as is known without asking the driver?
  [[nodiscard]] bool is_known_done(std::uint64_t number) const noexcept {
    return number <= known_done();
  }
  /// All work up to this one is; the driver may know of more.
  [[nodiscard]] std::uint64_t known_done() const noexcept {
    return done_.load(std::memory_order_acquire);
  }
  /// Records an event now, for those who will wait for the last mark: without it they wait for
  /// what the stream is given until they ask, too.
  virtual void record() = 0;
  /// Work that this stream is given from now on begins after `work`. The caller does not wait.
  virtual void wait_for(const DeviceWork& work) = 0;
  /// Asks the driver.
  virtual bool is_done(std::uint64_t number) = 0;
  /// Returns when the work is done. Throws Error(Device) when the device was given up; see
  /// DeviceRuntime::give_up().
  virtual void wait_on_host(std::uint64_t number) = 0;

  /// Says whose work follows, to be named when the device fails. `who` must stay until
  /// forget_user().
  void note_user(const std::string* who) noexcept;
  /// Ends note_user() for `who`.
  void forget_user(const std::string* who) noexcept;
  /// Those whose work may not be done, each once; 16 of them at most.
  [[nodiscard]] std::vector<const std::string*> recent_users() const;

 protected:
  /// `handle` stays with the caller; `plain`: see is_plain().
  DeviceStream(CUstream_st* handle, int device, bool plain) noexcept
      : handle_(handle), device_(device), plain_(plain) {}
  virtual ~DeviceStream();

  /// Number of the last work that mark() counted.
  [[nodiscard]] std::uint64_t given() const noexcept {
    return given_.load(std::memory_order_acquire);
  }
  /// Work up to this number is done.
  void set_done(std::uint64_t number) noexcept;
  /// For an object without a stream, whose work is all done: it stands for this one from now on.
  void take_over(CUstream_st* handle) noexcept { handle_ = handle; }

 private:
  CUstream_st* handle_;
  int device_;
  bool plain_;
  std::atomic<std::uint64_t> given_{0};
  std::atomic<std::uint64_t> done_{0};

  struct Use {
    std::atomic<const std::string*> who{nullptr};
    std::atomic<std::uint64_t> after{0};  // number of the work before it
  };
  std::array<Use, 16> uses_;
  std::atomic<std::uint32_t> next_use_{0};
};

/// The streams whose work uses some memory: that may be used for something else when all that
/// they have been given until then is done. Thread-safe but for moves and clear().
class GXR_API DeviceUsers {
 public:
  DeviceUsers() noexcept = default;
  /// The other object has no streams afterwards.
  DeviceUsers(DeviceUsers&& other) noexcept;
  /// Likewise; the streams that this object had are forgotten.
  DeviceUsers& operator=(DeviceUsers&& other) noexcept;
  ~DeviceUsers();

  /// Each stream is kept once.
  void add(DeviceStream& stream);
  /// Is there no stream?
  [[nodiscard]] bool empty() const noexcept {
    return streams_[0].load(std::memory_order_acquire) == nullptr;
  }
  /// Calls `use(DeviceStream&)` for each.
  template <class F>
  void for_each(F&& use) const {
    for (const auto& stream : streams_) {
      if (DeviceStream* const user = stream.load(std::memory_order_acquire); user != nullptr) {
        use(*user);
      }
    }
    if (further_.load(std::memory_order_acquire) != nullptr) {
      for (DeviceStream* user : further()) {
        use(*user);
      }
    }
  }
  /// Calls `use(DeviceStream&)` for each and, once, for the stream of the tick that runs on this
  /// thread: whoever gives memory back in a tick may have used it there.
  template <class F>
  void for_each_with_tick(F&& use) const;
  /// Forgets all streams.
  void clear() noexcept;
  /// Returns when the work that all of them have been given so far is done.
  void wait_on_host() const;
  /// The same for who is to let go of memory: a device that has failed works on nothing. False: one
  /// was given up that may still use the memory, so nobody may have it again.
  [[nodiscard]] bool finish_on_host() const noexcept;

 private:
  struct Further;
  [[nodiscard]] std::vector<DeviceStream*> further() const;

  std::array<std::atomic<DeviceStream*>, 3> streams_{};
  std::atomic<Further*> further_{nullptr};  // beyond three
};

/// The stream of the tick that runs on this thread, to which memory is given without waiting for
/// those who used it before; nullptr outside of ticks with device work. See gxr::cuda::Streams.
GXR_API DeviceStream* current_device_stream() noexcept;

template <class F>
void DeviceUsers::for_each_with_tick(F&& use) const {
  DeviceStream* giver = current_device_stream();
  for_each([&](DeviceStream& user) {
    giver = &user == giver ? nullptr : giver;
    use(user);
  });
  if (giver != nullptr) {
    use(*giver);
  }
}

}  // namespace gxr
