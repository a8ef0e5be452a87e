#include "runtime.hpp"

#include <algorithm>
#include <cstring>

#include <nvtx3/nvToolsExt.h>

#include "capture_watch.hpp"
#include "cuda_call.hpp"
#include "device/device_interface.hpp"
#include "device_guard.hpp"
#include "driver.hpp"
#include "graph.hpp"
#include "gxr/error.hpp"
#include "internal_api.hpp"
#include "loop.hpp"
#include "partition.hpp"

namespace gxr::cuda {
namespace {

std::string text_of(const char* call, cudaError_t error) {
  return std::string(call) + ": " + cudaGetErrorName(error) + " (" +
         std::to_string(static_cast<int>(error)) + "), " + cudaGetErrorString(error);
}

int count_devices() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    throw Error(ErrorCode::NotSupported, text_of("cudaGetDeviceCount", result));
  }
  return count;
}

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

std::array<std::byte, 16> uuid_of(int device) {
  cudaDeviceProp properties{};
  cuda_check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
  std::array<std::byte, 16> uuid{};
  static_assert(sizeof(properties.uuid) == sizeof(uuid));
  std::memcpy(uuid.data(), &properties.uuid, sizeof(uuid));
  return uuid;
}

/// While it lives, calls of this thread do not end captures of other threads.
class AnyCaptureGoesOn {
 public:
  AnyCaptureGoesOn() { exchange(); }
  AnyCaptureGoesOn(const AnyCaptureGoesOn&) = delete;
  AnyCaptureGoesOn& operator=(const AnyCaptureGoesOn&) = delete;
  ~AnyCaptureGoesOn() { exchange(); }

 private:
  void exchange() noexcept { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace

bool is_sticky(cudaError_t error) noexcept {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorExternalDevice:
      return true;
    default:
      return false;
  }
}

void throw_cuda_error(const char* call, cudaError_t error) {
  std::string text = text_of(call, error);
  static_cast<void>(cudaGetLastError());
  if (is_sticky(error)) {
    text += "; the GPU's work has failed";
    if (const std::string users = runtime().users_of_unfinished_work(); !users.empty()) {
      text += ", most likely that of " + users;
    }
  }
  if (error == cudaErrorStreamCaptureImplicit) {
    text +=
        "; work was put on the legacy default stream (stream 0), which --check-streams forbids: "
        "give kernels and copies the stream that the codelet has from streams.stream()";
  }
  throw Error(ErrorCode::Device, std::move(text));
}

Runtime::Runtime() : devices_(count_devices()) {}
Runtime::~Runtime() = default;

void Runtime::require_device(int device) const {
  if (device < 0 || device >= devices_) {
    throw Error(ErrorCode::OutOfRange, "there is no GPU " + std::to_string(device) +
                                           "; this machine has " + std::to_string(devices_) +
                                           ", counted from 0");
  }
}

std::string Runtime::device_name(int device) const {
  require_device(device);
  cudaDeviceProp properties{};
  cuda_check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

DeviceMemoryInfo Runtime::memory_info(int device) const {
  require_device(device);
  const DeviceGuard guard(device);
  DeviceMemoryInfo info;
  cuda_check("cudaMemGetInfo", cudaMemGetInfo(&info.free, &info.total));
  return info;
}

std::vector<RuntimeStream*> Runtime::all_streams() const {
  const std::lock_guard lock(mutex_);
  std::vector<RuntimeStream*> all;
  for (const auto& stream : streams_) {
    all.push_back(stream.get());
  }
  return all;
}

DeviceObjects Runtime::objects() const {
  DeviceObjects objects;
  objects.pinned_bytes = pinned_.bytes();
  for (const RuntimeStream* stream : all_streams()) {
    objects.streams += stream->is_retired() ? 0 : 1;
    objects.events += stream->events();
  }
  return objects;
}

void Runtime::use_device(int device) {
  if (devices_ == 1 && device == 0) {
    return;
  }
  require_device(device);
  // Asking is much cheaper than setting.
  int current = -1;
  cuda_check("cudaGetDevice", cudaGetDevice(&current));
  if (current != device) {
    cuda_check("cudaSetDevice", cudaSetDevice(device));
  }
}

/// Lets this device and all others that are in use reach each other's memory, where they can. Two
/// devices that cannot are joined by copies through the host, which CUDA makes.
void Runtime::open_to_others(int device) {
  const std::lock_guard lock(devices_mutex_);
  if (std::find(used_devices_.begin(), used_devices_.end(), device) != used_devices_.end()) {
    return;
  }
  const auto open = [](int from, int to) {
    int possible = 0;
    if (cudaDeviceCanAccessPeer(&possible, from, to) == cudaSuccess && possible != 0) {
      const DeviceGuard guard(from);
      static_cast<void>(cudaDeviceEnablePeerAccess(to, 0));  // or it is already
      static_cast<void>(cudaGetLastError());
    }
  };
  for (const int other : used_devices_) {
    open(device, other);
    open(other, device);
  }
  used_devices_.push_back(device);
}

DeviceStream& Runtime::acquire_stream(const StreamOptions& options) {
  require_device(options.device);
  open_to_others(options.device);
  {
    const std::lock_guard lock(mutex_);
    const auto idle = std::find_if(idle_.begin(), idle_.end(), [&](const RuntimeStream* stream) {
      return stream->options() == options;
    });
    if (idle != idle_.end()) {
      RuntimeStream* const stream = *idle;
      idle_.erase(idle);
      return *stream;
    }
  }
  OwnedStream made(make_stream(options));
  const std::lock_guard lock(mutex_);
  RuntimeStream& stream = object_for(std::move(made), options);
  by_handle_.emplace(stream.handle(), &stream);
  return stream;
}

/// An object whose stream went with its partition, or a new one. Call with mutex_ held.
RuntimeStream& Runtime::object_for(OwnedStream stream, const StreamOptions& options) {
  const auto unused = std::find_if(streams_.begin(), streams_.end(), [&](const auto& known) {
    return options.partition != nullptr && known->is_retired() && known->device() == options.device;
  });
  if (unused != streams_.end()) {
    (*unused)->revive(std::move(stream), options);
    return **unused;
  }
  idle_.reserve(streams_.size() + 1);  // so that release_stream() needs no memory
  streams_.push_back(std::make_unique<RuntimeStream>(std::move(stream), options));
  return *streams_.back();
}

void Runtime::release_stream(DeviceStream& stream) noexcept {
  auto& mine = static_cast<RuntimeStream&>(stream);
  const std::lock_guard lock(mutex_);
  if (!mine.is_retired()) {
    idle_.push_back(&mine);
  }
}

void Runtime::forget_user(const std::string* who) noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& stream : streams_) {
    stream->forget_user(who);
  }
}

DeviceStream* Runtime::find_stream(CUstream_st* handle) const noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = by_handle_.find(handle);
  return found != by_handle_.end() ? found->second : nullptr;
}

std::vector<std::unique_ptr<DevicePartition>> Runtime::split_device(
    int device, const std::vector<unsigned>& sms, unsigned min_sm_size) {
  require_device(device);
  return split_sms(*this, device, sms, min_sm_size);
}

void Runtime::retire_streams(const DevicePartition& partition) noexcept {
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

void* Runtime::allocate(std::size_t size, MemoryStorageType storage, int device,
                        const HostMemoryOptions& host) {
  require_device(device);
  const DeviceGuard guard(device);
  void* memory = nullptr;
  const bool on_device = storage == MemoryStorageType::Device;
  unsigned flags = cudaHostAllocPortable;
  flags |= host.mapped ? cudaHostAllocMapped : 0U;
  flags |= host.write_combining ? cudaHostAllocWriteCombined : 0U;
  const std::size_t bytes = std::max<std::size_t>(size, 1);
  const cudaError_t result =
      on_device ? cudaMalloc(&memory, bytes) : cudaHostAlloc(&memory, bytes, flags);
  if (result == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  cuda_check(on_device ? "cudaMalloc" : "cudaHostAlloc", result);
  return memory;
}

void Runtime::free(void* pointer, MemoryStorageType storage) noexcept {
  when_may_wait([pointer, storage] {
    // Fails only after a device has failed, and then there is nothing left to free.
    static_cast<void>(storage == MemoryStorageType::Device ? cudaFree(pointer)
                                                           : cudaFreeHost(pointer));
  });
}

/// Call with loops_mutex_ held.
bool Runtime::may_wait_for_devices() const noexcept {
  return loops_.empty() && holds_ == 0 && !any_given_up_.load(std::memory_order_acquire);
}

void Runtime::when_may_wait(std::function<void()> call) noexcept {
  forget_what_has_ended();
  const std::lock_guard lock(loops_mutex_);
  if (may_wait_for_devices()) {
    call();
  } else {
    postponed_.push_back(std::move(call));
  }
}

bool Runtime::has_running_loops() const noexcept {
  const std::lock_guard lock(loops_mutex_);
  return !loops_.empty();
}

void Runtime::loop_began(const DeviceLoop& loop, int device) noexcept {
  const std::lock_guard lock(loops_mutex_);
  loops_.push_back({&loop, device});
}

void Runtime::loop_ended(const DeviceLoop& loop) noexcept {
  const std::lock_guard lock(loops_mutex_);
  std::erase_if(loops_, [&](const RunningLoop& each) { return each.loop == &loop; });
  catch_up();
}

void Runtime::loop_left(const DeviceLoop& loop) noexcept {
  const std::lock_guard lock(loops_mutex_);
  for (RunningLoop& each : loops_) {
    if (each.loop == &loop) {
      each.loop = nullptr;
    }
  }
}

void Runtime::hold_frees() noexcept { ++holds_; }

void Runtime::let_frees_go() noexcept {
  forget_what_has_ended();
  const std::lock_guard lock(loops_mutex_);
  --holds_;
  catch_up();
}

/// Call with loops_mutex_ held.
void Runtime::catch_up() noexcept {
  if (!may_wait_for_devices()) {
    return;
  }
  for (const auto& call : postponed_) {
    call();
  }
  postponed_.clear();
}

bool Runtime::loads_kernels_late() const {
  CUmoduleLoadingMode mode{};
  driver_check("cuModuleGetLoadingMode", driver().module_loading_mode(&mode));
  return mode == CU_MODULE_LAZY_LOADING;
}

std::unique_ptr<DeviceMemoryPool> Runtime::make_memory_pool(
    const DeviceMemoryPoolOptions& options) {
  require_device(options.device);
  return std::make_unique<RuntimeMemoryPool>(options);
}

std::unique_ptr<DeviceGraph> Runtime::make_graph(const DeviceGraphOptions& options) {
  require_device(options.device);
  return std::make_unique<RuntimeGraph>(options);
}

std::unique_ptr<DeviceLoop> Runtime::make_loop(const DeviceLoopOptions& options) {
  require_device(options.device);
  return std::make_unique<RuntimeLoop>(options);
}

GraphMemory Runtime::graph_memory(int device) const {
  require_device(device);
  const auto bytes = [device](cudaGraphMemAttributeType which) {
    std::uint64_t value = 0;
    cuda_check("cudaDeviceGetGraphMemAttribute",
               cudaDeviceGetGraphMemAttribute(device, which, &value));
    return value;
  };
  return {device, bytes(cudaGraphMemAttrReservedMemCurrent), bytes(cudaGraphMemAttrUsedMemCurrent)};
}

void Runtime::trim_graph_memory(int device) {
  require_device(device);
  when_may_wait([device] {
    if (cudaDeviceGraphMemTrim(device) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // fails only after the device has failed
    }
  });
}

SharedDeviceMemory Runtime::share_memory(void* pointer) {
  const int device = device_of(pointer);
  require_device(device);
  const DeviceGuard guard(device);
  cudaIpcMemHandle_t handle{};
  cuda_check("cudaIpcGetMemHandle", cudaIpcGetMemHandle(&handle, pointer));
  SharedDeviceMemory shared;
  static_assert(sizeof(handle) == sizeof(shared.handle));
  std::memcpy(shared.handle.data(), &handle, sizeof(handle));
  shared.gpu = uuid_of(device);
  return shared;
}

void* Runtime::open_shared_memory(const SharedDeviceMemory& memory) {
  int device = 0;
  while (device < devices_ && uuid_of(device) != memory.gpu) {
    ++device;
  }
  if (device == devices_) {
    throw Error(ErrorCode::NotFound,
                "the memory that another process shares is on a GPU that this process does not see "
                "(CUDA_VISIBLE_DEVICES)");
  }
  const DeviceGuard guard(device);
  cudaIpcMemHandle_t handle{};
  std::memcpy(&handle, memory.handle.data(), sizeof(handle));
  void* pointer = nullptr;
  cuda_check("cudaIpcOpenMemHandle",
             cudaIpcOpenMemHandle(&pointer, handle, cudaIpcMemLazyEnablePeerAccess));
  return pointer;
}

void Runtime::close_shared_memory(void* pointer, std::function<void()> closed) noexcept {
  when_may_wait([pointer, closed = std::move(closed)] {
    // Fails only after a device has failed, and then there is nothing left to close.
    static_cast<void>(cudaIpcCloseMemHandle(pointer));
    closed();
  });
}

int Runtime::device_of(const void* pointer) const {
  cudaPointerAttributes attributes{};
  cuda_check("cudaPointerGetAttributes", cudaPointerGetAttributes(&attributes, pointer));
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged
             ? attributes.device
             : -1;
}

std::size_t Runtime::bytes_behind(const void* pointer) const {
  const auto address = reinterpret_cast<CUdeviceptr>(pointer);
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  driver_check("cuMemGetAddressRange", driver().get_address_range(&base, &bytes, address));
  return bytes - (address - base);
}

void Runtime::copy(void* to, const void* from, std::size_t bytes, DeviceStream& stream) {
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream.handle()));
}

void Runtime::copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                        std::size_t bytes, std::size_t rows, DeviceStream& stream) {
  cuda_check("cudaMemcpy2DAsync", cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, rows,
                                                    cudaMemcpyDefault, stream.handle()));
}

void Runtime::clear(void* memory, std::size_t bytes, DeviceStream& stream) {
  cuda_check("cudaMemsetAsync", cudaMemsetAsync(memory, 0, bytes, stream.handle()));
}

void Runtime::watch(const DeviceWork& work, const Component& component,
                    std::chrono::milliseconds timeout) {
  watcher_.watch(work, component, timeout);
}

void Runtime::stop_watching(const Component& component) noexcept { watcher_.forget(component); }

void Runtime::push_range(const char* name) noexcept { nvtxRangePushA(name); }

void Runtime::pop_range() noexcept { nvtxRangePop(); }

void Runtime::forbid_legacy_stream() {
  const std::lock_guard lock(bans_mutex_);
  if (bans_ == 0) {
    ban_ = std::make_unique<LegacyStreamBan>(devices_);
  }
  ++bans_;
}

void Runtime::allow_legacy_stream() noexcept {
  const std::lock_guard lock(bans_mutex_);
  if (--bans_ == 0) {
    ban_.reset();
  }
}

bool Runtime::checks_captures() { return checks_streams() && CaptureWatch().works(); }

std::vector<UnfinishedWork> Runtime::unfinished_work(UnfinishedWork::Scope scope) {
  using Of = UnfinishedWork::Of;
  const AnyCaptureGoesOn captures;
  std::vector<UnfinishedWork> unfinished;
  for (RuntimeStream* const stream : all_streams()) {
    if (const DeviceWork work = stream->oldest_unfinished()) {
      unfinished.push_back({Of::Stream, stream->device(), work, 0});
    }
  }
  {
    // While memory is given back, which may take as long as work on the device, no loop runs.
    const std::unique_lock lock(loops_mutex_, std::try_to_lock);
    for (const RunningLoop& each : lock ? loops_ : std::vector<RunningLoop>{}) {
      const DeviceLoop* const loop = each.loop;
      unfinished.push_back(
          {Of::Loop, each.device, {}, loop != nullptr ? loop->finished() + loop->heartbeat() : 0});
    }
    if (!lock || !loops_.empty() || scope == UnfinishedWork::Scope::Streams) {
      return unfinished;
    }
  }
  std::vector<int> used;
  {
    const std::lock_guard lock(devices_mutex_);
    used = used_devices_;
  }
  for (const int device : used) {
    if (const std::optional<std::uint64_t> mark = marks_.unpassed(device)) {
      unfinished.push_back({Of::Device, device, {}, *mark});
    }
  }
  return unfinished;
}

void Runtime::give_up(const UnfinishedWork& work, const std::string& why) {
  const std::lock_guard lock(given_up_mutex_);
  given_up_.push_back({work, why});
  any_given_up_.store(true, std::memory_order_release);
}

/// Done, or never any more, since its device has failed.
bool Runtime::has_ended(const UnfinishedWork& work) noexcept {
  if (work.of != UnfinishedWork::Of::Stream) {
    return marks_.is_passed(work.device, work.number);
  }
  try {
    return work.work.stream->is_done(work.work.number);
  } catch (const std::exception&) {
    return true;
  }
}

/// Then what was postponed for that is done.
void Runtime::forget_what_has_ended() noexcept {
  if (!any_given_up_.load(std::memory_order_acquire)) {
    return;
  }
  {
    const std::lock_guard lock(given_up_mutex_);
    std::erase_if(given_up_, [this](const GivenUp& each) { return has_ended(each.work); });
    if (!given_up_.empty()) {
      return;
    }
    any_given_up_.store(false, std::memory_order_release);
  }
  const std::lock_guard lock(loops_mutex_);
  catch_up();
}

/// The text of the first that has not ended; empty: there is none.
std::string Runtime::why_given_up(int device) {
  forget_what_has_ended();
  const std::lock_guard lock(given_up_mutex_);
  const auto found = std::ranges::find_if(
      given_up_, [device](const GivenUp& each) { return each.work.device == device; });
  return found == given_up_.end() ? std::string() : found->why;
}

bool Runtime::is_given_up(int device) noexcept {
  forget_what_has_ended();
  if (!any_given_up_.load(std::memory_order_acquire)) {
    return false;
  }
  const std::lock_guard lock(given_up_mutex_);
  return std::ranges::any_of(given_up_,
                             [device](const GivenUp& each) { return each.work.device == device; });
}

void Runtime::require_in_use(int device) {
  if (any_given_up_.load(std::memory_order_acquire)) {
    if (const std::string why = why_given_up(device); !why.empty()) {
      throw Error(ErrorCode::Device, why);
    }
  }
}

void Runtime::fail(const char* call, int error) {
  throw_cuda_error(call, static_cast<cudaError_t>(error));
}

void Runtime::check() { cuda_check("cudaGetLastError", cudaGetLastError()); }

std::string Runtime::users_of_unfinished_work() const {
  std::vector<const std::string*> users;
  const std::lock_guard lock(mutex_);
  for (const auto& stream : streams_) {
    for (const std::string* user : stream->recent_users()) {
      if (std::find(users.begin(), users.end(), user) == users.end()) {
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

Runtime& runtime() {
  // Never destroyed: CUDA may be gone before the last static object is.
  static Runtime* const once = new Runtime();
  return *once;
}

}  // namespace gxr::cuda

extern "C" GXR_INTERNAL_API const char* gxr_device_interface() { return gxr::kDeviceInterface; }

extern "C" GXR_INTERNAL_API gxr::DeviceEngine& gxr_device_runtime() { return gxr::cuda::runtime(); }
