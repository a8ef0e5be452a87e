#include "ipc/message_codec.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "gxr/cuda/data.hpp"
#include "gxr/error.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "recording/component_header.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

constexpr TypeId kTensorPart = TypeIdOf<Tensor>::value;
constexpr TypeId kVideoPart = TypeIdOf<VideoBuffer>::value;
constexpr TypeId kAudioPart = TypeIdOf<AudioBuffer>::value;

constexpr std::uint64_t kElements = 0;
constexpr std::uint64_t kInSlot = 1;
/// No GPU has more: such a header is damaged.
constexpr std::uint64_t kMostDeviceBytes = std::uint64_t{1} << 48;

/// Bytes in memory that grow with what is written.
class BytesSink final : public Endpoint {
 public:
  BytesSink() {
    constexpr std::size_t kSmallMessage = 512;
    bytes_.reserve(kSmallMessage);
  }
  void write(const void* data, std::size_t size) override {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  std::size_t read(void*, std::size_t) override { return 0; }
  [[nodiscard]] std::uint64_t readable() const override { return 0; }
  [[nodiscard]] IpcBytes take() noexcept { return std::move(bytes_); }

 private:
  IpcBytes bytes_;
};

class BytesSource final : public Endpoint {
 public:
  explicit BytesSource(std::span<const std::byte> bytes) : bytes_(bytes) {}
  void write(const void*, std::size_t) override {
    throw Error(ErrorCode::NotSupported, "these bytes are only read");
  }
  std::size_t read(void* data, std::size_t size) override {
    const std::size_t taken = std::min(size, bytes_.size() - read_);
    if (taken > 0) {
      std::memcpy(data, bytes_.data() + read_, taken);
    }
    read_ += taken;
    return taken;
  }
  [[nodiscard]] std::uint64_t readable() const override { return bytes_.size() - read_; }

 private:
  const std::span<const std::byte> bytes_;
  std::size_t read_ = 0;
};

/// The heap, for tensors that may outlive whoever read them: it has no state.
class Heap final : public Allocator {
 public:
  void* allocate(std::size_t size, MemoryStorageType) override {
    void* const memory = ::operator new(std::max<std::size_t>(size, 1), kAlignment, std::nothrow);
    if (memory == nullptr) {
      throw Error(ErrorCode::OutOfMemory,
                  "the system has no " + std::to_string(size) + " bytes of memory");
    }
    return memory;
  }
  void free(void* pointer) override { ::operator delete(pointer, kAlignment); }
  [[nodiscard]] bool is_available(std::size_t) const override { return true; }

 private:
  static constexpr std::align_val_t kAlignment{64};
};

Allocator& heap() {
  static auto& never_destroyed = *new Heap;
  return never_destroyed;
}

/// Sets a parameter of a component that no file names; the others get their defaults.
template <class T>
void set_parameter(Component& component, std::string_view key, const T& value) {
  Interface interface = EngineAccess::make_interface();
  component.declare(interface);
  for (const auto& binding : EngineAccess::bindings(interface)) {
    if (binding.key == key) {
      dynamic_cast<Parameter<T>&>(*binding.member).set(value);
    }
  }
}

/// As the owner: what it logs, and the messages that it makes, are the owner's.
void attach_as(Component& component, const Component& owner) {
  EngineAccess::attach(component, {&owner.context(), &owner.name(), &owner.entity_name(),
                                   &owner.type(), owner.component_id(), owner.entity_id()});
}

/// Throws when they reach further than anything can.
std::uint64_t span_of(const CheckedTensor& tensor) {
  std::uint64_t span = tensor.bytes == 0 ? 0 : tensor.bytes_per_element;
  for (std::uint32_t i = 0; i < tensor.shape.rank() && span > 0; ++i) {
    std::uint64_t reach = 0;
    const auto steps = static_cast<std::uint64_t>(tensor.shape.dimension(i)) - 1;
    if (__builtin_mul_overflow(steps, tensor.strides.at(i), &reach) ||
        __builtin_add_overflow(span, reach, &span)) {
      throw_nonsense("the strides of a tensor reach beyond all memory");
    }
  }
  return span;
}

DeviceTensor read_device_tensor(Endpoint& endpoint) {
  TensorHeader header = read_tensor_header(endpoint);
  const Strides strides = std::exchange(header.strides, {});
  DeviceTensor device;
  device.tensor = check(header, kMostDeviceBytes);
  device.tensor.strides = strides;  // elements may have gaps between them, as in the slot
  device.span = span_of(device.tensor);
  endpoint.read_all(&device.offset, sizeof(device.offset), "the place of a tensor");
  return device;
}

}  // namespace

bool stays_in_process(TypeId part) noexcept { return part == TypeIdOf<cuda::CudaStreamId>::value; }

/// Tensors, pictures and sounds, each with a word before it.
class MessageCodec::TensorSerializer final : public ComponentSerializer {
 public:
  explicit TensorSerializer(StdComponentSerializer& std) : std_(std) {}

  Put put;
  Take take;

  [[nodiscard]] bool supports(TypeId type) const override {
    return type == kTensorPart || type == kVideoPart || type == kAudioPart;
  }
  [[nodiscard]] RecordedAs recorded_as(TypeId type) const override {
    return std_.recorded_as(type);
  }

  std::uint64_t serialize(const detail::Part& part, Endpoint& endpoint) override {
    const auto* tensor = part.id == kTensorPart ? static_cast<const Tensor*>(part.data) : nullptr;
    if (tensor == nullptr || tensor->storage_type() != MemoryStorageType::Device || !put) {
      endpoint.write(&kElements, sizeof(kElements));
      return sizeof(kElements) + std_.serialize(part, endpoint);
    }
    TensorHeader header = header_of(*tensor);
    header.strides = tensor->strides();
    const auto bytes = gxr::encode(header);
    const std::uint64_t offset = put(*tensor);
    endpoint.write(&kInSlot, sizeof(kInSlot));
    endpoint.write(bytes.data(), bytes.size());
    endpoint.write(&offset, sizeof(offset));
    return sizeof(kInSlot) + bytes.size() + sizeof(offset);
  }

  void deserialize(TypeId type, std::string_view name, Message& message,
                   Endpoint& endpoint) override {
    std::uint64_t where = 0;
    endpoint.read_all(&where, sizeof(where), "the word before a tensor");
    if (where == kElements) {
      std_.deserialize(type, name, message, endpoint);
      return;
    }
    if (where != kInSlot) {
      throw_nonsense("a tensor cannot be in place " + std::to_string(where));
    }
    if (!take) {
      throw_nonsense("a tensor is in a slot, and there are none");
    }
    const DeviceTensor device = read_device_tensor(endpoint);
    take(message.add<Tensor>(name), device);
  }

 private:
  StdComponentSerializer& std_;
};

MessageCodec::MessageCodec(const Component& owner, Allocator* allocator,
                           const std::vector<Handle<ComponentSerializer>>& further)
    : tensors_(std::make_unique<TensorSerializer>(std_)), entity_(false) {
  attach_as(std_, owner);
  attach_as(*tensors_, owner);
  attach_as(entity_, owner);
  set_parameter(std_, "allocator", Handle<Allocator>(allocator != nullptr ? allocator : &heap()));
  serializers_.emplace_back(tensors_.get());
  serializers_.insert(serializers_.end(), further.begin(), further.end());
  serializers_.emplace_back(&std_);
  set_parameter(entity_, "component_serializers", serializers_);
  entity_.initialize();
}

MessageCodec::~MessageCodec() = default;

/// Recordings leave out what they do not know; here it would be lost.
void MessageCodec::require_known(const Message& message) const {
  for (const detail::Part& part : message) {
    const bool known = std::ranges::any_of(
        serializers_, [&](const auto& serializer) { return serializer->supports(part.id); });
    if (!known && !stays_in_process(part.id)) {
      throw Error(ErrorCode::NotSupported,
                  "part '" + std::string(part.name) + "' of type " + hexadecimal(part.id) +
                      " of a message cannot travel to another process: no component serializer "
                      "knows it ('component_serializers')");
    }
  }
}

IpcBytes MessageCodec::encode(const Message& message, Put put, std::span<const std::byte> head) {
  require_known(message);
  tensors_->put = std::move(put);
  BytesSink sink;
  sink.write(head.data(), head.size());
  const IpcEnvelope envelope{message.source_time(), message.sequence()};
  sink.write(&envelope, sizeof(envelope));
  entity_.serialize(message, sink);
  return sink.take();
}

Message MessageCodec::decode(std::span<const std::byte> bytes, Take take) {
  tensors_->take = std::move(take);
  BytesSource source(bytes);
  IpcEnvelope envelope;
  source.read_all(&envelope, sizeof(envelope), "the envelope of a message");
  Message message = entity_.deserialize(source);
  if (source.readable() > 0) {
    throw_nonsense(std::to_string(source.readable()) + " bytes are left over behind a message");
  }
  message.set_source_time(envelope.source_time);
  message.set_sequence(envelope.sequence);
  return message;
}

}  // namespace gxr
