#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gxr/cuda/ipc_queues.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "ipc/ipc_source.hpp"
#include "ipc/message_codec.hpp"

namespace gxr::cuda {
namespace {

/// What a device tensor has of the other process: an allocator of this one tensor, to which the
/// memory goes back without that anybody waits for the work on it, and which goes then.
class Lease final : public Allocator {
 public:
  /// `source` holds the slot once for it.
  Lease(std::shared_ptr<IpcSource> source, std::uint32_t slot)
      : source_(std::move(source)), slot_(slot) {}

  void* allocate(std::size_t, MemoryStorageType) override {
    throw Error(ErrorCode::NotSupported, "the memory of another process is not given out");
  }
  [[nodiscard]] bool is_available(std::size_t) const override { return false; }
  void free(void*) override { give_back({}); }
  void free_after(void*, const DeviceUsers& users) override {
    std::vector<DeviceWork> work;
    users.for_each_with_tick([&](DeviceStream& user) { work.push_back(user.mark()); });
    give_back(std::move(work));
  }

 private:
  void give_back(std::vector<DeviceWork> work) noexcept {
    const std::unique_ptr<Lease> self(this);
    source_->drop_after(slot_, std::move(work));
  }

  std::shared_ptr<IpcSource> source_;
  std::uint32_t slot_;
};

}  // namespace

/// What has been taken in, by the thread of the entity.
class IpcReceiver::Impl {
 public:
  Impl(const IpcReceiver& owner, LocalAddress address)
      : codec_(owner, owner.allocator_.has_value() ? owner.allocator_.get().get() : nullptr,
               *owner.component_serializers_),
        source_(std::make_shared<IpcSource>(
            owner, std::move(address), std::chrono::milliseconds(*owner.connect_timeout_ms_))) {}
  ~Impl() {
    clear();
    source_->finish();
  }

  [[nodiscard]] IpcSource& source() noexcept { return *source_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }
  [[nodiscard]] const Message* peek(std::size_t index) const {
    return index < entries_.size() ? &entries_[index].message : nullptr;
  }

  void take_in() {
    // Nobody who counts meanwhile may think that they are gone.
    size_.store(entries_.size() + source_->arrived(), std::memory_order_release);
    for (const IpcSource::Arrived& arrived : source_->take_arrived()) {
      entries_.push_back({decode(arrived), arrived.slot});
    }
    size_.store(entries_.size(), std::memory_order_release);
  }

  Message pop() {
    if (entries_.empty()) {
      return {};
    }
    Entry entry = std::move(entries_.front());
    entries_.pop_front();
    size_.store(entries_.size(), std::memory_order_release);
    source_->take(entry.slot);
    return std::move(entry.message);
  }

  /// The slots do not go back: nobody received the messages.
  void clear() {
    static_cast<void>(source_->take_arrived());
    entries_.clear();
    size_.store(0, std::memory_order_release);
  }

 private:
  struct Entry {
    Message message;
    std::uint32_t slot;
  };

  Message decode(const IpcSource::Arrived& arrived) {
    try {
      return codec_.decode(arrived.message, [&](Tensor& tensor, const DeviceTensor& device) {
        wrap(tensor, device, arrived.slot);
      });
    } catch (const Error& error) {
      throw Error(error.code(), "a message from " + source_->address().called() +
                                    " cannot be taken in: " + error.message());
    }
  }

  void wrap(Tensor& tensor, const DeviceTensor& device, std::uint32_t slot) {
    const CheckedTensor& checked = device.tensor;
    void* const memory =
        device.span > 0 ? source_->device_memory(slot, device.offset, device.span) : nullptr;
    auto lease = std::make_unique<Lease>(source_, slot);
    tensor.adopt(*lease, memory, checked.shape, checked.type, MemoryStorageType::Device,
                 checked.bytes_per_element, &checked.strides);
    source_->hold(slot);
    static_cast<void>(lease.release());  // it is the tensor's
    tensor.set_recorded_storage_type(checked.storage);
  }

  MessageCodec codec_;
  std::shared_ptr<IpcSource> source_;
  std::deque<Entry> entries_;
  std::atomic<std::size_t> size_{0};  // of entries_
};

IpcReceiver::IpcReceiver() = default;
IpcReceiver::~IpcReceiver() = default;

void IpcReceiver::declare(Interface& interface) {
  interface.remote_queue("address");
  interface.parameter(address_, "address", "Unix socket of the transmitter",
                      "A path of 1 to 107 bytes, the same as the transmitter's.");
  interface
      .parameter(connect_timeout_ms_, "connect_timeout_ms",
                 "How long the transmitter may take to be there",
                 "After that the run fails. 0: without end.")
      .default_value(10'000)
      .minimum(0)
      .unit("ms");
  interface
      .parameter(allocator_, "allocator", "Gives the memory of what is not in device memory",
                 "Always system memory. Left out: the heap.")
      .optional();
  interface
      .parameter(component_serializers_, "component_serializers", "Who reads parts of further types",
                 "Besides tensors, pictures, sounds, timestamps and numbers, which need none. The "
                 "transmitter needs the same.")
      .default_value({});
}

void IpcReceiver::initialize() {
  impl_ = std::make_unique<Impl>(*this, LocalAddress(address_->path, "IPC address"));
}

void IpcReceiver::deinitialize() { impl_.reset(); }

void IpcReceiver::push(Message) {
  throw Error(ErrorCode::NotSupported,
              "messages come to '" + full_name() + "' from another process only");
}

Message IpcReceiver::pop() { return impl_->pop(); }
const Message* IpcReceiver::peek(std::size_t index) const { return impl_->peek(index); }
std::size_t IpcReceiver::capacity() const { return impl_ != nullptr ? impl_->source().slots() : 0; }
std::size_t IpcReceiver::size() const { return impl_ != nullptr ? impl_->size() : 0; }
std::size_t IpcReceiver::back_size() const {
  return impl_ != nullptr ? impl_->source().arrived() : 0;
}
void IpcReceiver::sync() { impl_->take_in(); }

void IpcReceiver::clear() {
  if (impl_ != nullptr) {
    impl_->clear();
  }
}

bool IpcReceiver::is_open() { return impl_->source().is_open(); }
void IpcReceiver::watch(const Component& term) { impl_->source().watch(term); }

}  // namespace gxr::cuda
