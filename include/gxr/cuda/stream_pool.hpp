#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/cuda/green_context.hpp"
#include "gxr/device_runtime.hpp"

namespace gxr::cuda {

/// The stream of a codelet whose pool has none left.
enum class WhenPoolEmpty : std::uint8_t {
  Error,  ///< none: its tick fails
  Input,  ///< for this tick that of its first message, if that has device work on the pool's GPU;
          ///< else its tick fails
};

}  // namespace gxr::cuda

template <>
struct gxr::EnumNames<gxr::cuda::WhenPoolEmpty> {
  static constexpr std::pair<gxr::cuda::WhenPoolEmpty, const char*> values[] = {
      {gxr::cuda::WhenPoolEmpty::Error, "error"},
      {gxr::cuda::WhenPoolEmpty::Input, "input"},
  };
};

namespace gxr::cuda {

/// Hands out CUDA streams of one GPU, each to one user at a time. Thread-safe.
class GXR_API CudaStreamPool final : public Allocator {
 public:
  CudaStreamPool();
  ~CudaStreamPool() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;

  /// A warning at the end of the run names whose call took a stream that has not come back then.
  /// Throws Error(NotAvailable) when `max_size` streams are out.
  DeviceStream& acquire();
  /// The same, but nullptr when `max_size` streams are out.
  DeviceStream* try_acquire();
  /// Does a codelet work on the stream of its message when no stream is left (`when_empty`)?
  [[nodiscard]] bool falls_back() const { return *when_empty_ == WhenPoolEmpty::Input; }
  /// Takes back what acquire() gave; its work need not be done.
  void release(DeviceStream& stream) noexcept;
  /// Whom it serves besides those that name it.
  [[nodiscard]] PoolServes serves() const { return *serves_; }
  /// Number of the GPU.
  [[nodiscard]] int device() const;

  /// A pool of streams gives no memory: these fail, and nothing is available.
  void* allocate(std::size_t size, MemoryStorageType storage) override;
  void free(void* pointer) override;
  [[nodiscard]] bool is_available(std::size_t) const override { return false; }

 private:
  /// A stream in use, and the component whose call took it.
  struct Lent {
    DeviceStream* stream;
    std::string_view entity;  // of the application's graph; empty for a thread outside of calls
    std::string_view component;
    std::string_view type;
  };
  void warn_of_lent() const;
  [[nodiscard]] std::uint32_t most() const;

  Parameter<std::int32_t> dev_id_;
  Parameter<std::uint32_t> stream_flags_;
  Parameter<std::int32_t> stream_priority_;
  Parameter<std::uint32_t> reserved_size_;
  Parameter<std::uint32_t> max_size_;
  Parameter<WhenPoolEmpty> when_empty_;
  Parameter<PoolServes> serves_;
  Parameter<Handle<CudaGreenContext>> cuda_green_context_;
  Parameter<std::string> nvtx_identifier_;  // without effect

  StreamOptions options_;
  std::mutex mutex_;
  std::vector<DeviceStream*> free_;
  std::vector<Lent> out_;
  bool closed_ = false;  // deinitialize() ran: streams that come back go at once
};

}  // namespace gxr::cuda
