#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dds/cdr_writer.hpp"
#include "dds/message_codec.hpp"
#include "dds/number_parts.hpp"
#include "dds/part_names.hpp"
#include "dds/parts.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/error.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::dds {
namespace {

constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + SampleBytes::kAlignment - 1) / SampleBytes::kAlignment * SampleBytes::kAlignment;
}

std::string hexadecimal(TypeId id) {
  std::string text;
  for (const std::uint64_t half : {id.hash1, id.hash2}) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      text += "0123456789abcdef"[half >> shift & 0xf];
    }
  }
  return text;
}

/// The list of a sample that holds a part.
enum class PartList : std::uint8_t { Tensors, Pictures, Timestamps, Numbers, Texts, None };

/// The list for parts of this type. Nullopt: a sample has none.
std::optional<PartList> list_of(TypeId type) {
  if (type == TypeIdOf<Tensor>::value) {
    return PartList::Tensors;
  }
  if (type == TypeIdOf<VideoBuffer>::value) {
    return PartList::Pictures;
  }
  if (type == TypeIdOf<Timestamp>::value) {
    return PartList::Timestamps;
  }
  if (type == TypeIdOf<Text>::value) {
    return PartList::Texts;
  }
  if (type == TypeIdOf<image::BayerPattern>::value || number_kind(type)) {
    return PartList::Numbers;
  }
  if (type == TypeIdOf<cuda::CudaStreamId>::value) {
    return PartList::None;  // a stream means nothing in another process
  }
  return std::nullopt;
}

/// Assigns each part of a message to a list, and writes the lists.
class Encoder {
 public:
  explicit Encoder(const Message& message) : message_(message) {
    parts_.reserve(message.size());
    for (const gxr::detail::Part& part : message) {
      take(part);
    }
  }

  SharedBytes encode() {
    writer_.number(message_.source_time());
    writer_.number(message_.sequence());
    write_list(PartList::Tensors, [this](const Part& part) { write_tensor(part); });
    write_list(PartList::Pictures, [this](const Part& part) { write_picture(part); });
    write_list(PartList::Timestamps, [this](const Part& part) {
      const auto& time = part.as<Timestamp>();
      writer_.number(time.pubtime);
      writer_.number(time.acqtime);
    });
    write_list(PartList::Numbers, [this](const Part& part) { write_number(part); });
    write_list(PartList::Texts, [this](const Part& part) { writer_.text(part.as<Text>().value); });
    write_padding();
    writer_.number(static_cast<std::uint32_t>(data_size_));
    for (const Part& part : parts_) {
      write_data(part);
    }
    return writer_.finish();
  }

 private:
  struct Part {
    const gxr::detail::Part* part;
    PartList list;
    std::uint64_t offset = 0;           // within the data
    const std::byte* memory = nullptr;  // nullptr: the part has no data

    template <class T>
    [[nodiscard]] const T& as() const {
      return *static_cast<const T*>(part->data);
    }
    /// A pattern goes as a number of its own name.
    [[nodiscard]] bool is_pattern() const {
      return part->id == TypeIdOf<image::BayerPattern>::value;
    }
  };

  void take(const gxr::detail::Part& part) {
    const std::optional<PartList> list = list_of(part.id);
    if (!list) {
      throw Error(ErrorCode::NotSupported,
                  "part '" + std::string(part.name) + "' of type " +
                      std::string(part.operations->type_name()) + " (" + hexadecimal(part.id) +
                      ") cannot be sent: gxr/v1/Message has tensors, pictures, timestamps, "
                      "numbers and texts");
    }
    Part& taken = parts_.emplace_back(Part{&part, *list});
    if (*list == PartList::Tensors) {
      take_tensor(taken);
    } else if (*list == PartList::Pictures) {
      take_picture(taken);
    }
  }

  /// Where the next bytes of data begin. Throws when they do not fit.
  std::uint64_t reserve(std::uint64_t size) {
    if (size == 0) {
      return 0;
    }
    const std::uint64_t offset = aligned(data_size_);
    if (size > SampleBytes::kMostBytes || offset > SampleBytes::kMostBytes - size) {
      throw Error(ErrorCode::InvalidData,
                  "the message has more than 4 GiB, which no sample can hold");
    }
    data_size_ = offset + size;
    return offset;
  }

  /// The memory itself, or a copy of device memory, which stays as long as the encoder.
  const std::byte* on_host(const void* memory, std::uint64_t size, MemoryStorageType storage) {
    if (storage != MemoryStorageType::Device) {
      return static_cast<const std::byte*>(memory);
    }
    return copies_.emplace_back(std::make_unique<HostView>(memory, size, storage))->pointer();
  }

  void take_tensor(Part& taken) {
    const auto& tensor = taken.as<Tensor>();
    taken.offset = reserve(tensor.size());
    if (tensor.size() > 0) {
      taken.memory = on_host(tensor.pointer(), tensor.span_bytes(), tensor.storage_type());
    }
  }

  void take_picture(Part& taken) {
    const auto& picture = taken.as<VideoBuffer>();
    if (picture.info().surface_layout != SurfaceLayout::PitchLinear) {
      throw Error(ErrorCode::NotSupported, "picture '" + std::string(taken.part->name) +
                                               "' cannot be sent: it does not lie in rows");
    }
    taken.offset = reserve(picture.size());
    if (picture.size() > 0) {
      taken.memory = on_host(picture.pointer(), picture.size(), picture.storage_type());
    }
  }

  template <class Write>
  void write_list(PartList list, const Write& write) {
    writer_.number(static_cast<std::uint32_t>(std::ranges::count(parts_, list, &Part::list)));
    for (const Part& part : parts_) {
      if (part.list == list) {
        writer_.text(part.is_pattern() ? kPatternPart : part.part->name);
        write(part);
      }
    }
  }

  void write_tensor(const Part& part) {
    const auto& tensor = part.as<Tensor>();
    writer_.number(static_cast<std::int32_t>(tensor.element_type()));
    writer_.number(tensor.bytes_per_element());
    writer_.number(tensor.rank());
    for (std::uint32_t i = 0; i < tensor.rank(); ++i) {
      writer_.number(tensor.shape().dimension(i));
    }
    writer_.number(part.offset);
  }

  void write_picture(const Part& part) {
    const auto& picture = part.as<VideoBuffer>();
    const VideoBufferInfo& info = picture.info();
    writer_.number(static_cast<std::int64_t>(info.format));
    writer_.number(info.width);
    writer_.number(info.height);
    writer_.number(static_cast<std::uint32_t>(info.color_planes.size()));
    for (const ColorPlane& plane : info.color_planes) {
      writer_.text(plane.color_space);
      writer_.number(plane.bytes_per_pixel);
      writer_.number(plane.stride);
      writer_.number(plane.offset);
      writer_.number(plane.width);
      writer_.number(plane.height);
    }
    writer_.number(part.offset);
    writer_.number(picture.size());
  }

  void write_number(const Part& part) {
    if (part.is_pattern()) {
      const auto pattern = static_cast<std::uint8_t>(part.as<image::BayerPattern>().layout);
      write_number(FieldKind::UInt8, &pattern);
    } else {
      write_number(*number_kind(part.part->id), part.part->data);
    }
  }

  void write_number(FieldKind kind, const void* number) {
    std::array<std::byte, sizeof(std::uint64_t)> value{};
    std::memcpy(value.data(), number, size_of(kind));
    writer_.text(to_string(kind));
    writer_.block(value.data(), 1, value.size());
  }

  /// So that the data begins at a multiple of the alignment.
  void write_padding() {
    writer_.align(sizeof(std::uint32_t));
    const std::size_t behind_lengths = writer_.position() + 2 * sizeof(std::uint32_t);
    const auto padding = static_cast<std::uint32_t>(aligned(behind_lengths) - behind_lengths);
    static constexpr std::array<std::byte, SampleBytes::kAlignment> kZeros{};
    writer_.number(padding);
    writer_.block(kZeros.data(), 1, padding);
  }

  void write_data(const Part& part) {
    if (part.memory == nullptr) {
      return;
    }
    writer_.align(SampleBytes::kAlignment);
    if (part.list == PartList::Pictures) {
      writer_.rows(part.memory, part.as<VideoBuffer>().size(), 1, 0);
    } else if (const auto& tensor = part.as<Tensor>(); tensor.is_contiguous()) {
      writer_.rows(part.memory, tensor.size(), 1, 0);
    } else {
      write_elements(tensor, part.memory, 0);
    }
  }

  /// Those of a tensor with gaps, from this dimension on.
  void write_elements(const Tensor& tensor, const std::byte* first, std::uint32_t dimension) {
    std::uint64_t block = tensor.bytes_per_element();  // bytes of each element of the dimension
    bool whole = true;                                 // without gaps
    for (std::uint32_t i = tensor.rank(); i-- > dimension + 1;) {
      whole = whole && tensor.stride(i) == block;
      block *= static_cast<std::uint64_t>(tensor.shape().dimension(i));
    }
    const auto count = static_cast<std::uint64_t>(tensor.shape().dimension(dimension));
    if (whole) {
      writer_.rows(first, block, count, tensor.stride(dimension));
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      write_elements(tensor, first + i * tensor.stride(dimension), dimension + 1);
    }
  }

  const Message& message_;
  std::vector<Part> parts_;                        // in the order of the message
  std::vector<std::unique_ptr<HostView>> copies_;  // until the data is copied
  std::uint64_t data_size_ = 0;
  CdrWriter writer_;
};

}  // namespace

SharedBytes encode_message(const Message& message) { return Encoder(message).encode(); }

}  // namespace gxr::dds
