#include "dds/ros_writing.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "dds/cdr_writer.hpp"
#include "dds/encodings.hpp"
#include "dds/number_parts.hpp"
#include "dds/ros_shapes.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/error.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::dds {
namespace {

constexpr std::uint8_t kBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : 0;

/// Rows of pixels in the memory of a part.
struct Rows {
  std::string encoding;
  const std::byte* first = nullptr;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint64_t row = 0;     ///< bytes
  std::uint64_t stride = 0;  ///< bytes from one to the next
};

class RosWriter {
 public:
  RosWriter(const Description& type, const Message& message, const RosDefaults& defaults,
            const RosTimes& times)
      : type_(type), message_(message), defaults_(defaults), times_(times) {
    for (const gxr::detail::Part& part : message) {
      parts_.emplace(part.name, &part);  // the first of a name
    }
  }

  Sample write() {
    if (type_.name == kImage) {
      write_header();
      write_picture();
    } else if (type_.name == kPointCloud) {
      write_header();
      write_points();
    } else {
      write_fields(type_, "");
    }
    return {&type_, writer_.finish()};
  }

  [[nodiscard]] std::vector<std::string> left_out() const {
    std::vector<std::string> names;
    for (const gxr::detail::Part& part : message_) {
      const bool is_about_message = part.id == TypeIdOf<cuda::CudaStreamId>::value ||
                                    part.id == TypeIdOf<image::BayerPattern>::value ||
                                    part.id == TypeIdOf<Timestamp>::value ||
                                    part.name == "discontinuity";
      if (!used_.contains(&part) && !is_about_message) {
        names.emplace_back(part.name);
      }
    }
    return names;
  }

 private:
  [[noreturn]] void throw_wrong(std::string_view name, const std::string& reason) const {
    throw Error(ErrorCode::WrongType,
                "part '" + std::string(name) + "' " + reason + " of " + type_.name);
  }

  [[nodiscard]] const gxr::detail::Part* find(std::string_view name) const {
    const auto found = parts_.lower_bound(name);
    return found == parts_.end() || found->first != name ? nullptr : found->second;
  }

  const gxr::detail::Part* use(std::string_view name) {
    const gxr::detail::Part* const part = find(name);
    if (part != nullptr) {
      used_.insert(part);
    }
    return part;
  }

  // --- all fields from parts
  // ----------------------------------------------------------------------

  void write_fields(const Description& type, const std::string& path) {
    for (const Field& field : type.fields) {
      write_field(type, field, path.empty() ? field.name : path + "." + field.name);
    }
  }

  void write_field(const Description& type, const Field& field, const std::string& path) {
    const std::string name = part_name(path);
    if (size_of(field.kind) > 0) {
      return field.form == FieldForm::Single
                 ? write_number(field, name, type.name == kQuaternion && field.name == "w")
                 : write_list(field, name);
    }
    if (field.form == FieldForm::Single) {
      return write_element(field, path, name);
    }
    std::uint32_t count = 0;
    while (has_element(path + "." + std::to_string(count))) {
      ++count;
    }
    writer_.number(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string element = path + "." + std::to_string(i);
      write_element(field, element, element);
    }
  }

  [[nodiscard]] bool has_element(const std::string& path) const {
    const std::string within = path + ".";
    const auto next = parts_.lower_bound(within);
    return find(path) != nullptr || (next != parts_.end() && next->first.starts_with(within));
  }

  void write_element(const Field& field, const std::string& path, const std::string& name) {
    if (field.kind == FieldKind::Text) {
      write_text(name);
    } else if (field.structure->name == kTime) {
      write_time(name);
    } else if (is_vector(*field.structure) && find(name) != nullptr) {
      write_vector(*field.structure, name);
    } else {
      write_fields(*field.structure, path);
    }
  }

  void write_number(const Field& field, const std::string& name, bool is_one) {
    const gxr::detail::Part* const part = use(name);
    const std::size_t size = size_of(field.kind);
    std::array<std::byte, sizeof(std::uint64_t)> value{};
    if (part == nullptr) {
      const double one = is_one ? 1.0 : 0.0;  // of a rotation that does not turn
      std::memcpy(value.data(), &one, sizeof(one));
    } else if (number_kind(part->id) == field.kind) {
      std::memcpy(value.data(), part->data, size);
    } else {
      throw_wrong(name, std::string("is no ") + to_string(field.kind) +
                            ", which the field of that name is");
    }
    writer_.align(size);
    writer_.bytes(value.data(), size);
  }

  void write_text(const std::string& name) {
    const gxr::detail::Part* const part = use(name);
    if (part == nullptr) {
      return writer_.text(type_.name == kCompressedImage && name == "format" ? form_of_file()
                                                                             : default_text(name));
    }
    if (part->id != TypeIdOf<Text>::value) {
      throw_wrong(name, "is no gxr::dds::Text, which is needed for a field");
    }
    writer_.text(static_cast<const Text*>(part->data)->value);
  }

  /// Of the compressed picture, by its first bytes; empty: not known.
  std::string_view form_of_file() {
    using namespace std::string_view_literals;
    const auto* const data = message_.find<Tensor>("data");
    if (data == nullptr || data->element_type() != ElementType::UInt8 || data->size() < 4) {
      return {};
    }
    const std::string_view begin(reinterpret_cast<const char*>(view(*data)), 4);
    return begin.starts_with("\xff\xd8\xff"sv)        ? "jpeg"
           : begin == "\x89PNG"sv                     ? "png"
           : begin == "II*\0"sv || begin == "MM\0*"sv ? "tiff"
                                                      : "";
  }

  [[nodiscard]] std::string_view default_text(std::string_view name) const {
    const std::string_view last = name.substr(name.rfind('.') + 1);
    return last == kFramePart         ? defaults_.frame_id
           : last == "child_frame_id" ? defaults_.child_frame_id
                                      : std::string_view();
  }

  /// The part of that name, else the time of the message, for the header of an element, too.
  void write_time(const std::string& name) {
    const auto* time = message_.find<Timestamp>(name);
    time = time != nullptr ? time : message_.find<Timestamp>(kTimestampPart);
    const RosTime stamp = time != nullptr ? times_.to_ros(time->acqtime) : times_.now();
    writer_.number(stamp.seconds);
    writer_.number(stamp.nanoseconds);
  }

  const Tensor& use_tensor(const std::string& name, FieldKind kind) {
    const gxr::detail::Part* const part = use(name);
    if (part->id != TypeIdOf<Tensor>::value) {
      throw_wrong(name, "is no tensor, which is needed for a field");
    }
    const auto& tensor = *static_cast<const Tensor*>(part->data);
    if (tensor.element_type() != element_type(kind)) {
      throw_wrong(name, std::string("is a tensor of ") + gxr::to_string(tensor.element_type()) +
                            ", not of " + to_string(kind) + " as the field");
    }
    if (!tensor.is_contiguous()) {
      throw_wrong(name, "is a tensor with gaps, which cannot be a field");
    }
    return tensor;
  }

  void write_vector(const Description& type, const std::string& name) {
    const FieldKind kind = type.fields.front().kind;
    const Tensor& tensor = use_tensor(name, kind);
    require_count(name, tensor, type.fields.size());
    writer_.block(view(tensor), size_of(kind), type.fields.size());
  }

  void require_count(const std::string& name, const Tensor& tensor, std::size_t count) const {
    if (tensor.element_count() != count) {
      throw_wrong(name, "has " + std::to_string(tensor.element_count()) + " elements, not the " +
                            std::to_string(count) + " of the field");
    }
  }

  void write_list(const Field& field, const std::string& name) {
    const std::size_t size = size_of(field.kind);
    const bool is_there = find(name) != nullptr;
    const Tensor* const tensor = is_there ? &use_tensor(name, field.kind) : nullptr;
    if (field.form == FieldForm::Sequence) {
      const std::uint64_t count = is_there ? tensor->element_count() : 0;
      writer_.length(count);
      if (count > 0) {
        writer_.block(view(*tensor), size, count);
      }
      return;
    }
    if (is_there) {
      require_count(name, *tensor, field.length);
      writer_.block(view(*tensor), size, field.length);
    } else {
      const std::vector<std::byte> zeros(size * field.length);
      writer_.align(size);
      writer_.bytes(zeros.data(), zeros.size());
    }
  }

  const std::byte* view(const Tensor& tensor) {
    return tensor.size() == 0 ? nullptr
                              : views_.emplace_back(std::make_unique<HostView>(tensor))->pointer();
  }

  void write_header() {
    const Field& header = type_.fields.front();
    write_fields(*header.structure, header.name);
  }

  // --- pictures
  // -----------------------------------------------------------------------------------

  void write_picture() {
    const Rows rows = find_rows();
    writer_.number(rows.height);
    writer_.number(rows.width);
    writer_.text(rows.encoding);
    writer_.number(kBigEndian);
    writer_.number(static_cast<std::uint32_t>(rows.row));
    writer_.length(rows.row * rows.height);
    writer_.rows(rows.first, rows.row, rows.height, rows.stride);
  }

  Rows find_rows() {
    for (const gxr::detail::Part& part : message_) {
      const bool is_wanted = defaults_.picture.empty() || part.name == defaults_.picture;
      if (is_wanted && part.id == TypeIdOf<Tensor>::value) {
        used_.insert(&part);
        return rows_of(part.name, *static_cast<const Tensor*>(part.data));
      }
      if (is_wanted && part.id == TypeIdOf<VideoBuffer>::value) {
        used_.insert(&part);
        return rows_of(part.name, *static_cast<const VideoBuffer*>(part.data));
      }
    }
    throw Error(ErrorCode::NotFound,
                defaults_.picture.empty()
                    ? "the message has no tensor or picture to be sent as " + type_.name
                    : "the message has no tensor or picture '" + defaults_.picture + "'");
  }

  Rows rows_of(std::string_view name, const Tensor& tensor) {
    const Shape& shape = tensor.shape();
    const std::int32_t channels = shape.rank() == 3 ? shape.dimension(2) : 1;
    const std::uint64_t pixel = static_cast<std::uint64_t>(channels) * tensor.bytes_per_element();
    const bool has_whole_pixels =
        tensor.stride(1) == pixel &&
        (shape.rank() < 3 || channels == 1 || tensor.stride(2) == tensor.bytes_per_element());
    if (shape.rank() < 2 || shape.rank() > 3 || tensor.size() == 0 || !has_whole_pixels) {
      throw_wrong(name, "is a tensor " + shape.to_string() +
                            ", not height x width x channels without gaps in rows, as a picture");
    }
    const auto* const bayer = message_.find<image::BayerPattern>();
    const std::string encoding = encoding_of_tensor(
        tensor.element_type(), channels,
        bayer != nullptr && channels == 1 ? std::optional(bayer->layout) : std::nullopt);
    if (encoding.empty()) {
      throw Error(ErrorCode::NotSupported,
                  "the picture '" + std::string(name) + "', " + shape.to_string() + " " +
                      gxr::to_string(tensor.element_type()) + ", has no encoding in ROS 2");
    }
    Rows rows;
    rows.encoding = chosen_encoding(encoding, pixel);
    rows.first = view(tensor);
    rows.height = static_cast<std::uint32_t>(shape.dimension(0));
    rows.width = static_cast<std::uint32_t>(shape.dimension(1));
    rows.row = rows.width * pixel;
    rows.stride = tensor.stride(0);
    return rows;
  }

  Rows rows_of(std::string_view name, const VideoBuffer& picture) {
    const VideoBufferInfo& info = picture.info();
    const std::string encoding = encoding_of_format(info.format);
    if (encoding.empty() || info.color_planes.size() != 1 ||
        info.surface_layout != SurfaceLayout::PitchLinear) {
      throw Error(ErrorCode::NotSupported,
                  "the picture '" + std::string(name) + "' of the format " +
                      gxr::to_string(info.format) +
                      " has no encoding in ROS 2: put a gxr::image::ColorConverter before this");
    }
    const ColorPlane& plane = info.color_planes.front();
    views_.push_back(
        std::make_unique<HostView>(picture.pointer(), picture.size(), picture.storage_type()));
    Rows rows;
    rows.encoding = chosen_encoding(encoding, plane.bytes_per_pixel);
    rows.first = views_.back()->pointer() + plane.offset;
    rows.height = info.height;
    rows.width = info.width;
    rows.row = std::uint64_t{info.width} * plane.bytes_per_pixel;
    rows.stride = plane.stride;
    const std::uint64_t end =
        info.height == 0 ? 0 : (info.height - 1) * rows.stride + rows.row + plane.offset;
    if (rows.row > rows.stride || end > picture.size()) {
      throw_wrong(name, "has " + std::to_string(picture.size()) + " bytes, too few for " +
                            std::to_string(info.width) + " x " + std::to_string(info.height) +
                            " pixels, as a picture");
    }
    return rows;
  }

  [[nodiscard]] std::string chosen_encoding(const std::string& natural,
                                            std::uint64_t pixel_bytes) const {
    if (defaults_.encoding.empty()) {
      return natural;
    }
    const auto chosen = find_encoding(defaults_.encoding);
    if (!chosen || chosen->pixel_bytes() != pixel_bytes ||
        chosen->arrangement != Arrangement::Same) {
      throw Error(ErrorCode::InvalidParameter,
                  "'encoding' cannot be '" + defaults_.encoding + "' for a picture that is " +
                      natural + ": a pixel of that has " + std::to_string(pixel_bytes) + " bytes");
    }
    return defaults_.encoding;
  }

  // --- points
  // -------------------------------------------------------------------------------------

  struct PointField {
    std::string_view name;
    const Tensor* tensor = nullptr;
    const std::byte* memory = nullptr;
    std::uint8_t datatype = 0;
    std::uint32_t offset = 0;
    std::uint32_t count = 1;
  };

  void write_points() {
    std::uint32_t point = 0;
    const std::vector<PointField> fields = find_point_fields(point);
    const auto height = static_cast<std::uint32_t>(fields.front().tensor->shape().dimension(0));
    const auto width = static_cast<std::uint32_t>(fields.front().tensor->shape().dimension(1));
    writer_.number(height);
    writer_.number(width);
    writer_.number(static_cast<std::uint32_t>(fields.size()));
    for (const PointField& field : fields) {
      writer_.text(field.name);
      writer_.number(field.offset);
      writer_.number(field.datatype);
      writer_.number(field.count);
    }
    writer_.number(kBigEndian);
    writer_.number(point);
    const std::uint64_t row = std::uint64_t{point} * width;
    writer_.length(row);  // of a row, which has the same limit
    points_.resize(row * height);
    for (const PointField& field : fields) {
      place(field, point, height, width);
    }
    writer_.length(points_.size());
    writer_.block(points_.data(), 1, points_.size());
    const gxr::detail::Part* const dense = use("is_dense");
    writer_.number(static_cast<std::uint8_t>(dense == nullptr ||
                                             dense->id != TypeIdOf<bool>::value ||
                                             *static_cast<const bool*>(dense->data)));
  }

  std::vector<PointField> find_point_fields(std::uint32_t& point) {
    std::vector<PointField> fields;
    for (const gxr::detail::Part& part : message_) {
      if (part.id != TypeIdOf<Tensor>::value) {
        continue;
      }
      const auto& tensor = *static_cast<const Tensor*>(part.data);
      const auto datatype = datatype_of(tensor.element_type());
      const Shape& shape = tensor.shape();
      if (!datatype || shape.rank() < 2 || shape.rank() > 3 ||
          (!fields.empty() && !has_same_points(*fields.front().tensor, tensor))) {
        throw_wrong(part.name, "is a tensor " + shape.to_string() + " of " +
                                   gxr::to_string(tensor.element_type()) +
                                   ", which cannot be a field beside the others");
      }
      used_.insert(&part);
      PointField& field = fields.emplace_back();
      field.name = part.name;
      field.tensor = &tensor;
      field.memory = view(tensor);
      field.datatype = *datatype;
      field.count = shape.rank() == 3 ? static_cast<std::uint32_t>(shape.dimension(2)) : 1;
      const std::uint64_t size = tensor.bytes_per_element();
      const std::uint64_t offset = (point + size - 1) / size * size;
      const std::uint64_t end = offset + size * field.count;
      if (end > std::numeric_limits<std::uint32_t>::max()) {
        throw_wrong(part.name, "ends " + std::to_string(end) +
                                   " bytes behind the begin of its point, more than can be told");
      }
      field.offset = static_cast<std::uint32_t>(offset);
      point = static_cast<std::uint32_t>(end);
    }
    if (fields.empty()) {
      throw Error(ErrorCode::NotFound, "the message has no tensors to be sent as " + type_.name +
                                           ": one for each field, height x width");
    }
    return fields;
  }

  static bool has_same_points(const Tensor& a, const Tensor& b) {
    return a.shape().dimension(0) == b.shape().dimension(0) &&
           a.shape().dimension(1) == b.shape().dimension(1);
  }

  static std::optional<std::uint8_t> datatype_of(ElementType type) {
    for (int kind = 0; kind < static_cast<int>(FieldKind::Text); ++kind) {
      const auto each = static_cast<FieldKind>(kind);
      if (element_type(each) == type && point_datatype(each)) {
        return point_datatype(each);
      }
    }
    return std::nullopt;
  }

  void place(const PointField& field, std::uint32_t point, std::uint32_t height,
             std::uint32_t width) {
    const Tensor& tensor = *field.tensor;
    const std::uint64_t size = tensor.bytes_per_element();
    if (tensor.size() == 0) {
      return;  // no points, or none of their elements
    }
    std::byte* to = points_.data() + field.offset;
    for (std::uint32_t y = 0; y < height; ++y) {
      for (std::uint32_t x = 0; x < width; ++x, to += point) {
        const std::byte* const from = field.memory + y * tensor.stride(0) + x * tensor.stride(1);
        for (std::uint32_t i = 0; i < field.count; ++i) {
          std::memcpy(to + i * size, from + i * tensor.stride(2), size);
        }
      }
    }
  }

  const Description& type_;
  const Message& message_;
  const RosDefaults& defaults_;
  const RosTimes& times_;
  CdrWriter writer_;
  std::map<std::string_view, const gxr::detail::Part*> parts_;  // by name
  std::set<const gxr::detail::Part*> used_;
  std::vector<std::unique_ptr<HostView>> views_;
  std::vector<std::byte> points_;
};

}  // namespace

Sample write_ros(const Description& type, const Message& message, const RosDefaults& defaults,
                 const RosTimes& times, std::vector<std::string>& left_out) {
  RosWriter writer(type, message, defaults, times);
  Sample sample = writer.write();
  left_out = writer.left_out();
  return sample;
}

}  // namespace gxr::dds
