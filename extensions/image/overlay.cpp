#include "image/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "gxr/host_copy.hpp"
#include "gxr/timestamp.hpp"
#include "image/gpu_tick.hpp"
#include "image/limits.hpp"
#include "image/message_parts.hpp"
#include "image/picture_parameters.hpp"

namespace gxr::image {
namespace {

std::array<float, 3> rgb_of(const std::vector<double>& color, const char* parameter) {
  if (color.size() != 3) {
    throw Error(ErrorCode::InvalidParameter, "'" + std::string(parameter) +
                                                 "' has 3 numbers, for red, green and blue, not " +
                                                 std::to_string(color.size()));
  }
  return {static_cast<float>(color[0]), static_cast<float>(color[1]), static_cast<float>(color[2])};
}

/// For a picture of 1 channel its luminance (BT.709), else red, green, blue, and a full alpha.
kernels::Paint paint_of(const std::array<float, 3>& rgb, std::int64_t channels) {
  if (channels == 1) {
    const float grey = 0.2126F * rgb[0] + 0.7152F * rgb[1] + 0.0722F * rgb[2];
    return {{std::clamp(grey, 0.0F, 1.0F)}};
  }
  return {{rgb[0], rgb[1], rgb[2], 1.0F}};
}

/// Far outside of each picture, for what a detector that went astray gives.
std::int64_t place_of(double place) {
  constexpr double kFar = 1e9;
  return std::isnan(place) ? 0 : std::llround(std::clamp(place, -kFar, kFar));
}

template <class T>
void add_boxes(const Tensor& tensor, std::vector<kernels::Rectangle>& boxes) {
  const HostView memory(tensor);
  const auto side = [&](std::int32_t row, std::int32_t column) {
    T value{};
    std::memcpy(&value,
                memory.pointer() + static_cast<std::uint64_t>(row) * tensor.stride(0) +
                    static_cast<std::uint64_t>(column) * tensor.stride(1),
                sizeof(T));
    return place_of(static_cast<double>(value));
  };
  for (std::int32_t row = 0; row < tensor.shape().dimension(0); ++row) {
    boxes.push_back({side(row, 0), side(row, 1), side(row, 2), side(row, 3)});
  }
}

const detail::Part* find_tensor_part(const Message& message, std::string_view name) {
  const auto* const found = std::find_if(message.begin(), message.end(), [&](const auto& part) {
    return part.id == TypeIdOf<Tensor>::value && (name.empty() || part.name == name);
  });
  return found == message.end() ? nullptr : found;
}

void add_boxes(const Message& message, std::string_view name, const char* port,
               std::vector<kernels::Rectangle>& boxes) {
  const detail::Part* const part = find_tensor_part(message, name);
  if (part == nullptr) {
    throw Error(ErrorCode::NotFound,
                (name.empty() ? "no tensor with boxes"
                              : "'boxes_tensor_name': no tensor '" + std::string(name) + "'") +
                    " in the message on '" + port + "'");
  }
  const auto& tensor = *static_cast<const Tensor*>(part->data);
  const Shape& shape = tensor.shape();
  const ElementType type = tensor.element_type();
  if (shape.rank() != 2 || shape.dimension(1) != 4 ||
      (type != ElementType::Int32 && type != ElementType::Float32)) {
    throw Error(ErrorCode::WrongType,
                "tensor '" + std::string(part->name) + "' on '" + port +
                    "': wanted boxes ([n, 4] of int32 or float32: left, top, right, bottom), got " +
                    describe(shape, type));
  }
  if (shape.dimension(0) == 0) {
    return;
  }
  type == ElementType::Int32 ? add_boxes<std::int32_t>(tensor, boxes)
                             : add_boxes<float>(tensor, boxes);
}

std::int64_t time_of(const Message& message) {
  const auto* const timestamp = message.find<Timestamp>();
  return timestamp != nullptr ? timestamp->acqtime : message.source_time();
}

}  // namespace

void Overlay::declare(Interface& interface) {
  takes_pictures(interface.input(in_, "in", "Receiver of messages with a picture"));
  interface.input(boxes_in_, "boxes_in", "Receiver of boxes, one message for each picture")
      .description(
          "A tensor [n, 4] of int32 or float32: left, top, right and bottom of each box in pixels "
          "of the picture; right and bottom are the first column and row behind it. Without this "
          "port, the picture's message may have the tensor: see 'boxes_tensor_name'.")
      .optional();
  sends_pictures(interface.output(out_, "out", "Transmitter of the pictures with what is drawn"));
  declare_pool(interface, pool_);
  declare_in_tensor_name(interface, in_tensor_name_);
  declare_out_tensor_name(interface, out_tensor_name_);
  out_part_.declare(interface);
  interface
      .parameter(boxes_tensor_name_, "boxes_tensor_name", "Tensor with boxes, in each message",
                 "Empty: the first one of the messages on 'boxes_in', and none without that port. "
                 "A MotionDetector calls it boxes.")
      .default_value("");
  interface
      .parameter(boxes_, "boxes", "Boxes that are always drawn",
                 "A list of [left, top, right, bottom] in pixels.")
      .default_value({});
  interface
      .parameter(box_color_, "box_color", "Red, green and blue of the boxes",
                 "Of a picture with one channel, their brightness counts.")
      .unit("parts of full scale")
      .range(0.0, 1.0)
      .default_value({1.0, 0.8, 0.0});
  interface.parameter(thickness_, "thickness", "Width of the lines of a box, within it")
      .unit("pixels")
      .range(1, kMaxSide)
      .default_value(2);
  declare_text(interface);
}

void Overlay::declare_text(Interface& interface) {
  interface
      .parameter(text_, "text", "Text to draw; empty: none",
                 "%n is the number of the message (%06n: with zeros), %t its time since the "
                 "beginning of the clock or the file (0:01:02.345), %T the same as a date and time "
                 "of UTC, for clocks that count from 1970; %% is a percent sign. Printable ASCII "
                 "characters; a frame stands for each other one.")
      .default_value("");
  interface.parameter(text_color_, "text_color", "Red, green and blue of the text")
      .unit("parts of full scale")
      .range(0.0, 1.0)
      .default_value({1.0, 1.0, 1.0});
  interface.parameter(scale_, "text_scale", "Size of a dot of the letters, which have 5 x 9 dots")
      .unit("pixels")
      .range(1, 256)
      .default_value(2);
  interface.parameter(corner_, "corner", "Where the text is").default_value(Corner::TopLeft);
  interface.parameter(margin_, "margin", "Distance of the text from the edges of the picture")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(8);
  interface
      .parameter(background_, "background", "How much darker the picture is behind the text",
                 "0: not at all. 1: black.")
      .range(0.0, 1.0)
      .default_value(0.5);
}

Overlay::Boxes Overlay::own_boxes() const {
  Boxes boxes;
  for (const std::vector<std::int32_t>& box : boxes_.get()) {
    if (box.size() != 4 || box[2] <= box[0] || box[3] <= box[1]) {
      throw Error(ErrorCode::InvalidParameter,
                  "'boxes', entry " + std::to_string(boxes.size()) +
                      ": write [left, top, right, bottom], with left before right and top above "
                      "bottom");
    }
    boxes.push_back({box[0], box[1], box[2], box[3]});
  }
  return boxes;
}

void Overlay::initialize() {
  own_boxes_ = own_boxes();
  pattern_ = OverlayText(text_.get());
  box_rgb_ = rgb_of(box_color_.get(), "box_color");
  text_rgb_ = rgb_of(text_color_.get(), "text_color");
}

Overlay::Boxes Overlay::all_boxes(const Message& message) const {
  Boxes boxes = own_boxes_;
  if (boxes_in_) {
    add_boxes(boxes_in_.receive(), boxes_tensor_name_.get(), "boxes_in", boxes);
  } else if (!boxes_tensor_name_.get().empty()) {
    add_boxes(message, boxes_tensor_name_.get(), "in", boxes);
  }
  return boxes;
}

template <class T>
void Overlay::draw_text(kernels::ImageView<T> image, const std::string& text) const {
  const std::int64_t scale = scale_.get();
  const kernels::TextSize size = kernels::text_size(text);
  const std::int64_t margin = margin_.get();
  const bool right = corner_.get() == Corner::TopRight || corner_.get() == Corner::BottomRight;
  const bool below = corner_.get() == Corner::BottomLeft || corner_.get() == Corner::BottomRight;
  const std::int64_t width = (size.columns + 1) * scale;
  const std::int64_t height = size.rows * scale;
  const std::int64_t left = right ? image.width - margin - width : margin;
  const std::int64_t top = below ? image.height - margin - height : margin;
  // A dot on each side of the letters, which have a gap of one behind them and of two below.
  kernels::paint_rectangle(
      image, {left, top, left + width, top + height},
      {paint_of({}, image.channels).color, static_cast<float>(background_.get())});
  kernels::draw_text(image, left + scale, top + scale, scale, text,
                     paint_of(text_rgb_, image.channels));
}

template <class T>
void Overlay::draw(kernels::ImageView<T> image, const Boxes& boxes, const std::string& text) const {
  const kernels::Paint paint = paint_of(box_rgb_, image.channels);
  for (const kernels::Rectangle& box : boxes) {
    kernels::paint_frame(image, box, thickness_.get(), paint);
  }
  if (!text.empty()) {
    draw_text(image, text);
  }
}

void Overlay::tick() {
  const Message message = in_.receive();
  const InputImage image = find_image(message, in_tensor_name_.get(), "in");
  if (image.shape.channels == 2) {
    throw_wrong_image(image, "a grey, RGB or RGBA picture (1, 3 or 4 channels)");
  }
  refuse_raw_picture(image, "letters and boxes would become coloured dots");
  const Boxes boxes = all_boxes(message);
  const std::string text = pattern_.of(message.sequence(), time_of(message));
  Message output = context().new_message();
  Tensor result;
  allocate_image(result, pool_.get().get(), nullptr, image.shape, image.type());
  Tensor copy;
  visit_image(reachable(image, nullptr, copy), [&](auto in) {
    using T = ElementOf<decltype(in)>;
    const auto out = view_as<T>(result, image.shape);
    copy_rows<T>(in, out);
    draw(out, boxes, text);
  });
  out_part_.add(output, out_tensor_name_.get().empty() ? image.name : out_tensor_name_.get(),
                std::move(result));
  pass_on(message, image, Geometry::Kept, output);
  out_.publish(std::move(output));
}

}  // namespace gxr::image
