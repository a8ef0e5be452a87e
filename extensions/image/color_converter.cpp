#include "image/color_converter.hpp"

#include <array>
#include <optional>

#include "gxr/kernels/convert.hpp"
#include "gxr/kernels/luma.hpp"
#include "image/gpu_tick.hpp"
#include "image/message_parts.hpp"
#include "image/picture_parameters.hpp"
#include "image/yuv_picture.hpp"

namespace gxr::image {
namespace {

using Byte = std::uint8_t;
using kernels::ColorOrder;
using kernels::ImageView;
using kernels::LumaStandard;
using kernels::YuvCoding;
using kernels::YuvLayout;
using kernels::YuvRange;

bool is_yuv(ColorFormat format) {
  return format == ColorFormat::Yuy2 || format == ColorFormat::Nv12 || format == ColorFormat::I420;
}

std::int64_t channels_of(ColorFormat format) {
  switch (format) {
    case ColorFormat::Gray:
      return 1;
    case ColorFormat::Yuy2:
      return 2;
    case ColorFormat::Rgba:
      return 4;
    default:
      return 3;
  }
}

ColorOrder order_of(ColorFormat format) {
  return format == ColorFormat::Bgr ? ColorOrder::kBgr : ColorOrder::kRgb;
}

}  // namespace

void ColorConverter::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages with a picture: a tensor or a VideoBuffer");
  interface.output(out_, "out", "Transmitter of messages with the result");
  declare_pool(interface, pool_);
  interface
      .parameter(in_tensor_name_, "in_tensor_name",
                 "Tensor or VideoBuffer to read; empty: the message's first")
      .default_value("");
  interface.parameter(out_tensor_name_, "out_tensor_name", "Name of the result")
      .description("Empty: the name of what was read.")
      .default_value("");
  out_part_.declare(interface);
  interface
      .parameter(in_format_, "in_format", "What a tensor that is read has",
                 "auto: GRAY8 for 1 channel, YUY2 for 2, RGB for 3, RGBA for 4. A VideoBuffer says "
                 "itself what it has.")
      .default_value(TensorColors::Auto);
  interface
      .parameter(out_format_, "out_format", "What the result has",
                 "RGB to YUY2 are tensors of 3, 3, 4, 1 and 2 channels of uint8, unless 'out_part' "
                 "says otherwise; NV12 and I420 are always a gxr::VideoBuffer. GRAY8 is from 0 to "
                 "255. A new alpha is 255.")
      .default_value(ColorFormat::Rgb);
  interface
      .parameter(matrix_, "matrix", "How brightness and differences come from colours",
                 "Of pictures of YUY2, NV12 and I420 that are read, else of the result. auto: what "
                 "the VideoBuffer that is read says; for others bt601 up to 576 rows, bt709 above. "
                 "Also the weights of a GRAY8 that is made of colours.")
      .default_value(YuvMatrix::Auto);
  interface
      .parameter(range_, "range", "Values from black to white of YUY2, NV12 and I420",
                 "limited: 16 to 235. full: 0 to 255. auto: what the VideoBuffer that is read "
                 "says, limited for others.")
      .default_value(YuvSpan::Auto);
}

void ColorConverter::initialize() {
  if (!out_part_.is_tensor() && out_format_.get() == ColorFormat::Yuy2) {
    throw Error(ErrorCode::InvalidParameter,
                "'out_part' video_buffer: no format of a VideoBuffer is YUY2; write NV12 or I420, "
                "or set tensor");
  }
  if (makes_planes() && matrix_.get() == YuvMatrix::Bt2020) {
    static_cast<void>(video_format(YuvLayout::kPlanes, coding(0)));
  }
}

YuvCoding ColorConverter::coding(std::int64_t height) const {
  YuvCoding coding = usual_coding(height);
  switch (matrix_.get()) {
    case YuvMatrix::Auto:
      break;
    case YuvMatrix::Bt601:
      coding.standard = LumaStandard::kBt601;
      break;
    case YuvMatrix::Bt709:
      coding.standard = LumaStandard::kBt709;
      break;
    case YuvMatrix::Bt2020:
      coding.standard = LumaStandard::kBt2020;
      break;
  }
  coding.range = range_.get() == YuvSpan::Full ? YuvRange::kFull : YuvRange::kLimited;
  return coding;
}

ColorFormat ColorConverter::tensor_format(const InputImage& image) const {
  constexpr std::array kFormats{ColorFormat::Rgb, ColorFormat::Bgr, ColorFormat::Rgba,
                                ColorFormat::Gray, ColorFormat::Yuy2};
  constexpr std::array kByChannels{ColorFormat::Gray, ColorFormat::Yuy2, ColorFormat::Rgb,
                                   ColorFormat::Rgba};
  const auto wanted = static_cast<std::size_t>(in_format_.get());
  const bool is_told = in_format_.get() != TensorColors::Auto && image.packed == nullptr;
  const ColorFormat format = !is_told
                                 ? kByChannels[static_cast<std::size_t>(image.shape.channels) - 1]
                                 : kFormats[wanted - 1];
  if (image.type() != ElementType::UInt8 || channels_of(format) != image.shape.channels) {
    throw_wrong_image(image,
                      "a picture of uint8" + (!is_told ? std::string()
                                                       : " with the channels of 'in_format': " +
                                                             std::to_string(channels_of(format))));
  }
  if (format == ColorFormat::Yuy2 && image.shape.width % 2 != 0) {
    throw_wrong_image(image, "an even width for YUY2");
  }
  return format;
}

ColorConverter::Picture ColorConverter::picture_of(const InputImage& image) const {
  Picture picture;
  picture.format = tensor_format(image);
  picture.name = image.name;
  picture.colors = image;
  picture.coding = coding(image.shape.height);
  if (picture.format == ColorFormat::Yuy2) {
    const auto view = view_as<const Byte>(*image.tensor, image.shape);
    picture.yuv = yuy2_view(view.data, image.shape, view.row_stride);
  }
  return picture;
}

ColorConverter::Picture ColorConverter::picture_of(const VideoBuffer& buffer,
                                                   std::string_view name) const {
  const YuvPicture planes = read_planes(buffer, name, "in");
  Picture picture;
  picture.format = planes.view.layout == YuvLayout::kPairs ? ColorFormat::Nv12 : ColorFormat::I420;
  picture.name = name;
  picture.yuv = planes.view;
  picture.coding = coding(planes.view.height);
  if (matrix_.get() == YuvMatrix::Auto) {
    picture.coding.standard = planes.coding.standard;
  }
  if (range_.get() == YuvSpan::Auto) {
    picture.coding.range = planes.coding.range;
  }
  return picture;
}

/// Colours and grey to colours and grey.
void ColorConverter::recolor(const Picture& in, ImageView<Byte> out) {
  constexpr std::array<int, 3> kSame{0, 1, 2};
  constexpr std::array<int, 3> kTurned{2, 1, 0};
  constexpr std::array<int, 3> kGrey{0, 0, 0};
  auto from = view_as<const Byte>(*in.colors.tensor, in.colors.shape);
  const bool turn = order_of(in.format) != order_of(out_format_.get());
  const auto through_scratch = [&](const std::array<int, 3>& order) {
    scratch_.resize(static_cast<std::size_t>(from.width * from.height * 3));
    const auto between = kernels::packed_view(scratch_.data(), from.width, from.height, 3);
    kernels::permute_channels<Byte>(from, between, order.data());
    from = between;
  };
  if (from.channels == out.channels && !turn) {
    constexpr std::array<int, 4> kAll{0, 1, 2, 3};
    kernels::permute_channels<Byte>(from, out, kAll.data());
  } else if (out.channels == 3) {
    kernels::permute_channels<Byte>(from, out,
                                    (from.channels == 1 ? kGrey
                                     : turn             ? kTurned
                                                        : kSame)
                                        .data());
  } else if (out.channels == 1) {
    if (in.format == ColorFormat::Bgr) {
      through_scratch(kTurned);
    }
    kernels::luma<Byte>(from, out, in.coding.standard);
  } else {
    if (from.channels == 1 || turn) {
      through_scratch(from.channels == 1 ? kGrey : kTurned);
    }
    kernels::add_alpha<Byte>(from, out, 255);
  }
}

void ColorConverter::convert_to_tensor(const Picture& in, Tensor& result) {
  const ColorFormat format = out_format_.get();
  const bool from_yuv = is_yuv(in.format);
  const ImageShape shape{from_yuv ? in.yuv.height : in.colors.shape.height,
                         from_yuv ? in.yuv.width : in.colors.shape.width, channels_of(format)};
  if (format == ColorFormat::Yuy2 && shape.width % 2 != 0) {
    throw Error(ErrorCode::InvalidData, "'" + in.name + "' on 'in' has a width of " +
                                            std::to_string(shape.width) +
                                            " pixels; YUY2 needs an even one");
  }
  allocate_image(result, pool_.get().get(), nullptr, shape, ElementType::UInt8);
  const auto out = view_as<Byte>(result, shape);
  if (format == ColorFormat::Yuy2) {
    const auto packed = yuy2_view(out.data, shape, out.row_stride);
    from_yuv ? kernels::copy_yuv(in.yuv, packed)
             : kernels::color_to_yuv(view_as<const Byte>(*in.colors.tensor, in.colors.shape),
                                     packed, in.coding, order_of(in.format));
  } else if (from_yuv) {
    kernels::yuv_to_color(in.yuv, out, in.coding, order_of(format));
  } else {
    recolor(in, out);
  }
}

void ColorConverter::convert_to_planes(const Picture& in, VideoBuffer& result) {
  const bool from_yuv = is_yuv(in.format);
  const YuvLayout layout =
      out_format_.get() == ColorFormat::Nv12 ? YuvLayout::kPairs : YuvLayout::kPlanes;
  const std::int64_t width = from_yuv ? in.yuv.width : in.colors.shape.width;
  const std::int64_t height = from_yuv ? in.yuv.height : in.colors.shape.height;
  result.resize(*pool_.get().get(), video_format(layout, in.coding),
                static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
  const auto out = planes_view<Byte>(result, layout);
  if (from_yuv) {
    kernels::copy_yuv(in.yuv, out);
  } else {
    kernels::color_to_yuv(view_as<const Byte>(*in.colors.tensor, in.colors.shape), out, in.coding,
                          order_of(in.format));
  }
}

void ColorConverter::convert(const Picture& in, Message& output) {
  const std::string& name = out_tensor_name_.get().empty() ? in.name : out_tensor_name_.get();
  if (makes_planes()) {
    convert_to_planes(in, output.add<VideoBuffer>(name));
  } else {
    Tensor result;
    convert_to_tensor(in, result);
    out_part_.add(
        output, name, std::move(result),
        out_format_.get() == ColorFormat::Bgr ? std::optional(VideoFormat::Bgr) : std::nullopt);
  }
}

void ColorConverter::tick() {
  const Message message = in_.receive();
  const detail::Part& part = find_picture(message, in_tensor_name_.get(), "in");
  Message output = context().new_message();
  const auto* const buffer = part.id == TypeIdOf<VideoBuffer>::value
                                 ? static_cast<const VideoBuffer*>(part.data)
                                 : nullptr;
  if (buffer != nullptr && find_packed_format(buffer->info().format) == nullptr) {
    convert(picture_of(*buffer, part.name), output);
  } else {
    const InputImage image = find_image(message, part.name, "in");
    refuse_raw_picture(image, "it has no colours yet");
    Tensor copy;
    convert(picture_of(reachable(image, nullptr, copy)), output);
  }
  pass_on(message, part.data, Geometry::Changed, output);
  out_.publish(std::move(output));
}

}  // namespace gxr::image
