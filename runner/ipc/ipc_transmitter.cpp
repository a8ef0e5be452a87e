#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

#include "gxr/cuda/data.hpp"
#include "gxr/cuda/ipc_queues.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "ipc/device_slots.hpp"
#include "ipc/ipc_sender.hpp"
#include "ipc/message_codec.hpp"

namespace gxr::cuda {
namespace {

/// So that all slots together cannot be more than numbers hold.
constexpr double kMostSlotBytes = 0x1p40;

/// Has it content that the processor reads when the message is written down?
bool has_host_content(const Message& message) {
  return std::ranges::any_of(message, [](const gxr::detail::Part& part) {
    return part.id != TypeIdOf<Tensor>::value ||
           static_cast<const Tensor*>(part.data)->storage_type() != MemoryStorageType::Device;
  });
}

}  // namespace

/// Pushed messages wait here for the end of the tick. One thread uses what is not guarded.
class IpcTransmitter::Impl {
 public:
  Impl(const IpcTransmitter& owner, const LocalAddress& address)
      : codec_(owner, nullptr, *owner.component_serializers_),
        device_(*owner.slots_, *owner.slot_bytes_),
        address_(address),
        sender_(owner, address, *owner.slots_,
                std::chrono::milliseconds(*owner.connect_timeout_ms_)) {}

  [[nodiscard]] IpcSender& sender() noexcept { return sender_; }
  [[nodiscard]] const LocalAddress& address() const noexcept { return address_; }
  [[nodiscard]] std::size_t pending() const {
    const std::lock_guard lock(mutex_);
    return pending_.size();
  }

  bool push(Message message) {
    const std::lock_guard lock(mutex_);
    if (pending_.size() + sender_.in_use() >= sender_.slots()) {
      return false;
    }
    pending_.push_back(std::move(message));
    return true;
  }

  void send_pending() {
    sender_.check();
    std::vector<Message> messages;
    {
      const std::lock_guard lock(mutex_);
      messages.swap(pending_);
    }
    for (const Message& message : messages) {
      send(message);
    }
  }

  /// False: the other process may have the device memory open, which stays for that reason.
  bool finish(std::chrono::milliseconds timeout) {
    try {
      const bool closed = sender_.finish(timeout);
      if (!closed) {
        device_.leave();
      }
      return closed;
    } catch (...) {
      device_.leave();  // the other process may use it
      throw;
    }
  }

 private:
  void send(const Message& message) {
    const std::optional<std::uint64_t> needed = DeviceSlots::needed_by(message);
    if (has_host_content(message)) {
      if (const DeviceWork before = work_behind(message)) {
        before.stream->wait_on_host(before.number);
      }
    }
    const std::uint32_t slot = sender_.take_slot();
    try {
      send(message, slot, needed);
    } catch (...) {
      sender_.give_up_slot(slot);
      throw;
    }
  }

  void send(const Message& message, std::uint32_t slot, std::optional<std::uint64_t> needed) {
    if (needed) {
      device_.begin(slot, message, *needed);
    }
    IpcBytes bytes =
        codec_.encode(message, [this](const Tensor& tensor) { return device_.put(tensor); });
    DeviceWork work;
    if (needed) {
      work = device_.work();
      sender_.set_memory(*device_.memory());
    }
    sender_.send(slot, std::move(bytes), work);
  }

  MessageCodec codec_;
  DeviceSlots device_;
  LocalAddress address_;
  mutable std::mutex mutex_;  // guards pending_
  std::vector<Message> pending_;
  IpcSender sender_;  // its thread may still wait for work that fills the slots
};

IpcTransmitter::IpcTransmitter() = default;
IpcTransmitter::~IpcTransmitter() = default;

void IpcTransmitter::declare(Interface& interface) {
  interface.remote_queue("address");
  interface.parameter(address_, "address", "Unix socket at which the receiver finds it",
                      "A path of 1 to 107 bytes, the same as the receiver's. The file belongs to "
                      "the user alone; one that a killed process left is replaced.");
  interface
      .parameter(slots_, "slots", "Messages that may be under way, or in use at the other end",
                 "When there are so many, the transmitter has no room.")
      .default_value(4)
      .range(1.0, static_cast<double>(kMostIpcSlots))
      .unit("messages");
  interface
      .parameter(slot_bytes_, "slot_bytes", "Device memory of each slot",
                 "0: as much as the device tensors of the first message need. A message that needs "
                 "more is an error.")
      .default_value(0)
      .range(0.0, kMostSlotBytes)
      .unit("bytes");
  interface
      .parameter(connect_timeout_ms_, "connect_timeout_ms",
                 "How long messages wait for a receiver to connect",
                 "After that the run fails. 0: without end.")
      .default_value(10'000)
      .minimum(0)
      .unit("ms");
  interface
      .parameter(drain_timeout_ms_, "drain_timeout_ms",
                 "How long the end of the run waits for the receiver to take everything",
                 "After that the run fails.")
      .default_value(10'000)
      .minimum(0)
      .unit("ms");
  interface
      .parameter(component_serializers_, "component_serializers",
                 "Who writes parts of further types",
                 "Besides tensors, pictures, sounds, timestamps and numbers, which need none. The "
                 "receiver needs the same.")
      .default_value({});
}

void IpcTransmitter::initialize() {
  impl_ = std::make_unique<Impl>(*this, LocalAddress(address_->path, "IPC address"));
}

void IpcTransmitter::deinitialize() {
  const std::unique_ptr<Impl> ending = std::move(impl_);
  if (!ending->finish(std::chrono::milliseconds(*drain_timeout_ms_))) {
    log_warning("the receiver at " + ending->address().called() +
                " still has the device memory of the slots open, which stays until this process "
                "ends");
  }
}

void IpcTransmitter::push(Message message) {
  require_message(message);
  if (!impl_->push(std::move(message))) {
    throw Error(ErrorCode::Overflow,
                "'" + full_name() + "' has no room: the receiver at " + impl_->address().called() +
                    " has not given back any of " + std::to_string(*slots_) +
                    " slots; a DownstreamReceptiveSchedulingTerm on it makes its entity wait");
  }
}

Message IpcTransmitter::pop() { return {}; }
const Message* IpcTransmitter::peek(std::size_t) const { return nullptr; }
std::size_t IpcTransmitter::capacity() const { return *slots_; }
std::size_t IpcTransmitter::size() const { return impl_ != nullptr ? impl_->sender().in_use() : 0; }
std::size_t IpcTransmitter::back_size() const { return impl_ != nullptr ? impl_->pending() : 0; }

void IpcTransmitter::sync() {
  try {
    impl_->send_pending();
  } catch (const Error& error) {
    throw Error(error.code(), "transmitter '" + full_name() + "': " + error.message());
  }
}

void IpcTransmitter::clear() {
  if (back_size() > 0) {
    sync();
  }
}

bool IpcTransmitter::is_open() {
  impl_->sender().check();
  return true;
}

void IpcTransmitter::watch(const Component& term) { impl_->sender().watch(term); }

}  // namespace gxr::cuda
