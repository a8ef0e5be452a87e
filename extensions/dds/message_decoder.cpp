#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "dds/cdr_reader.hpp"
#include "dds/message_codec.hpp"
#include "dds/number_parts.hpp"
#include "dds/one_line.hpp"
#include "dds/part_names.hpp"
#include "dds/parts.hpp"
#include "dds/shared_memory.hpp"
#include "gxr/error.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::dds {
namespace {

/// Bytes of a name in an error.
constexpr std::size_t kShownOfName = 64;

/// A structure of a sample that becomes a part of the message.
class Source {
 public:
  explicit Source(FieldReader& fields) : type_(fields.type()), name_(fields.text()) {}

  [[noreturn]] void throw_bad(const std::string& reason) const {
    throw Error(ErrorCode::InvalidData,
                "the " + type_.name.substr(std::string_view("gxr/v1/").size()) + " '" +
                    one_line(name_.substr(0, kShownOfName)) + "' of a message " + reason);
  }

  /// The name in the sample.
  [[nodiscard]] std::string_view name() const { return name_; }
  /// The name of the part. Throws what part_name_of_others() throws.
  [[nodiscard]] std::string_view part_name() const { return part_name_of_others(name_); }

 private:
  const Description& type_;
  std::string_view name_;
};

class Decoder {
 public:
  Decoder(const SharedBytes& sample, Message& message) : sample_(sample), message_(message) {}

  void decode() {
    const Description& type = describe(kOwnMessages);
    const std::span<const std::byte> body(sample_->body(), sample_->size());
    data_ = last_numbers(type, body);
    CdrReader reader(type, body);
    FieldReader fields(type, reader);
    message_.set_source_time(fields.number<std::int64_t>());
    message_.set_sequence(fields.number<std::uint64_t>());
    fields.each([this](FieldReader& tensor) { add_tensor(tensor); });
    fields.each([this](FieldReader& picture) { add_picture(picture); });
    fields.each([this](FieldReader& time) {
      const Source source(time);
      Timestamp added;
      added.pubtime = time.number<std::int64_t>();
      added.acqtime = time.number<std::int64_t>();
      message_.add<Timestamp>(source.part_name(), added);
    });
    fields.each([this](FieldReader& number) { add_number_of(number); });
    fields.each([this](FieldReader& text) {
      const Source source(text);
      message_.add<Text>(source.part_name(), Text{std::string(text.text())});
    });
  }

 private:
  /// `size` bytes of data, in the sample or, where they are not aligned there, in another one.
  std::pair<SharedBytes, const std::byte*> find(const Source& source, std::uint64_t offset,
                                                std::uint64_t size) {
    if (offset > data_.size() || size > data_.size() - offset) {
      source.throw_bad("is not within the data of its message: " + std::to_string(size) +
                       " bytes at " + std::to_string(offset) + " of " +
                       std::to_string(data_.size()));
    }
    const std::byte* const first = data_.data() + offset;
    if (reinterpret_cast<std::uintptr_t>(first) % SampleBytes::kAlignment == 0 || size == 0) {
      return {sample_, first};
    }
    // Parts may lie over each other; their copies are no larger than the data.
    if (size > data_.size() - copied_) {
      source.throw_bad("and others before it lie over each other, and are not aligned");
    }
    copied_ += size;
    auto copy = std::make_shared<SampleBytes>(size);
    std::memcpy(copy->body(), first, size);
    const std::byte* const begin = copy->body();
    return {std::move(copy), begin};
  }

  void add_tensor(FieldReader& fields) {
    const Source source(fields);
    const auto type = static_cast<ElementType>(fields.number<std::int32_t>());
    const auto bytes = fields.number<std::uint64_t>();
    const std::span<const std::byte> dimensions = fields.numbers();
    const auto offset = fields.number<std::uint64_t>();
    const std::size_t rank = dimensions.size() / sizeof(std::int32_t);
    if (rank > Shape::kMaxRank) {
      source.throw_bad("has " + std::to_string(rank) + " dimensions; 8 are the most");
    }
    if (type == ElementType::Custom && bytes == 0 && rank == 0) {
      message_.add<Tensor>(source.part_name());  // one that has no memory
      return;
    }
    if (type < ElementType::Custom || type > ElementType::Float16 || bytes == 0 ||
        (type != ElementType::Custom && bytes != gxr::size_of(type))) {
      source.throw_bad("has elements of type " + std::to_string(static_cast<int>(type)) + " with " +
                       std::to_string(bytes) + " bytes each");
    }
    const Shape shape = shape_of(source, dimensions);
    const std::uint64_t count = shape.element_count();
    if (count > data_.size() / bytes) {  // so that nothing overflows
      source.throw_bad("is not within the data of its message: " + std::to_string(count) +
                       " elements of " + std::to_string(bytes) + " bytes");
    }
    const auto [owner, first] = find(source, offset, count * bytes);
    message_.add<Tensor>(source.part_name(), tensor_within(owner, first, shape, type, bytes));
  }

  /// At most Shape::kMaxRank dimensions.
  static Shape shape_of(const Source& source, std::span<const std::byte> dimensions) {
    std::array<std::int32_t, Shape::kMaxRank> shape{};
    std::ranges::copy(dimensions, std::as_writable_bytes(std::span(shape)).begin());
    try {
      return {shape.data(), dimensions.size() / sizeof(std::int32_t)};
    } catch (const Error& error) {
      source.throw_bad("has no right shape: " + error.message());
    }
  }

  void add_picture(FieldReader& fields) {
    const Source source(fields);
    VideoBufferInfo info;
    info.format = static_cast<VideoFormat>(fields.number<std::int64_t>());
    info.width = fields.number<std::uint32_t>();
    info.height = fields.number<std::uint32_t>();
    fields.each([&info](FieldReader& plane) {
      ColorPlane& added = info.color_planes.emplace_back();
      added.color_space = plane.text();
      added.bytes_per_pixel = plane.number<std::uint8_t>();
      added.stride = plane.number<std::uint32_t>();
      added.offset = plane.number<std::uint32_t>();
      added.width = plane.number<std::uint32_t>();
      added.height = plane.number<std::uint32_t>();
      added.size = std::uint64_t{added.stride} * added.height;
    });
    const auto offset = fields.number<std::uint64_t>();
    const auto size = fields.number<std::uint64_t>();
    require_planes(source, info);
    const auto [owner, first] = find(source, offset, size);
    try {
      message_.add<VideoBuffer>(source.part_name(), picture_within(owner, first, size, info));
    } catch (const Error& error) {
      source.throw_bad("cannot be taken: " + error.message());
    }
  }

  static void require_planes(const Source& source, const VideoBufferInfo& info) {
    const auto wanted = color_planes(info.format);
    if (info.format != VideoFormat::Custom && wanted.size() != info.color_planes.size()) {
      source.throw_bad("has " + std::to_string(info.color_planes.size()) +
                       " planes, which is not right for its format " + to_string(info.format));
    }
    const VideoBufferInfo whole = layout_of(source, info);
    for (std::size_t i = 0; i < info.color_planes.size(); ++i) {
      const ColorPlane& plane = info.color_planes[i];
      const bool right = info.format == VideoFormat::Custom ||
                         (plane.bytes_per_pixel == wanted[i].bytes_per_pixel &&
                          covers(plane, i, info.width, info.height, whole));
      if (!right || std::uint64_t{plane.width} * plane.bytes_per_pixel > plane.stride) {
        source.throw_bad("has a plane " + std::to_string(i) +
                         " that is not right for its format, width and height");
      }
    }
  }

  /// Has a plane all pixels of its picture? `whole` is how a picture of this size is by itself.
  static bool covers(const ColorPlane& plane, std::size_t number, std::uint32_t width,
                     std::uint32_t height, const VideoBufferInfo& whole) {
    const ColorPlane& first = whole.color_planes.front();
    const ColorPlane& own = whole.color_planes[number];
    const std::uint32_t columns = own.width < first.width ? width / 2 + width % 2 : width;
    const std::uint32_t rows = own.height < first.height ? height / 2 + height % 2 : height;
    return plane.width >= columns && plane.height >= rows;
  }

  /// The default layout; empty for Custom.
  static VideoBufferInfo layout_of(const Source& source, const VideoBufferInfo& info) {
    try {
      return info.format == VideoFormat::Custom
                 ? VideoBufferInfo{}
                 : video_layout(info.format, info.width, info.height, false);
    } catch (const Error& error) {
      source.throw_bad("cannot be taken: " + error.message());
    }
  }

  void add_number_of(FieldReader& fields) {
    const Source source(fields);
    const std::string_view type = fields.text();
    const std::byte* const value = fields.numbers().data();
    const std::optional<FieldKind> kind = number_kind(type);
    if (!kind) {
      source.throw_bad("is of no known type: '" + std::string(type) + "'");
    }
    if (source.name() != kPatternPart || *kind != FieldKind::UInt8) {
      return add_number(message_, source.part_name(), *kind, value);
    }
    const auto pattern = std::to_integer<std::uint8_t>(*value);
    if (pattern > static_cast<std::uint8_t>(kernels::BayerPattern::kGbrg)) {
      source.throw_bad("is no pattern of a mosaic: " + std::to_string(pattern));
    }
    message_.add<image::BayerPattern>(
        {}, image::BayerPattern{static_cast<kernels::BayerPattern>(pattern)});
  }

  const SharedBytes& sample_;
  Message& message_;
  std::span<const std::byte> data_;
  std::uint64_t copied_ = 0;  // bytes
};

}  // namespace

void decode_message(const SharedBytes& sample, Message& message) {
  Decoder(sample, message).decode();
}

}  // namespace gxr::dds
