#include "recording/buffer_payload.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/host_copy.hpp"
#include "recording/tensor_payload.hpp"

namespace gxr {
namespace {

constexpr std::array<char, 8> kVideoMagic = {'g', 'x', 'r', 'V', 'i', 'd', 'e', 'o'};
constexpr std::array<char, 8> kAudioMagic = {'g', 'x', 'r', 'A', 'u', 'd', 'i', 'o'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kPreface = 16;  // magic, u32 version, u32 bytes of the description
constexpr std::size_t kPlaneName = 256;
constexpr std::size_t kMostPlanes = 4;
constexpr std::size_t kVideoDescription = 28 + kMostPlanes * 281;
constexpr std::size_t kAudioDescription = 28;
static_assert(kVideoDescription == 1152);

/// Values one after the other, without gaps.
class Text {
 public:
  template <class T>
  void put(const T& value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class Cursor {
 public:
  explicit Cursor(const std::byte* at) noexcept : at_(at) {}
  template <class T>
  T take() noexcept {
    T value{};
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

 private:
  const std::byte* at_;
};

void put_preface(Text& text, const std::array<char, 8>& magic, std::size_t description) {
  text.put(magic);
  text.put(kVersion);
  text.put(static_cast<std::uint32_t>(description));
}

void put_plane(Text& text, const ColorPlane& plane) {
  std::array<char, kPlaneName> name{};
  std::copy_n(plane.color_space.data(), std::min(plane.color_space.size(), kPlaneName - 1),
              name.data());
  text.put(name);
  text.put(plane.bytes_per_pixel);
  text.put(static_cast<std::int32_t>(plane.stride));
  text.put(plane.offset);
  text.put(plane.width);
  text.put(plane.height);
  text.put(plane.size);
}

Text describe(const VideoBuffer& video) {
  const VideoBufferInfo& info = video.info();
  if (info.color_planes.size() > kMostPlanes) {
    throw Error(ErrorCode::NotSupported, "a picture of " +
                                             std::to_string(info.color_planes.size()) +
                                             " planes cannot be recorded; 4 are the most");
  }
  Text text;
  put_preface(text, kVideoMagic, kVideoDescription);
  text.put(info.width);
  text.put(info.height);
  text.put(static_cast<std::int32_t>(video.storage_type()));
  text.put(static_cast<std::int64_t>(info.format));
  for (std::size_t i = 0; i < kMostPlanes; ++i) {
    put_plane(text, i < info.color_planes.size() ? info.color_planes[i] : ColorPlane{});
  }
  text.put(static_cast<std::int32_t>(info.surface_layout));
  text.put(static_cast<std::uint32_t>(info.color_planes.size()));
  return text;
}

Text describe(const AudioBuffer& audio) {
  const AudioBufferInfo& info = audio.info();
  Text text;
  put_preface(text, kAudioMagic, kAudioDescription);
  text.put(static_cast<std::int32_t>(audio.storage_type()));
  text.put(info.channels);
  text.put(info.samples);
  text.put(info.sampling_rate);
  text.put(info.bytes_per_sample);
  text.put(static_cast<std::int32_t>(info.format));
  text.put(static_cast<std::int32_t>(info.layout));
  return text;
}

/// The envelope: header of a tensor of bytes, description, content, `padding` zeros.
std::uint64_t write_envelope(const Text& text, MemoryStorageType storage, const void* content,
                             std::uint64_t size, std::uint64_t padding, Endpoint& endpoint) {
  const std::uint64_t all = text.bytes().size() + size + padding;
  if (all > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error(ErrorCode::NotSupported,
                "a picture or sound of " + std::to_string(size) +
                    " bytes cannot be recorded; they must have less than 2 GiB");
  }
  TensorHeader header;
  header.storage_type = static_cast<std::int32_t>(MemoryStorageType::System);
  header.element_type = static_cast<std::int32_t>(ElementType::UInt8);
  header.bytes_per_element = 1;
  header.rank = 1;
  header.dimensions.fill(1);
  header.dimensions.front() = static_cast<std::int32_t>(all);
  header.strides.front() = 1;
  const auto bytes = encode(header);
  endpoint.write(bytes.data(), bytes.size());
  endpoint.write(text.bytes().data(), text.bytes().size());
  endpoint.write(HostView(content, size, storage).pointer(), size);
  const std::vector<std::byte> zeros(padding);
  endpoint.write(zeros.data(), zeros.size());
  return bytes.size() + all;
}

VideoBufferInfo video_info(Cursor cursor) {
  VideoBufferInfo info;
  info.width = cursor.take<std::uint32_t>();
  info.height = cursor.take<std::uint32_t>();
  cursor.take<std::int32_t>();  // storage: read back into system memory
  info.format = static_cast<VideoFormat>(cursor.take<std::int64_t>());
  std::array<ColorPlane, kMostPlanes> planes;
  for (ColorPlane& plane : planes) {
    const auto name = cursor.take<std::array<char, kPlaneName>>();
    plane.color_space.assign(name.begin(), std::find(name.begin(), name.end(), '\0'));
    plane.bytes_per_pixel = cursor.take<std::uint8_t>();
    plane.stride = static_cast<std::uint32_t>(cursor.take<std::int32_t>());
    plane.offset = cursor.take<std::uint32_t>();
    plane.width = cursor.take<std::uint32_t>();
    plane.height = cursor.take<std::uint32_t>();
    plane.size = cursor.take<std::uint64_t>();
  }
  info.surface_layout = static_cast<SurfaceLayout>(cursor.take<std::int32_t>());
  const auto count = cursor.take<std::uint32_t>();
  if (count > kMostPlanes) {
    throw Error(ErrorCode::InvalidData,
                "the picture's description is wrong: it has " + std::to_string(count) + " planes");
  }
  info.color_planes.assign(planes.begin(), planes.begin() + count);
  return info;
}

AudioBufferInfo audio_info(Cursor cursor) {
  AudioBufferInfo info;
  cursor.take<std::int32_t>();  // storage: read back into system memory
  info.channels = cursor.take<std::uint32_t>();
  info.samples = cursor.take<std::uint32_t>();
  info.sampling_rate = cursor.take<std::uint32_t>();
  info.bytes_per_sample = cursor.take<std::uint32_t>();
  info.format = static_cast<AudioFormat>(cursor.take<std::int32_t>());
  info.layout = static_cast<AudioLayout>(cursor.take<std::int32_t>());
  return info;
}

/// Memory with the next `size` bytes of the endpoint.
OwnedMemory read_content(Allocator& allocator, std::uint64_t size, Endpoint& endpoint) {
  OwnedMemory memory;
  if (size > 0) {
    memory.allocate(allocator, size, MemoryStorageType::System);
    endpoint.read_all(memory.pointer(), size, "the content of a picture or sound");
  }
  return memory;
}

/// Gives the memory to the part; throws Error(InvalidData) when the description does not fit it.
template <class Part, class Info>
void adopt(Part& part, const Info& info, OwnedMemory memory) {
  auto owner = std::make_unique<OwnedMemory>(std::move(memory));
  try {
    part.wrap(info, owner->size(), owner->storage_type(), owner->pointer(), owner.get(),
              [](void* kept, void*) noexcept { delete static_cast<OwnedMemory*>(kept); });
  } catch (const Error& error) {
    throw Error(ErrorCode::InvalidData, "the description is wrong: " + error.message());
  }
  static_cast<void>(owner.release());
}

bool is_preface(const std::byte* bytes, const std::array<char, 8>& magic, std::size_t description) {
  Cursor cursor(bytes);
  return cursor.take<std::array<char, 8>>() == magic && cursor.take<std::uint32_t>() == kVersion &&
         cursor.take<std::uint32_t>() == description;
}

/// Whether this is a tensor of bytes without gaps that can hold a description.
bool may_be_envelope(const CheckedTensor& tensor, std::size_t description) {
  return tensor.shape.rank() == 1 && tensor.type == ElementType::UInt8 &&
         tensor.bytes_per_element == 1 && tensor.bytes >= kPreface + description;
}

void read_plain(const CheckedTensor& checked, std::string_view name, Allocator& allocator,
                Message& message, Endpoint& endpoint, const std::byte* start = nullptr,
                std::uint64_t begun = 0) {
  read_elements(checked, allocator, endpoint, message.add<Tensor>(name), start, begun);
}

}  // namespace

std::uint64_t write_video(const VideoBuffer& video, Endpoint& endpoint) {
  const std::uint64_t nominal = video.info().size();
  return write_envelope(describe(video), video.storage_type(), video.pointer(), video.size(),
                        nominal - std::min(nominal, video.size()), endpoint);
}

std::uint64_t write_audio(const AudioBuffer& audio, Endpoint& endpoint) {
  return write_envelope(describe(audio), audio.storage_type(), audio.pointer(), audio.size(), 0,
                        endpoint);
}

void read_tensor_part(std::string_view name, Allocator& allocator, Message& message,
                      Endpoint& endpoint) {
  const TensorHeader header = read_tensor_header(endpoint);
  const CheckedTensor checked = check(header, endpoint.readable());
  const bool video = name.substr(0, kVideoPrefix.size()) == kVideoPrefix;
  const bool audio = name.substr(0, kAudioPrefix.size()) == kAudioPrefix;
  const std::size_t description = video ? kVideoDescription : kAudioDescription;
  if ((!video && !audio) || !may_be_envelope(checked, description)) {
    read_plain(checked, name, allocator, message, endpoint);
    return;
  }
  std::array<std::byte, kPreface + kVideoDescription> start{};
  const std::size_t begun = kPreface + description;
  endpoint.read_all(start.data(), begun, "the description of a picture or sound");
  if (!is_preface(start.data(), video ? kVideoMagic : kAudioMagic, description)) {
    read_plain(checked, name, allocator, message, endpoint, start.data(), begun);
    return;
  }
  const Cursor cursor(start.data() + kPreface);
  OwnedMemory content = read_content(allocator, checked.bytes - begun, endpoint);
  if (video) {
    adopt(message.add<VideoBuffer>(name.substr(kVideoPrefix.size())), video_info(cursor),
          std::move(content));
  } else {
    adopt(message.add<AudioBuffer>(name.substr(kAudioPrefix.size())), audio_info(cursor),
          std::move(content));
  }
}

}  // namespace gxr
