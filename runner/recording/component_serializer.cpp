#include "gxr/serialization/component_serializer.hpp"

#include <array>
#include <cstring>
#include <string>

#include "gxr/error.hpp"
#include "gxr/timestamp.hpp"
#include "recording/buffer_payload.hpp"
#include "recording/tensor_payload.hpp"

namespace gxr {
namespace {

/// A type whose bytes in memory are its bytes in the file.
struct PlainType {
  TypeId type;
  std::size_t size;
  void (*read)(Message& message, std::string_view name, Endpoint& endpoint);
};

template <class T>
void read_plain(Message& message, std::string_view name, Endpoint& endpoint) {
  T value{};
  endpoint.read_all(&value, sizeof(T), "a number");
  message.add<T>(name, value);
}

/// Any byte but 0 is true: other values of a bool would be undefined.
template <>
void read_plain<bool>(Message& message, std::string_view name, Endpoint& endpoint) {
  unsigned char value = 0;
  endpoint.read_all(&value, 1, "a boolean");
  message.add<bool>(name, value != 0);
}

template <class T>
constexpr PlainType plain() {
  return {TypeIdOf<T>::value, sizeof(T), read_plain<T>};
}

static_assert(sizeof(Timestamp) == 16);

constexpr std::array<PlainType, 12> kPlainTypes = {
    plain<Timestamp>(),     plain<std::int8_t>(),  plain<std::uint8_t>(),  plain<std::int16_t>(),
    plain<std::uint16_t>(), plain<std::int32_t>(), plain<std::uint32_t>(), plain<std::int64_t>(),
    plain<std::uint64_t>(), plain<float>(),        plain<double>(),        plain<bool>()};

const PlainType* find_plain(TypeId type) noexcept {
  for (const PlainType& plain : kPlainTypes) {
    if (plain.type == type) {
      return &plain;
    }
  }
  return nullptr;
}

constexpr TypeId kTensor = TypeIdOf<Tensor>::value;
constexpr TypeId kVideo = TypeIdOf<VideoBuffer>::value;
constexpr TypeId kAudio = TypeIdOf<AudioBuffer>::value;

}  // namespace

ComponentSerializer::~ComponentSerializer() = default;
RecordedAs ComponentSerializer::recorded_as(TypeId type) const { return {type, {}}; }

StdComponentSerializer::~StdComponentSerializer() = default;

void StdComponentSerializer::declare(Interface& interface) {
  interface.parameter(
      allocator_, "allocator", "Gives the memory of tensors that are read",
      "Always system memory: a tensor that was recorded in host or device memory keeps that "
      "storage type for the next recording only.");
}

bool StdComponentSerializer::supports(TypeId type) const {
  return type == kTensor || type == kVideo || type == kAudio || find_plain(type) != nullptr;
}

RecordedAs StdComponentSerializer::recorded_as(TypeId type) const {
  if (type == kVideo) {
    return {kTensor, kVideoPrefix};
  }
  if (type == kAudio) {
    return {kTensor, kAudioPrefix};
  }
  return {type, {}};
}

std::uint64_t StdComponentSerializer::serialize(const detail::Part& part, Endpoint& endpoint) {
  if (part.id == kTensor) {
    return write_tensor(*static_cast<const Tensor*>(part.data), endpoint);
  }
  if (part.id == kVideo) {
    return write_video(*static_cast<const VideoBuffer*>(part.data), endpoint);
  }
  if (part.id == kAudio) {
    return write_audio(*static_cast<const AudioBuffer*>(part.data), endpoint);
  }
  const PlainType* plain = find_plain(part.id);
  endpoint.write(part.data, plain->size);
  return plain->size;
}

void StdComponentSerializer::deserialize(TypeId type, std::string_view name, Message& message,
                                         Endpoint& endpoint) {
  if (type == kTensor) {
    read_tensor_part(name, *allocator_.get().get(), message, endpoint);
  } else if (const PlainType* plain = find_plain(type)) {
    plain->read(message, name, endpoint);
  } else {
    throw Error(ErrorCode::InvalidData,
                "pictures and sounds are recorded as tensors; this one has a type id of its own");
  }
}

}  // namespace gxr
