#include "image/color_converter.hpp"

#include <array>
#include <optional>

#include "gxr/kernels/convert.hpp"
#include "gxr/kernels/luma.hpp"
#include "image/gpu_tick.hpp"
#include "image/message_parts.hpp"
#include "image/picture_parameters.hpp"

namespace gxr::image {
namespace {

using Byte = std::uint8_t;
using kernels::ColorOrder;
using kernels::ImageView;
using kernels::LumaStandard;
using kernels::YuvCoding;
using kernels::YuvLayout;
using kernels::YuvRange;
using kernels::YuvView;

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

/// Layout and coding of a VideoBuffer, by its format.
struct Planes {
  YuvLayout layout;
  YuvCoding coding;
};

std::optional<Planes> planes_of(VideoFormat format) {
  constexpr YuvCoding k601{LumaStandard::kBt601, YuvRange::kLimited};
  constexpr YuvCoding k601Full{LumaStandard::kBt601, YuvRange::kFull};
  constexpr YuvCoding k709{LumaStandard::kBt709, YuvRange::kLimited};
  constexpr YuvCoding k709Full{LumaStandard::kBt709, YuvRange::kFull};
  switch (format) {
    case VideoFormat::Yuv420:
      return Planes{YuvLayout::kPlanes, k601};
    case VideoFormat::Yuv420Er:
      return Planes{YuvLayout::kPlanes, k601Full};
    case VideoFormat::Yuv420Bt709:
      return Planes{YuvLayout::kPlanes, k709};
    case VideoFormat::Yuv420Bt709Er:
      return Planes{YuvLayout::kPlanes, k709Full};
    case VideoFormat::Nv12:
      return Planes{YuvLayout::kPairs, k601};
    case VideoFormat::Nv12Er:
      return Planes{YuvLayout::kPairs, k601Full};
    case VideoFormat::Nv12Bt709:
      return Planes{YuvLayout::kPairs, k709};
    case VideoFormat::Nv12Bt709Er:
      return Planes{YuvLayout::kPairs, k709Full};
    default:
      return std::nullopt;
  }
}

VideoFormat video_format(YuvLayout layout, const YuvCoding& coding) {
  for (const VideoFormat format :
       {VideoFormat::Yuv420, VideoFormat::Yuv420Er, VideoFormat::Yuv420Bt709,
        VideoFormat::Yuv420Bt709Er, VideoFormat::Nv12, VideoFormat::Nv12Er, VideoFormat::Nv12Bt709,
        VideoFormat::Nv12Bt709Er}) {
    const Planes planes = *planes_of(format);
    if (planes.layout == layout && planes.coding.standard == coding.standard &&
        planes.coding.range == coding.range) {
      return format;
    }
  }
  throw Error(
      ErrorCode::NotSupported,
      "'matrix' bt2020: no format of a VideoBuffer says so, and whoever reads it would take "
      "it for another; write YUY2, or set bt709");
}

/// Byte: const for a picture to read.
template <class Out, class Buffer>
YuvView<Out> view_of(Buffer& buffer, YuvLayout layout) {
  const VideoBufferInfo& info = buffer.info();
  auto* const memory = static_cast<Out*>(buffer.pointer());
  const std::vector<ColorPlane>& planes = info.color_planes;
  Out* const u = memory + planes[1].offset;
  return {memory + planes[0].offset,
          u,
          layout == YuvLayout::kPlanes ? memory + planes[2].offset : u + 1,
          info.width,
          info.height,
          static_cast<std::ptrdiff_t>(planes[0].stride),
          static_cast<std::ptrdiff_t>(planes[1].stride),
          layout,
          true};
}

template <class Out>
YuvView<Out> packed_view(Out* data, const ImageShape& shape, std::ptrdiff_t stride) {
  return {data,   data + 1, data + 3,           shape.width, shape.height,
          stride, stride,   YuvLayout::kPacked, false};
}

/// Do the planes hold the whole picture, in rows that a YuvView can name?
bool holds_picture(const VideoBufferInfo& info, YuvLayout layout) {
  const std::vector<ColorPlane>& planes = info.color_planes;
  const std::size_t count = layout == YuvLayout::kPlanes ? 3 : 2;
  if (info.width == 0 || info.height == 0 || planes.size() != count ||
      (count == 3 && planes[1].stride != planes[2].stride)) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t columns = i == 0 ? info.width : (std::uint64_t{info.width} + 1) / 2;
    const std::uint64_t rows = i == 0 ? info.height : (std::uint64_t{info.height} + 1) / 2;
    const std::uint64_t row_bytes = i == 1 && count == 2 ? 2 * columns : columns;
    if (planes[i].stride < row_bytes || planes[i].height < rows) {
      return false;
    }
  }
  return true;
}

/// The part that is to be converted.
const detail::Part& find_picture(const Message& message, std::string_view name) {
  for (const detail::Part& part : message) {
    const bool is_picture =
        part.id == TypeIdOf<Tensor>::value || part.id == TypeIdOf<VideoBuffer>::value;
    if (is_picture && (name.empty() || part.name == name)) {
      return part;
    }
  }
  throw Error(ErrorCode::NotFound,
              (name.empty()
                   ? "no tensor and no VideoBuffer"
                   : "'in_tensor_name': no tensor and no VideoBuffer '" + std::string(name) + "'") +
                  " in the message on 'in'");
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
  interface
      .parameter(in_format_, "in_format", "What a tensor that is read has",
                 "auto: GRAY8 for 1 channel, YUY2 for 2, RGB for 3, RGBA for 4. A VideoBuffer says "
                 "itself whether it is NV12 or I420.")
      .default_value(TensorColors::Auto);
  interface
      .parameter(out_format_, "out_format", "What the result has",
                 "RGB to YUY2 are tensors of 3, 3, 4, 1 and 2 channels of uint8; NV12 and I420 are "
                 "a gxr::VideoBuffer. GRAY8 is from 0 to 255. A new alpha is 255.")
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
  if (makes_planes() && matrix_.get() == YuvMatrix::Bt2020) {
    static_cast<void>(video_format(YuvLayout::kPlanes, coding(0)));
  }
}

YuvCoding ColorConverter::coding(std::int64_t height) const {
  YuvCoding coding;
  switch (matrix_.get()) {
    case YuvMatrix::Auto:
      coding.standard = height <= 576 ? LumaStandard::kBt601 : LumaStandard::kBt709;
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
  const ColorFormat format = in_format_.get() == TensorColors::Auto
                                 ? kByChannels[static_cast<std::size_t>(image.shape.channels) - 1]
                                 : kFormats[wanted - 1];
  if (image.type() != ElementType::UInt8 || channels_of(format) != image.shape.channels) {
    throw_wrong_image(image,
                      "a picture of uint8" + (in_format_.get() == TensorColors::Auto
                                                  ? std::string()
                                                  : " with the channels of 'in_format': " +
                                                        std::to_string(channels_of(format))));
  }
  if (format == ColorFormat::Yuy2 && image.shape.width % 2 != 0) {
    throw_wrong_image(image, "an even width for YUY2");
  }
  return format;
}

ColorConverter::Picture ColorConverter::picture_of(const Tensor& tensor,
                                                   const InputImage& image) const {
  Picture picture;
  picture.format = tensor_format(image);
  picture.name = image.name;
  picture.colors = image;
  picture.coding = coding(image.shape.height);
  if (picture.format == ColorFormat::Yuy2) {
    const auto view = view_as<const Byte>(tensor, image.shape);
    picture.yuv = packed_view(view.data, image.shape, view.row_stride);
  }
  return picture;
}

ColorConverter::Picture ColorConverter::picture_of(const VideoBuffer& buffer,
                                                   std::string_view name) const {
  const VideoBufferInfo& info = buffer.info();
  const std::optional<Planes> planes = planes_of(info.format);
  const std::string subject = "VideoBuffer '" + std::string(name) + "' on 'in': ";
  if (!planes || info.surface_layout != SurfaceLayout::PitchLinear) {
    throw Error(ErrorCode::WrongType,
                subject + "wanted NV12 or YUV420 in rows, got " + to_string(info.format));
  }
  if (buffer.storage_type() == MemoryStorageType::Device) {
    throw Error(ErrorCode::NotSupported,
                subject + "it is in the memory of a GPU; copy it to the host first");
  }
  if (buffer.pointer() == nullptr || !holds_picture(info, planes->layout)) {
    throw Error(ErrorCode::InvalidData, subject + "its planes do not hold its " +
                                            std::to_string(info.width) + " x " +
                                            std::to_string(info.height) + " pixels");
  }
  Picture picture;
  picture.format = planes->layout == YuvLayout::kPairs ? ColorFormat::Nv12 : ColorFormat::I420;
  picture.name = name;
  picture.yuv = view_of<const Byte>(buffer, planes->layout);
  picture.coding = coding(info.height);
  if (matrix_.get() == YuvMatrix::Auto) {
    picture.coding.standard = planes->coding.standard;
  }
  if (range_.get() == YuvSpan::Auto) {
    picture.coding.range = planes->coding.range;
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
    const auto packed = packed_view(out.data, shape, out.row_stride);
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
  const auto out = view_of<Byte>(result, layout);
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
    convert_to_tensor(in, output.add<Tensor>(name));
  }
}

void ColorConverter::tick() {
  const Message message = in_.receive();
  const detail::Part& part = find_picture(message, in_tensor_name_.get());
  Message output = context().new_message();
  const Tensor none;
  if (part.id == TypeIdOf<VideoBuffer>::value) {
    convert(picture_of(*static_cast<const VideoBuffer*>(part.data), part.name), output);
    pass_on(message, none, Geometry::Changed, output);
  } else {
    const InputImage image = find_image(message, part.name, "in");
    refuse_raw_picture(image, "it has no colours yet");
    Tensor copy;
    const InputImage there = reachable(image, nullptr, copy);
    convert(picture_of(*there.tensor, there), output);
    pass_on(message, *image.tensor, Geometry::Changed, output);
  }
  out_.publish(std::move(output));
}

}  // namespace gxr::image
