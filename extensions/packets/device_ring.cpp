#include "packets/device_ring.hpp"

#include <utility>

#include "gxr/device_runtime.hpp"

namespace gxr::cuda {
DeviceRing::~DeviceRing() { release(); }

void DeviceRing::declare(Interface& interface) { size_.declare(interface); }

void DeviceRing::initialize() { size_.check(); }

void DeviceRing::deinitialize() { release(); }

void DeviceRing::release() noexcept {
  if (void* const memory = std::exchange(memory_, nullptr)) {
    DeviceRuntime::get().free(memory, MemoryStorageType::Device);
  }
}

RingView DeviceRing::on_host() {
  throw Error(ErrorCode::NotSupported,
              "the ring '" + full_name() +
                  "' lies in the memory of a GPU, which the CPU does not reach; use a "
                  "gxr::cuda::SharedRing");
}

RingView DeviceRing::on_device(int device) {
  const std::lock_guard lock(mutex_);
  if (memory_ != nullptr && device != device_) {
    throw Error(ErrorCode::NotSupported, "the ring '" + full_name() + "' lies on GPU " +
                                             std::to_string(device_) + ", not on GPU " +
                                             std::to_string(device));
  }
  if (memory_ == nullptr) {
    DeviceRuntime& runtime = DeviceRuntime::get();
    const std::uint64_t bytes = ring_bytes(size_.slots(), size_.frame_bytes());
    memory_ = runtime.allocate(bytes, MemoryStorageType::Device, device, {});
    if (memory_ == nullptr) {
      throw Error(ErrorCode::OutOfMemory,
                  "no device memory is left for a ring of " + std::to_string(bytes) + " bytes");
    }
    device_ = device;
    RingHeader header;
    make_ring(&header, size_.slots(), size_.frame_bytes());
    const LeasedStream stream({.device = device});
    runtime.clear(memory_, bytes, stream.get());
    runtime.copy(memory_, &header, sizeof header, stream.get());
    stream.finish();
  }
  return ring_view(memory_, size_.slots(), size_.frame_bytes());
}

RingHeader DeviceRing::read_header() const {
  RingHeader header;
  const LeasedStream stream({.device = device_});
  DeviceRuntime::get().copy(&header, memory_, sizeof header, stream.get());
  stream.finish();
  return header;
}

std::vector<Discard> DeviceRing::discards() const {
  if (memory_ == nullptr) {
    return {};
  }
  const RingHeader header = read_header();
  return {{header.dropped, header.written + header.dropped, "they found no room in the ring"}};
}

std::size_t DeviceRing::unread() const {
  if (memory_ == nullptr) {
    return 0;
  }
  const RingHeader header = read_header();
  return header.written - header.taken;
}

}  // namespace gxr::cuda
