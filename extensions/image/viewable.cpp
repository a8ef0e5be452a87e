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
#include "image/gpu_tick.hpp"
#include "image/message_parts.hpp"
#include "image/picture_memory.hpp"
#include "image/picture_parameters.hpp"
#include "image/yuv_picture.hpp"

namespace gxr::image {
namespace {

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
  const YuvPicture yuv = read_planes(buffer, name, "in");
  Tensor& result = output.add<Tensor>(name);
  const ImageShape shape{yuv.view.height, yuv.view.width, 3};
  allocate_on_host(result, pool_.get().get(), tensor_shape(shape), ElementType::UInt8);
  kernels::yuv_to_color(yuv.view, view_as<std::uint8_t>(result, shape), yuv.coding,
                        kernels::ColorOrder::kRgb);
}

void Viewable::turn(const InputImage& image, Message& output) {
  Tensor copy;
  const InputImage there = reachable(image, nullptr, copy);
  Tensor& result = output.add<Tensor>(image.name);
  if (image.type() == ElementType::Float32) {
    const Strides& strides = there.tensor->strides();
    return stretch_to({static_cast<const std::byte*>(there.tensor->pointer()),
                       image.shape,
                       image.type(),
                       {strides[0], strides[1], strides[2]}},
                      result);
  }
  allocate_image(result, pool_.get().get(), nullptr, image.shape, image.type());
  visit_image(there, [&](auto from) {
    using T = ElementOf<decltype(from)>;
    copy_rows<T>(from, view_as<T>(result, image.shape));
  });
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
  if (part.id == TypeIdOf<VideoBuffer>::value) {
    const auto& buffer = *static_cast<const VideoBuffer*>(part.data);
    if (find_packed_format(buffer.info().format) != nullptr) {
      turn(find_image(message, part.name, "in"), output);
    } else {
      turn(buffer, part.name, output);
    }
    pass_on(message, part.data, Geometry::Changed, output);
  } else if (const auto& tensor = *static_cast<const Tensor*>(part.data);
             is_shown_as_it_is(tensor)) {
    output = message;
  } else {
    turn(tensor, part.name, output);
    pass_on(message, part.data, Geometry::Changed, output);
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
