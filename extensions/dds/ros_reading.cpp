#include "dds/ros_reading.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "dds/cdr_reader.hpp"
#include "dds/encodings.hpp"
#include "dds/number_parts.hpp"
#include "dds/part_names.hpp"
#include "dds/ros_shapes.hpp"
#include "dds/shared_memory.hpp"
#include "gxr/error.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::dds {
namespace {

constexpr bool kIsBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/// Elements in the memory of a sample, which may lie anywhere, and in any byte order.
struct Grid {
  const std::byte* first = nullptr;
  Shape shape;
  ElementType type = ElementType::UInt8;
  Strides strides{};
  bool is_turned = false;  ///< the other byte order than this machine's
};

class RosReader {
 public:
  RosReader(Sample sample, const RosTimes& times, BluesFirst blues, Message& message)
      : type_(*sample.type),
        bytes_(take_bytes(std::move(sample.bytes))),
        times_(times),
        blues_(blues),
        message_(message),
        node_(read_sample(type_, {bytes_->body(), bytes_->size()})) {}

  void read() {
    if (type_.name == kImage) {
      read_header();
      read_picture();
    } else if (type_.name == kPointCloud) {
      read_header();
      read_points();
    } else {
      read_fields(node_, type_, "");
    }
  }

 private:
  [[noreturn]] void throw_bad(const std::string& reason) const {
    throw Error(ErrorCode::InvalidData, "the " + type_.name + " " + reason);
  }

  // --- all fields as parts
  // ------------------------------------------------------------------------

  void read_fields(const SampleNode& node, const Description& type, const std::string& path) {
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      const Field& field = type.fields[i];
      read_field(node.children[i], field, path.empty() ? field.name : path + "." + field.name);
    }
  }

  void read_field(const SampleNode& node, const Field& field, const std::string& path) {
    const std::string name = part_name(path);
    static_cast<void>(part_name_of_others(name));  // it has the numbers of elements in it
    if (size_of(field.kind) > 0) {
      return field.form == FieldForm::Single
                 ? add_number(message_, name, field.kind, node.numbers.data())
                 : add_list(name, node);
    }
    if (field.form == FieldForm::Single) {
      return read_element(node, field, path, name);
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const std::string element = path + "." + std::to_string(i);
      static_cast<void>(part_name_of_others(element));
      read_element(node.children[i], field, element, element);
    }
  }

  void read_element(const SampleNode& node, const Field& field, const std::string& path,
                    const std::string& name) {
    if (field.kind == FieldKind::Text) {
      message_.add<Text>(name, Text{std::string(node.text)});
    } else if (field.structure->name == kTime) {
      add_time(node, name);
    } else if (is_vector(*field.structure)) {
      add_vector(name, node, *field.structure);
    } else {
      read_fields(node, *field.structure, path);
    }
  }

  void add_time(const SampleNode& node, const std::string& name) {
    const std::int64_t time = times_.from_ros(
        {node.at("sec").number<std::int32_t>(), node.at("nanosec").number<std::uint32_t>()});
    message_.add<Timestamp>(name, Timestamp{0, time});
    if (name == kTimestampPart) {
      message_.set_source_time(time);
    }
  }

  void add_vector(const std::string& name, const SampleNode& node, const Description& type) {
    const std::size_t size = size_of(type.fields[0].kind);
    auto memory = std::make_shared<SampleBytes>(size * node.children.size());
    std::byte* to = memory->body();
    for (const SampleNode& child : node.children) {
      std::memcpy(to, child.numbers.data(), size);
      to += size;
    }
    message_.add<Tensor>(name, tensor_within(memory, memory->body(),
                                             Shape{static_cast<std::int32_t>(node.children.size())},
                                             element_type(type.fields[0].kind)));
  }

  void add_list(const std::string& name, const SampleNode& node) {
    Grid grid;
    grid.first = node.numbers.data();
    grid.type = element_type(node.field->kind);
    grid.shape = Shape{extent(node.count)};
    grid.strides[0] = size_of(node.field->kind);
    add_tensor(name, grid);
  }

  [[nodiscard]] std::int32_t extent(std::uint64_t count) const {
    if (count > std::numeric_limits<std::int32_t>::max()) {
      throw_bad("has " + std::to_string(count) + " elements in a row, more than a tensor can have");
    }
    return static_cast<std::int32_t>(count);
  }

  void read_header() {
    read_fields(node_.at("header"), *node_.at("header").field->structure, "header");
  }

  // --- elements in the sample
  // ---------------------------------------------------------------------

  [[nodiscard]] static bool is_usable(const Grid& grid) {
    const std::uint64_t size = gxr::size_of(grid.type);
    bool usable = !grid.is_turned && reinterpret_cast<std::uintptr_t>(grid.first) % size == 0;
    for (std::uint32_t i = 0; i < grid.shape.rank(); ++i) {
      usable = usable && grid.strides[i] % size == 0;
    }
    return usable;
  }

  void add_tensor(std::string_view name, const Grid& grid) {
    if (grid.shape.element_count() == 0 || is_usable(grid)) {
      message_.add<Tensor>(
          name, tensor_within(bytes_, grid.first, grid.shape, grid.type, 0, &grid.strides));
      return;
    }
    const SharedBytes memory = copy(grid);
    message_.add<Tensor>(name, tensor_within(memory, memory->body(), grid.shape, grid.type));
  }

  /// Without gaps, in the byte order of this machine. All copies of a sample are no larger than it:
  /// fields of points may lie over each other.
  SharedBytes copy(const Grid& grid) {
    const std::uint64_t size = gxr::size_of(grid.type);
    const std::uint64_t bytes = size * grid.shape.element_count();
    if (bytes > bytes_->size() - copied_) {
      throw_bad("has fields that lie over each other, which together are larger than it");
    }
    copied_ += bytes;
    auto memory = std::make_shared<SampleBytes>(bytes);
    std::byte* to = memory->body();
    copy_elements(grid, 0, grid.first, to);
    return memory;
  }

  static void copy_elements(const Grid& grid, std::uint32_t dimension, const std::byte* from,
                            std::byte*& to) {
    const std::uint64_t size = gxr::size_of(grid.type);
    const std::uint64_t row = size * static_cast<std::uint64_t>(grid.shape.dimension(2));
    if (!grid.is_turned && grid.shape.rank() == 3 && dimension == 1 && grid.strides[1] == row) {
      const std::uint64_t bytes = row * static_cast<std::uint64_t>(grid.shape.dimension(1));
      std::memcpy(to, from, bytes);
      to += bytes;
      return;
    }
    if (dimension == grid.shape.rank()) {
      std::memcpy(to, from, size);
      if (grid.is_turned) {
        std::reverse(to, to + size);
      }
      to += size;
      return;
    }
    for (std::int32_t i = 0; i < grid.shape.dimension(dimension); ++i) {
      copy_elements(grid, dimension + 1,
                    from + static_cast<std::uint64_t>(i) * grid.strides[dimension], to);
    }
  }

  // --- pictures
  // -----------------------------------------------------------------------------------

  void read_picture() {
    const auto height = node_.at("height").number<std::uint32_t>();
    const auto width = node_.at("width").number<std::uint32_t>();
    const auto step = node_.at("step").number<std::uint32_t>();
    const std::string name(node_.at("encoding").text);
    const auto encoding = find_encoding(name);
    if (!encoding) {
      throw Error(ErrorCode::NotSupported, "a picture of the encoding '" + name +
                                               "' cannot be read; those that can are " +
                                               known_encodings());
    }
    const SampleNode& data = node_.at("data");
    const std::uint64_t row = width * encoding->pixel_bytes();
    const bool is_nv21 = encoding->arrangement == Arrangement::PairsBackward;
    const std::uint64_t rows = std::uint64_t{height} + (is_nv21 ? height / 2 : 0);
    if (width == 0 || height == 0 || row > step || (rows - 1) * step + row > data.count ||
        (is_nv21 && (width % 2 != 0 || height % 2 != 0))) {
      throw_bad("of " + std::to_string(width) + " x " + std::to_string(height) + " pixels '" +
                name + "' with " + std::to_string(step) + " bytes in each row has " +
                std::to_string(data.count) + " bytes of data, which does not fit");
    }
    Grid grid;
    grid.first = data.numbers.data();
    grid.shape = Shape{extent(height), extent(width), encoding->channels};
    grid.type = encoding->type;
    grid.strides = {step, encoding->pixel_bytes(), gxr::size_of(encoding->type)};
    grid.is_turned = gxr::size_of(encoding->type) > 1 &&
                     (node_.at("is_bigendian").number<std::uint8_t>() != 0) != kIsBigEndian;
    if (is_nv21) {
      add_nv12(grid);
    } else if (encoding->arrangement == Arrangement::LumaSecond) {
      add_exchanged(grid);
    } else if (encoding->format == VideoFormat::Custom) {
      add_tensor(kPicturePart, grid);
    } else if (blues_ == BluesFirst::Turned) {
      add_turned(grid);
    } else {
      add_planes(*encoding, grid);
    }
    if (encoding->pattern) {
      message_.add<image::BayerPattern>({}, image::BayerPattern{*encoding->pattern});
    }
  }

  static void exchange_pairs(std::byte* first, const std::byte* end) {
    for (std::byte* at = first; at != end; at += 2) {
      std::swap(at[0], at[1]);
    }
  }

  /// With the bytes of each pair exchanged.
  void add_exchanged(const Grid& grid) {
    const SharedBytes memory = copy(grid);
    exchange_pairs(memory->body(), memory->body() + memory->size());
    message_.add<Tensor>(kPicturePart,
                         tensor_within(memory, memory->body(), grid.shape, grid.type));
  }

  /// `grid` is that of the luma; the rows of pairs of chroma lie behind it.
  void add_nv12(const Grid& grid) {
    const auto height = static_cast<std::uint32_t>(grid.shape.dimension(0));
    const auto width = static_cast<std::uint32_t>(grid.shape.dimension(1));
    Grid rows = grid;
    rows.shape = Shape{extent(std::uint64_t{height} + height / 2), grid.shape.dimension(1), 1};
    const SharedBytes memory = copy(rows);
    const std::uint32_t luma = width * height;
    exchange_pairs(memory->body() + luma, memory->body() + memory->size());
    VideoBufferInfo info{width, height, VideoFormat::Nv12, color_planes(VideoFormat::Nv12)};
    set_plane(info.color_planes.at(0), 0, width, height, width);
    set_plane(info.color_planes.at(1), luma, width / 2, height / 2, width);
    message_.add<VideoBuffer>(kPicturePart,
                              picture_within(memory, memory->body(), memory->size(), info));
  }

  static void set_plane(ColorPlane& plane, std::uint32_t offset, std::uint32_t width,
                        std::uint32_t height, std::uint32_t stride) {
    plane.offset = offset;
    plane.width = width;
    plane.height = height;
    plane.stride = stride;
    plane.size = std::uint64_t{stride} * height;
  }

  /// With red and blue exchanged.
  void add_turned(const Grid& grid) {
    const SharedBytes memory = copy(grid);
    const std::uint64_t size = gxr::size_of(grid.type);
    const std::uint64_t pixel = size * static_cast<std::uint64_t>(grid.shape.dimension(2));
    std::byte* const end = memory->body() + memory->size();
    for (std::byte* at = memory->body(); at != end; at += pixel) {
      std::swap_ranges(at, at + size, at + 2 * size);
    }
    message_.add<Tensor>(kPicturePart,
                         tensor_within(memory, memory->body(), grid.shape, grid.type));
  }

  void add_planes(const Encoding& encoding, const Grid& grid) {
    const auto height = static_cast<std::uint32_t>(grid.shape.dimension(0));
    const auto width = static_cast<std::uint32_t>(grid.shape.dimension(1));
    SharedBytes memory = bytes_;
    const std::byte* first = grid.first;
    std::uint64_t step = grid.strides[0];
    std::uint64_t size = node_.at("data").count;
    if (!is_usable(grid) || size < step * height) {
      memory = copy(grid);
      first = memory->body();
      step = width * encoding.pixel_bytes();
      size = step * height;
    }
    VideoBufferInfo info{width, height, encoding.format, color_planes(encoding.format)};
    set_plane(info.color_planes.at(0), 0, width, height, static_cast<std::uint32_t>(step));
    message_.add<VideoBuffer>(kPicturePart, picture_within(memory, first, size, info));
  }

  // --- points
  // -------------------------------------------------------------------------------------

  void read_points() {
    const auto height = node_.at("height").number<std::uint32_t>();
    const auto width = node_.at("width").number<std::uint32_t>();
    const auto point_step = node_.at("point_step").number<std::uint32_t>();
    const auto row_step = node_.at("row_step").number<std::uint32_t>();
    const SampleNode& data = node_.at("data");
    const bool any = width > 0 && height > 0;
    const std::uint64_t row = std::uint64_t{width} * point_step;
    if (any && (row > row_step || std::uint64_t{height - 1} * row_step + row > data.count)) {
      throw_bad("of " + std::to_string(width) + " x " + std::to_string(height) + " points with " +
                std::to_string(point_step) + " bytes each has " + std::to_string(data.count) +
                " bytes of data, which does not fit");
    }
    for (const SampleNode& field : node_.at("fields").children) {
      Grid grid = grid_of(field, point_step);
      const auto count = field.at("count").number<std::uint32_t>();
      grid.first = data.numbers.data() + (any ? field.at("offset").number<std::uint32_t>() : 0);
      grid.strides = {row_step, point_step, gxr::size_of(grid.type)};
      grid.shape = count == 1 ? Shape{extent(height), extent(width)}
                              : Shape{extent(height), extent(width), extent(count)};
      grid.is_turned = (node_.at("is_bigendian").number<std::uint8_t>() != 0) != kIsBigEndian;
      add_tensor(part_name_of_others(field.at("name").text), grid);
    }
    message_.add<bool>("is_dense", node_.at("is_dense").number<std::uint8_t>() != 0);
  }

  [[nodiscard]] Grid grid_of(const SampleNode& field, std::uint32_t point_step) const {
    const std::string name(field.at("name").text);
    const auto kind = point_kind(field.at("datatype").number<std::uint8_t>());
    if (!kind) {
      throw_bad("has a field '" + name + "' of no known type: " +
                std::to_string(field.at("datatype").number<std::uint8_t>()));
    }
    Grid grid;
    grid.type = element_type(*kind);
    const std::uint64_t end =
        field.at("offset").number<std::uint32_t>() +
        std::uint64_t{field.at("count").number<std::uint32_t>()} * gxr::size_of(grid.type);
    if (end > point_step) {
      throw_bad("has a field '" + name + "' that ends " + std::to_string(end - point_step) +
                " bytes behind its point");
    }
    return grid;
  }

  const Description& type_;
  SharedBytes bytes_;
  const RosTimes& times_;
  BluesFirst blues_;
  Message& message_;
  SampleNode node_;
  std::uint64_t copied_ = 0;  // bytes
};

}  // namespace

void read_ros(Sample sample, const RosTimes& times, BluesFirst blues, Message& message) {
  RosReader(std::move(sample), times, blues, message).read();
}

}  // namespace gxr::dds
