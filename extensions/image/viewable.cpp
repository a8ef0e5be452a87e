#include "image/viewable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/kernels/convert.hpp"
#include "image/message_parts.hpp"
#include "image/picture_memory.hpp"
#include "image/picture_parameters.hpp"
#include "image/yuv_picture.hpp"

namespace gxr::image {
namespace {

/// A format of one plane: its elements, and whether blue comes first.
struct OnePlane {
  VideoFormat format;
  ElementType type;
  std::int64_t channels;
  bool blue_first;
};
constexpr std::array<OnePlane, 9> kOnePlane{{
    {VideoFormat::Rgb, ElementType::UInt8, 3, false},
    {VideoFormat::Bgr, ElementType::UInt8, 3, true},
    {VideoFormat::Rgba, ElementType::UInt8, 4, false},
    {VideoFormat::Bgra, ElementType::UInt8, 4, true},
    {VideoFormat::Gray, ElementType::UInt8, 1, false},
    {VideoFormat::Gray16, ElementType::UInt16, 1, false},
    {VideoFormat::Gray32F, ElementType::Float32, 1, false},
    {VideoFormat::Rgb16, ElementType::UInt16, 3, false},
    {VideoFormat::Bgr16, ElementType::UInt16, 3, true},
}};

const std::byte* place_of(const Pixels& pixels, std::int64_t y, std::int64_t x, std::int64_t c) {
  return pixels.first + static_cast<std::uint64_t>(y) * pixels.strides[0] +
         static_cast<std::uint64_t>(x) * pixels.strides[1] +
         static_cast<std::uint64_t>(c) * pixels.strides[2];
}

template <class T>
T element_at(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// Calls `use(T{})` with the type of the elements. Throws Error(WrongType) for complex ones.
template <class F>
void visit_number(ElementType type, F&& use) {
  switch (type) {
    case ElementType::Int8:
      return use(std::int8_t{});
    case ElementType::UInt8:
      return use(std::uint8_t{});
    case ElementType::Int16:
      return use(std::int16_t{});
    case ElementType::UInt16:
      return use(std::uint16_t{});
    case ElementType::Int32:
      return use(std::int32_t{});
    case ElementType::UInt32:
      return use(std::uint32_t{});
    case ElementType::Int64:
      return use(std::int64_t{});
    case ElementType::UInt64:
      return use(std::uint64_t{});
    case ElementType::Float32:
      return use(float{});
    case ElementType::Float64:
      return use(double{});
    default:
      throw Error(ErrorCode::WrongType,
                  std::string("elements of ") + to_string(type) + " cannot be shown");
  }
}

template <class T, class F>
void for_each_element(const Pixels& pixels, F&& use) {
  for (std::int64_t y = 0; y < pixels.shape.height; ++y) {
    for (std::int64_t x = 0; x < pixels.shape.width; ++x) {
      for (std::int64_t c = 0; c < pixels.shape.channels; ++c) {
        use(element_at<T>(place_of(pixels, y, x, c)));
      }
    }
  }
}

/// From the least finite value, 0, to the greatest, 65535; not-a-number is 0.
template <class T>
void stretch(const Pixels& pixels, std::uint16_t* to) {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for_each_element<T>(pixels, [&](T element) {
    const auto value = static_cast<double>(element);
    if (std::isfinite(value)) {
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  });
  constexpr double kFull = 65535.0;
  // Halves, as the difference of two numbers may be greater than any.
  const double width = greatest / 2 - least / 2;
  for_each_element<T>(pixels, [&](T element) {
    const double place = width > 0 ? (static_cast<double>(element) / 2 - least / 2) / width : 0.0;
    *to++ = std::isnan(place)
                ? std::uint16_t{0}
                : static_cast<std::uint16_t>(std::lround(std::clamp(place, 0.0, 1.0) * kFull));
  });
}

bool is_shown_as_it_is(const Tensor& tensor) {
  const std::int32_t channels = tensor.rank() < 3 ? 1 : tensor.shape().dimension(2);
  switch (tensor.element_type()) {
    case ElementType::UInt8:
    case ElementType::UInt16:
      return channels != 2;
    case ElementType::Float32:
      return channels >= 3;
    default:
      return false;
  }
}

Pixels pixels_of(const Tensor& tensor, std::string_view name, const std::byte* first) {
  const Shape& shape = tensor.shape();
  const auto throw_wrong = [&](const char* wanted) {
    throw Error(ErrorCode::WrongType, "tensor '" + std::string(name) + "' on 'in': wanted " +
                                          wanted + ", got " +
                                          describe(shape, tensor.element_type()));
  };
  if (shape.rank() < 2 || shape.rank() > 3 || shape.element_count() == 0) {
    throw_wrong("a picture (height x width, or height x width x channels)");
  }
  Pixels pixels;
  pixels.first = first;
  pixels.type = tensor.element_type();
  pixels.shape = {shape.dimension(0), shape.dimension(1),
                  shape.rank() == 3 ? shape.dimension(2) : 1};
  pixels.strides = {tensor.stride(0), tensor.stride(1), shape.rank() == 3 ? tensor.stride(2) : 0};
  const bool is_pairs = pixels.shape.channels == 2 && pixels.type == ElementType::UInt8 &&
                        pixels.shape.width % 2 == 0 && pixels.strides[1] == 2 &&
                        pixels.strides[2] == 1;
  if (pixels.shape.channels > 4 || (pixels.shape.channels == 2 && !is_pairs)) {
    throw_wrong("1, 3 or 4 channels, or a YUY2 picture");
  }
  return pixels;
}

}  // namespace

void Viewable::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages with a picture: a tensor or a VideoBuffer");
  interface.output(out_, "out", "Transmitter of messages with the result")
      .description(
          "Pictures of uint8 and uint16 stay as they are, and colours of float32, which are from 0 "
          "to 1. YUY2 (2 channels of uint8), NV12 and I420 become RGB, and pictures with blue "
          "first begin with red. All others, as depth, become uint16, from the least value of the "
          "picture to the greatest; not-a-number is 0. Pictures that cannot be shown are dropped, "
          "with "
          "a warning.")
      .other_parts();
  declare_pool(interface, pool_);
  interface
      .parameter(in_tensor_name_, "in_tensor_name",
                 "Tensor or VideoBuffer to read; empty: the message's first")
      .default_value("");
}

void Viewable::turn(const VideoBuffer& buffer, std::string_view name, Message& output) {
  const VideoBufferInfo& info = buffer.info();
  const auto plane = std::ranges::find(kOnePlane, info.format, &OnePlane::format);
  Tensor& result = output.add<Tensor>(name);
  if (plane == kOnePlane.end()) {
    const YuvPicture yuv = read_planes(buffer, name, "in");
    const ImageShape shape{yuv.view.height, yuv.view.width, 3};
    allocate_on_host(result, pool_.get().get(), tensor_shape(shape), ElementType::UInt8);
    kernels::yuv_to_color(yuv.view, view_as<std::uint8_t>(result, shape), yuv.coding,
                          kernels::ColorOrder::kRgb);
    return;
  }
  const ImageShape shape{info.height, info.width, plane->channels};
  const std::uint64_t pixel = size_of(plane->type) * static_cast<std::uint64_t>(plane->channels);
  const bool whole =
      info.surface_layout == SurfaceLayout::PitchLinear && info.width > 0 && info.height > 0 &&
      info.color_planes.size() == 1 && info.color_planes[0].stride >= info.width * pixel &&
      info.color_planes[0].stride % size_of(plane->type) == 0 && buffer.pointer() != nullptr &&
      info.color_planes[0].offset + std::uint64_t{info.color_planes[0].stride} * info.height <=
          buffer.size();
  if (!whole) {
    throw Error(ErrorCode::InvalidData, "VideoBuffer '" + std::string(name) +
                                            "' on 'in': its memory does not hold its " +
                                            std::to_string(info.width) + " x " +
                                            std::to_string(info.height) + " pixels in rows");
  }
  const std::uint64_t stride = info.color_planes[0].stride;
  const HostView memory(
      static_cast<const std::byte*>(buffer.pointer()) + info.color_planes[0].offset,
      stride * info.height, buffer.storage_type());
  const auto copy = [&](auto sample) {
    using T = decltype(sample);
    constexpr std::array<int, 4> kSame{0, 1, 2, 3};
    constexpr std::array<int, 4> kTurned{2, 1, 0, 3};
    allocate_on_host(result, pool_.get().get(), tensor_shape(shape), plane->type);
    kernels::permute_channels<T>(
        {reinterpret_cast<const T*>(memory.pointer()), shape.width, shape.height, shape.channels,
         static_cast<std::ptrdiff_t>(stride)},
        view_as<T>(result, shape), (plane->blue_first ? kTurned : kSame).data());
  };
  if (plane->type == ElementType::UInt8) {
    copy(std::uint8_t{});
  } else if (plane->type == ElementType::UInt16) {
    copy(std::uint16_t{});
  } else {
    stretch_to({memory.pointer(), shape, plane->type, {stride, pixel, size_of(plane->type)}},
               result);
  }
}

void Viewable::turn(const Tensor& tensor, std::string_view name, Message& output) {
  const HostView memory(tensor);
  const Pixels pixels = pixels_of(tensor, name, memory.pointer());
  Tensor& result = output.add<Tensor>(name);
  if (pixels.type != ElementType::UInt8) {
    stretch_to(pixels, result);
    return;
  }
  const ImageShape shape{pixels.shape.height, pixels.shape.width, 3};
  allocate_on_host(result, pool_.get().get(), tensor_shape(shape), ElementType::UInt8);
  kernels::yuv_to_color(yuy2_view(reinterpret_cast<const std::uint8_t*>(pixels.first), pixels.shape,
                                  static_cast<std::ptrdiff_t>(pixels.strides[0])),
                        view_as<std::uint8_t>(result, shape), usual_coding(shape.height),
                        kernels::ColorOrder::kRgb);
}

void Viewable::stretch_to(const Pixels& pixels, Tensor& result) const {
  allocate_on_host(result, pool_.get().get(), tensor_shape(pixels.shape), ElementType::UInt16);
  visit_number(pixels.type, [&](auto sample) {
    stretch<decltype(sample)>(pixels, static_cast<std::uint16_t*>(result.pointer()));
  });
}

void Viewable::start() { dropped_ = 0; }

void Viewable::show(const Message& message, Message& output) {
  const detail::Part& part = find_picture(message, in_tensor_name_.get(), "in");
  const Tensor none;
  if (part.id == TypeIdOf<VideoBuffer>::value) {
    turn(*static_cast<const VideoBuffer*>(part.data), part.name, output);
    pass_on(message, none, Geometry::Changed, output);
  } else if (const auto& tensor = *static_cast<const Tensor*>(part.data);
             is_shown_as_it_is(tensor)) {
    output = message;
  } else {
    turn(tensor, part.name, output);
    pass_on(message, tensor, Geometry::Changed, output);
  }
}

void Viewable::tick() {
  Message message = in_.receive();
  Message output = context().new_message();
  try {
    show(message, output);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::WrongType && error.code() != ErrorCode::InvalidData) {
      throw;
    }
    // A picture of another program must not end this run.
    if (dropped_++ == 0) {
      log_warning("a message was dropped: " + error.message() + "; more may follow");
    }
    return;
  }
  message.reset();
  out_.publish(std::move(output));
}

void Viewable::stop() {
  if (dropped_ > 0) {
    log_info("dropped " + std::to_string(dropped_) + (dropped_ == 1 ? " message" : " messages"));
  }
}

}  // namespace gxr::image
