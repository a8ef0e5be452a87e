#include "gxr/cuda/stream_pool.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "gxr/cuda/green_context.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "observe/call_site.hpp"

namespace gxr::cuda {

CudaStreamPool::CudaStreamPool() = default;
CudaStreamPool::~CudaStreamPool() = default;

void CudaStreamPool::declare(Interface& interface) {
  interface
      .parameter(dev_id_, "dev_id", "Number of the GPU, as CUDA counts",
                 "Left out: that of the entity's GPUDevice, else 0; the ranks of a host use its GPUs in "
                 "turn.")
      .optional()
      .minimum(0);
  interface
      .parameter(stream_flags_, "stream_flags", "How the streams are made",
                 "The flags of cudaStreamCreateWithPriority: 0 is a stream that waits for the "
                 "default stream, 1 one that does not.")
      .default_value(1)
      .choices({{"0", "waits for the default stream"}, {"1", "does not wait for it"}});
  interface
      .parameter(stream_priority_, "stream_priority", "Priority of the streams",
                 "Lower numbers come first; the range depends on the device.")
      .default_value(0);
  interface.parameter(reserved_size_, "reserved_size", "Streams that are made at the start")
      .default_value(1)
      .unit("streams");
  interface
      .parameter(max_size_, "max_size", "Streams at most", "0: no limit. At least reserved_size.")
      .default_value(0)
      .unit("streams");
  interface
      .parameter(when_empty_, "when_empty",
                 "The stream of a codelet when max_size streams are in use",
                 "error: none, its tick fails. input: for this tick, the stream of the first message "
                 "that it receives, if that has device work on the pool's GPU.")
      .default_value(WhenPoolEmpty::Error);
  interface
      .parameter(serves_, "serves", "Which codelets without a stream pool of their own it serves",
                 "named: none. group: those of its entity group that name no stream pool and no "
                 "green context. application: all such codelets that no pool of their group serves.")
      .default_value(PoolServes::Named);
  interface
      .parameter(cuda_green_context_, "cuda_green_context",
                 "The part of the GPU whose SMs the streams use", "Left out: all SMs.")
      .optional();
  interface
      .parameter(nvtx_identifier_, "nvtx_identifier", "Accepted for GXF's files, no effect in gxr",
                 "GXF's name of the pool in profilers.")
      .default_value("");
}

void CudaStreamPool::initialize() {
  DeviceRuntime& runtime = DeviceRuntime::get();
  closed_ = false;
  options_ = {};
  options_.device = device();
  options_.blocking = *stream_flags_ == 0;
  options_.priority = *stream_priority_;
  if (cuda_green_context_.has_value()) {
    options_.partition = &cuda_green_context_->partition();
    if (dev_id_.has_value() && *dev_id_ != options_.partition->device()) {
      throw Error(ErrorCode::InvalidParameter, "parameter 'dev_id' is " + std::to_string(*dev_id_) +
                                                   ", but the green context is on GPU " +
                                                   std::to_string(options_.partition->device()));
    }
  }
  runtime.use_device(options_.device);
  try {
    for (std::uint32_t i = 0; i < *reserved_size_; ++i) {
      free_.push_back(&runtime.acquire_stream(options_));
    }
  } catch (...) {
    deinitialize();
    throw;
  }
}

int CudaStreamPool::device() const {
  if (cuda_green_context_.has_value()) {
    return cuda_green_context_->device();
  }
  return dev_id_.has_value() ? *dev_id_ : context().device_id(*this);
}

void CudaStreamPool::deinitialize() {
  const std::lock_guard lock(mutex_);
  for (DeviceStream* stream : free_) {
    DeviceRuntime::get().release_stream(*stream);
  }
  free_.clear();
  closed_ = true;
  warn_of_lent();
}

/// Names their number and the takers.
void CudaStreamPool::warn_of_lent() const {
  if (out_.empty()) {
    return;
  }
  std::map<std::string, std::size_t> users;
  for (const Lent& lent : out_) {
    const std::string_view name = lent.component.empty() ? lent.type : lent.component;
    ++users[lent.entity.empty() ? "a thread outside of ticks"
                                : "'" + std::string(lent.entity) + "/" + std::string(name) + "'"];
  }
  std::string text;
  for (const auto& [user, count] : users) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " taken by " + user;
  }
  log_warning(std::to_string(out_.size()) + (out_.size() == 1 ? " stream is" : " streams are") +
              " still in use: " + text);
}

std::uint32_t CudaStreamPool::most() const {
  return *max_size_ == 0 ? 0 : std::max<std::uint32_t>(*max_size_, *reserved_size_);
}

DeviceStream& CudaStreamPool::acquire() {
  DeviceStream* const stream = try_acquire();
  if (stream == nullptr) {
    throw Error(ErrorCode::NotAvailable,
                "'" + full_name() + "': " +
                    (most() == 1 ? "its only stream is"
                                 : "each of its " + std::to_string(most()) + " streams is") +
                    " in use; raise max_size");
  }
  return *stream;
}

DeviceStream* CudaStreamPool::try_acquire() {
  const std::lock_guard lock(mutex_);
  const CallSite* const site = current_call_site();
  const auto lend = [&](DeviceStream& stream) {
    out_.push_back(site != nullptr ? Lent{&stream, site->entity, site->component, site->type}
                                   : Lent{&stream, {}, {}, {}});
    return &stream;
  };
  out_.reserve(out_.size() + 1);
  if (!free_.empty()) {
    DeviceStream* const stream = free_.back();
    free_.pop_back();
    return lend(*stream);
  }
  if (most() != 0 && out_.size() >= most()) {
    return nullptr;
  }
  return lend(DeviceRuntime::get().acquire_stream(options_));
}

void CudaStreamPool::release(DeviceStream& stream) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase_if(out_, [&](const Lent& lent) { return lent.stream == &stream; });
  if (closed_) {
    DeviceRuntime::get().release_stream(stream);
    return;
  }
  try {
    free_.push_back(&stream);
  } catch (const std::bad_alloc&) {
    DeviceRuntime::get().release_stream(stream);
  }
}

void* CudaStreamPool::allocate(std::size_t, MemoryStorageType) {
  throw Error(ErrorCode::NotSupported, "'" + full_name() + "' gives streams, not memory");
}

void CudaStreamPool::free(void*) {
  throw Error(ErrorCode::NotSupported, "'" + full_name() + "' gives streams, not memory");
}

}  // namespace gxr::cuda
