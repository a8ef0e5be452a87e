#include "packets/shared_ring.hpp"

#include <utility>

#include "gxr/device_runtime.hpp"
#include "packets/device_kernels.hpp"

namespace gxr::cuda {
void SharedRing::declare(Interface& interface) {
  size_.declare(interface);
  interface
      .parameter(name_, "name", "Name of POSIX shared memory, as shm_open() takes it, without '/'",
                 "Processes of one user share the ring of that name; all need the same 'slots' and "
                 "'frame_bytes'. The first process makes it, the last one removes it. Empty: a "
                 "ring of this application alone.")
      .default_value("");
}

void SharedRing::initialize() {
  const RingView ring = on_host();
  dropped_before_ = ring_word::load_relaxed(ring.header->dropped);
}

void SharedRing::deinitialize() {
  const std::lock_guard lock(mutex_);
  is_of_last_run_ = true;
  unpin();
}

RingView SharedRing::on_host() {
  const std::lock_guard lock(mutex_);
  if (memory_ == nullptr || std::exchange(is_of_last_run_, false)) {
    memory_.reset();  // a name is free again
    size_.check();
    memory_ = std::make_unique<RingMemory>(*name_, size_.slots(), size_.frame_bytes());
  }
  return memory_->ring();
}

RingView SharedRing::on_device(int device) {
  RingView ring = on_host();
  DeviceRuntime::get().use_device(device);
  const std::lock_guard lock(mutex_);
  if (on_device_ == nullptr) {
    on_device_ = device_kernels().pin(ring.header, memory_->bytes());
  }
  ring.header = static_cast<RingHeader*>(on_device_);
  return ring;
}

void SharedRing::unpin() {
  if (std::exchange(on_device_, nullptr) != nullptr) {
    device_kernels().unpin(memory_->ring().header);
  }
}

std::uint32_t* SharedRing::process_word(RingEnd end) noexcept {
  const std::lock_guard lock(mutex_);
  if (memory_ == nullptr || !memory_->is_shared()) {
    return nullptr;
  }
  RingHeader& header = *memory_->ring().header;
  return end == RingEnd::Writer ? &header.writer : &header.reader;
}

std::vector<Discard> SharedRing::discards() const {
  if (memory_ == nullptr) {
    return {};
  }
  const RingHeader& header = *memory_->ring().header;
  const std::uint64_t dropped = ring_word::load_relaxed(header.dropped) - dropped_before_;
  return {{dropped, ring_word::load_relaxed(header.written) + dropped,
           "they found no room in the ring"}};
}

std::size_t SharedRing::unread() const {
  if (memory_ == nullptr || memory_->is_shared()) {
    return 0;  // another process may read them
  }
  const RingHeader& header = *memory_->ring().header;
  return ring_word::load_relaxed(header.written) - ring_word::load_relaxed(header.taken);
}

}  // namespace gxr::cuda
