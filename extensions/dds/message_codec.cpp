#include "dds/message_codec.hpp"

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dds/cdr_reader.hpp"
#include "dds/cdr_writer.hpp"
#include "dds/number_parts.hpp"
#include "dds/one_line.hpp"
#include "dds/part_names.hpp"
#include "dds/parts.hpp"
#include "dds/shared_memory.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/error.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::dds {
namespace {

constexpr std::size_t kAlignment = SampleBytes::kAlignment;
/// A number of this name is the pattern of a mosaic.
constexpr std::string_view kPatternName = "gxr::image::BayerPattern";
/// Bytes of a name in an error.
constexpr std::size_t kShownOfName = 64;

constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
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

/// Collects the parts of a message by kind, and writes them.
class Encoder {
 public:
  explicit Encoder(const Message& message) : message_(message) {
    for (const gxr::detail::Part& part : message) {
      take(part);
    }
  }

  SharedBytes encode() {
    writer_.number(message_.source_time());
    writer_.number(message_.sequence());
    write_list(tensors_, [&](const Part& part) { write_tensor(part); });
    write_list(pictures_, [&](const Part& part) { write_picture(part); });
    write_list(timestamps_, [&](const Part& part) {
      const auto& time = part.as<Timestamp>();
      writer_.number(time.pubtime);
      writer_.number(time.acqtime);
    });
    write_numbers();
    write_list(texts_, [&](const Part& part) { writer_.text(part.as<Text>().value); });
    write_padding();
    writer_.number(static_cast<std::uint32_t>(data_size_));
    for (const auto& write : data_) {
      writer_.align(kAlignment);
      write();
    }
    return writer_.finish();
  }

 private:
  struct Part {
    const gxr::detail::Part* part;
    std::uint64_t offset = 0;
    const std::byte* memory = nullptr;

    template <class T>
    [[nodiscard]] const T& as() const {
      return *static_cast<const T*>(part->data);
    }
  };

  void take(const gxr::detail::Part& part) {
    if (part.id == TypeIdOf<Tensor>::value) {
      take_tensor(part);
    } else if (part.id == TypeIdOf<VideoBuffer>::value) {
      take_picture(part);
    } else if (part.id == TypeIdOf<Timestamp>::value) {
      timestamps_.push_back({&part});
    } else if (number_kind(part.id)) {
      numbers_.push_back({&part});
    } else if (part.id == TypeIdOf<Text>::value) {
      texts_.push_back({&part});
    } else if (part.id == TypeIdOf<image::BayerPattern>::value) {
      patterns_.push_back({&part});
    } else if (part.id != TypeIdOf<cuda::CudaStreamId>::value) {  // that means nothing elsewhere
      throw Error(ErrorCode::NotSupported,
                  "part '" + std::string(part.name) + "' of type " +
                      std::string(part.operations->type_name()) + " (" + hexadecimal(part.id) +
                      ") cannot be sent: gxr/v1/Message has tensors, pictures, timestamps, "
                      "numbers and texts");
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

  void take_tensor(const gxr::detail::Part& part) {
    const auto& tensor = *static_cast<const Tensor*>(part.data);
    Part& taken = tensors_.emplace_back(Part{&part});
    taken.offset = reserve(tensor.size());
    if (tensor.size() == 0) {
      return;
    }
    taken.memory = views_.emplace_back(std::make_unique<HostView>(tensor))->pointer();
    data_.emplace_back([this, &tensor, memory = taken.memory] {
      if (tensor.is_contiguous()) {
        writer_.rows(memory, tensor.size(), 1, 0);
      } else {
        write_elements(tensor, memory, 0);
      }
    });
  }

  void take_picture(const gxr::detail::Part& part) {
    const auto& picture = *static_cast<const VideoBuffer*>(part.data);
    if (picture.info().surface_layout != SurfaceLayout::PitchLinear) {
      throw Error(ErrorCode::NotSupported, "picture '" + std::string(part.name) +
                                               "' cannot be sent: it does not lie in rows");
    }
    Part& taken = pictures_.emplace_back(Part{&part});
    taken.offset = reserve(picture.size());
    if (picture.size() == 0) {
      return;
    }
    taken.memory = views_
                       .emplace_back(std::make_unique<HostView>(picture.pointer(), picture.size(),
                                                                picture.storage_type()))
                       ->pointer();
    data_.emplace_back(
        [this, &picture, memory = taken.memory] { writer_.rows(memory, picture.size(), 1, 0); });
  }

  template <class Write>
  void write_list(const std::vector<Part>& parts, const Write& write) {
    writer_.number(static_cast<std::uint32_t>(parts.size()));
    for (const Part& part : parts) {
      writer_.text(part.part->name);
      write(part);
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

  void write_numbers() {
    writer_.number(static_cast<std::uint32_t>(numbers_.size() + patterns_.size()));
    for (const Part& part : numbers_) {
      writer_.text(part.part->name);
      write_number(*number_kind(part.part->id), part.part->data);
    }
    for (const Part& part : patterns_) {
      const auto pattern = static_cast<std::uint8_t>(part.as<image::BayerPattern>().layout);
      writer_.text(kPatternName);
      write_number(FieldKind::UInt8, &pattern);
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
    static constexpr std::array<std::byte, kAlignment> kZeros{};
    writer_.number(padding);
    writer_.block(kZeros.data(), 1, padding);
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
  std::vector<Part> tensors_;
  std::vector<Part> pictures_;
  std::vector<Part> timestamps_;
  std::vector<Part> numbers_;
  std::vector<Part> patterns_;  // which go as numbers of their own name
  std::vector<Part> texts_;
  std::vector<std::unique_ptr<HostView>> views_;  // until the data is copied
  std::vector<std::function<void()>> data_;
  std::uint64_t data_size_ = 0;
  CdrWriter writer_;
};

class Decoder {
 public:
  Decoder(const SharedBytes& sample, Message& message)
      : sample_(sample),
        message_(message),
        node_(read_sample(describe(kOwnMessages), {sample->body(), sample->size()})),
        data_(node_.at("data").numbers) {}

  void decode() {
    message_.set_source_time(node_.at("source_time").number<std::int64_t>());
    message_.set_sequence(node_.at("sequence").number<std::uint64_t>());
    for (const SampleNode& node : node_.at("tensors").children) {
      add_tensor(node);
    }
    for (const SampleNode& node : node_.at("pictures").children) {
      add_picture(node);
    }
    for (const SampleNode& node : node_.at("timestamps").children) {
      message_.add<Timestamp>(name_of(node), Timestamp{node.at("published").number<std::int64_t>(),
                                                       node.at("acquired").number<std::int64_t>()});
    }
    for (const SampleNode& node : node_.at("numbers").children) {
      add_number_of(node);
    }
    for (const SampleNode& node : node_.at("texts").children) {
      message_.add<Text>(name_of(node), Text{std::string(node.at("value").text)});
    }
  }

 private:
  [[noreturn]] static void throw_bad(const SampleNode& node, const std::string& reason) {
    throw Error(ErrorCode::InvalidData,
                "the " + node.field->structure->name.substr(std::string_view("gxr/v1/").size()) +
                    " '" + one_line(node.at("name").text.substr(0, kShownOfName)) +
                    "' of a message " + reason);
  }

  static std::string_view name_of(const SampleNode& node) {
    return part_name_of_others(node.at("name").text);
  }

  /// `size` bytes of data, in the sample or, where they are not aligned there, in another one.
  std::pair<SharedBytes, const std::byte*> find(const SampleNode& node, std::uint64_t size) const {
    const auto offset = node.at("offset").number<std::uint64_t>();
    if (offset > data_.size() || size > data_.size() - offset) {
      throw_bad(node, "is not within the data of its message: " + std::to_string(size) +
                          " bytes at " + std::to_string(offset) + " of " +
                          std::to_string(data_.size()));
    }
    const std::byte* const first = data_.data() + offset;
    if (reinterpret_cast<std::uintptr_t>(first) % kAlignment == 0 || size == 0) {
      return {sample_, first};
    }
    auto copy = std::make_shared<SampleBytes>(size);
    std::memcpy(copy->body(), first, size);
    const std::byte* const begin = copy->body();
    return {std::move(copy), begin};
  }

  void add_tensor(const SampleNode& node) {
    const SampleNode& dimensions = node.at("shape");
    if (dimensions.count > Shape::kMaxRank) {
      throw_bad(node, "has " + std::to_string(dimensions.count) + " dimensions; 8 are the most");
    }
    std::array<std::int32_t, Shape::kMaxRank> shape{};
    for (std::size_t i = 0; i < dimensions.count; ++i) {
      shape[i] = dimensions.number<std::int32_t>(i);
    }
    const auto type = static_cast<ElementType>(node.at("element_type").number<std::int32_t>());
    const auto bytes = node.at("bytes_per_element").number<std::uint64_t>();
    if (type == ElementType::Custom && bytes == 0 && dimensions.count == 0) {
      message_.add<Tensor>(name_of(node));  // one that has no memory
      return;
    }
    if (type < ElementType::Custom || type > ElementType::Float16 || bytes == 0 ||
        (type != ElementType::Custom && bytes != gxr::size_of(type))) {
      throw_bad(node, "has elements of type " + std::to_string(static_cast<int>(type)) + " with " +
                          std::to_string(bytes) + " bytes each");
    }
    message_.add<Tensor>(name_of(node),
                         make_tensor(node, shape_of(node, shape, dimensions.count), type, bytes));
  }

  static Shape shape_of(const SampleNode& node,
                        const std::array<std::int32_t, Shape::kMaxRank>& dimensions,
                        std::size_t rank) {
    try {
      return {dimensions.data(), rank};
    } catch (const Error& error) {
      throw_bad(node, "has no right shape: " + error.message());
    }
  }

  Tensor make_tensor(const SampleNode& node, const Shape& shape, ElementType type,
                     std::uint64_t bytes) const {
    const std::uint64_t count = shape.element_count();
    if (count > data_.size() / bytes) {  // so that nothing overflows
      throw_bad(node, "is not within the data of its message: " + std::to_string(count) +
                          " elements of " + std::to_string(bytes) + " bytes");
    }
    const auto [owner, first] = find(node, count * bytes);
    return tensor_within(owner, first, shape, type, bytes);
  }

  void add_picture(const SampleNode& node) {
    VideoBufferInfo info;
    info.format = static_cast<VideoFormat>(node.at("format").number<std::int64_t>());
    info.width = node.at("width").number<std::uint32_t>();
    info.height = node.at("height").number<std::uint32_t>();
    for (const SampleNode& plane : node.at("planes").children) {
      ColorPlane& added = info.color_planes.emplace_back();
      added.color_space = plane.at("color_space").text;
      added.bytes_per_pixel = plane.at("bytes_per_pixel").number<std::uint8_t>();
      added.stride = plane.at("stride").number<std::uint32_t>();
      added.offset = plane.at("offset").number<std::uint32_t>();
      added.width = plane.at("width").number<std::uint32_t>();
      added.height = plane.at("height").number<std::uint32_t>();
      added.size = std::uint64_t{added.stride} * added.height;
    }
    require_planes(node, info);
    const auto size = node.at("size").number<std::uint64_t>();
    const auto [owner, first] = find(node, size);
    try {
      message_.add<VideoBuffer>(name_of(node), picture_within(owner, first, size, info));
    } catch (const Error& error) {
      throw_bad(node, "cannot be taken: " + error.message());
    }
  }

  static void require_planes(const SampleNode& node, const VideoBufferInfo& info) {
    const auto wanted = color_planes(info.format);
    if (info.format != VideoFormat::Custom && wanted.size() != info.color_planes.size()) {
      throw_bad(node, "has " + std::to_string(info.color_planes.size()) +
                          " planes, which is not right for its format " + to_string(info.format));
    }
    const VideoBufferInfo whole = layout_of(node, info);
    for (std::size_t i = 0; i < info.color_planes.size(); ++i) {
      const ColorPlane& plane = info.color_planes[i];
      const bool right = info.format == VideoFormat::Custom ||
                         (plane.bytes_per_pixel == wanted[i].bytes_per_pixel &&
                          covers(plane, i, info.width, info.height, whole));
      if (!right || std::uint64_t{plane.width} * plane.bytes_per_pixel > plane.stride) {
        throw_bad(node, "has a plane " + std::to_string(i) +
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
  static VideoBufferInfo layout_of(const SampleNode& node, const VideoBufferInfo& info) {
    try {
      return info.format == VideoFormat::Custom
                 ? VideoBufferInfo{}
                 : video_layout(info.format, info.width, info.height, false);
    } catch (const Error& error) {
      throw_bad(node, "cannot be taken: " + error.message());
    }
  }

  void add_number_of(const SampleNode& node) {
    const std::optional<FieldKind> kind = number_kind(node.at("type").text);
    if (!kind) {
      throw_bad(node, "is of no known type: '" + std::string(node.at("type").text) + "'");
    }
    const std::byte* const value = node.at("value").numbers.data();
    if (node.at("name").text != kPatternName || *kind != FieldKind::UInt8) {
      return add_number(message_, name_of(node), *kind, value);
    }
    const auto pattern = std::to_integer<std::uint8_t>(*value);
    if (pattern > static_cast<std::uint8_t>(kernels::BayerPattern::kGbrg)) {
      throw_bad(node, "is no pattern of a mosaic: " + std::to_string(pattern));
    }
    message_.add<image::BayerPattern>(
        {}, image::BayerPattern{static_cast<kernels::BayerPattern>(pattern)});
  }

  const SharedBytes& sample_;
  Message& message_;
  SampleNode node_;
  std::span<const std::byte> data_;
};

}  // namespace

SharedBytes encode_message(const Message& message) { return Encoder(message).encode(); }

void decode_message(const SharedBytes& sample, Message& message) {
  Decoder(sample, message).decode();
}

}  // namespace gxr::dds
