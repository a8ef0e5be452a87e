#include "media/incoming_picture.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/plain_text.hpp"
#include "image/bayer_pattern.hpp"
#include "media/counted.hpp"

namespace gxr::media {
namespace {

/// The memory that GStreamer may use longer than the tick lasts.
struct Kept {
  Message message;
  Tensor copy;  // in memory of the host, where the message's tensor is not
};

constexpr std::array<PixelFormat, 6> kPacked = {PixelFormat::Rgb,  PixelFormat::Gray8,
                                                PixelFormat::Rgba, PixelFormat::Gray16,
                                                PixelFormat::Yuy2, PixelFormat::Bgr};

std::string_view text_of_order(ChannelOrder order) {
  for (const auto& [known, name] : EnumNames<ChannelOrder>::values) {
    if (known == order) {
      return name;
    }
  }
  return {};
}

std::string text_of_kind(const Tensor& tensor) {
  return tensor.shape().to_string() + " " + to_string(tensor.element_type());
}

/// Samples of a pixel, if they lie side by side; 0 for what is no picture.
std::int32_t samples_of(const Tensor& tensor) {
  const bool flat = tensor.rank() == 2;
  if ((!flat && tensor.rank() != 3) || tensor.element_count() == 0) {
    return 0;
  }
  const std::int32_t samples = flat ? 1 : tensor.shape().dimension(2);
  const std::uint64_t size = tensor.bytes_per_element();
  const bool packed = tensor.stride(1) == size * static_cast<std::uint64_t>(samples) &&
                      (flat || tensor.stride(2) == size);
  return packed ? samples : 0;
}

PixelFormat format_of(const Tensor& tensor, ChannelOrder order) {
  const std::int32_t samples = samples_of(tensor);
  const auto fits = [&](PixelFormat format) {
    return facts_of(format).samples == samples && facts_of(format).type == tensor.element_type();
  };
  const std::optional<PixelFormat> wanted = named_format(order);
  const auto* const found = std::find_if(kPacked.begin(), kPacked.end(), fits);
  if (wanted ? fits(*wanted) : found != kPacked.end()) {
    return wanted.value_or(found == kPacked.end() ? PixelFormat::Rgb : *found);
  }
  throw Error(
      ErrorCode::WrongType,
      "wanted a picture of " +
          (wanted ? std::string(name_of(*wanted)) + " (" +
                        counted(static_cast<std::uint64_t>(channels_of(*wanted)), "channel") +
                        " of " + to_string(facts_of(*wanted).type) + ")"
                  : std::string("1 to 4 channels of uint8, or 1 of uint16,")) +
          " that lie side by side, got " + text_of_kind(tensor));
}

IncomingPicture picture_of(const Tensor& tensor, ChannelOrder order) {
  IncomingPicture picture;
  picture.format.pixels = format_of(tensor, order);
  picture.format.height = tensor.shape().dimension(0);
  picture.format.width = tensor.shape().dimension(1);
  picture.memory.data = static_cast<const std::byte*>(tensor.pointer());
  picture.memory.bytes = tensor.span_bytes();
  picture.memory.strides[0] = tensor.stride(0);
  return picture;
}

PixelFormat format_of(const VideoBufferInfo& info) {
  switch (info.format) {
    case VideoFormat::Nv12:
    case VideoFormat::Nv12Er:
    case VideoFormat::Nv12Bt709:
    case VideoFormat::Nv12Bt709Er:
      return PixelFormat::Nv12;
    case VideoFormat::Yuv420:
    case VideoFormat::Yuv420Er:
    case VideoFormat::Yuv420Bt709:
    case VideoFormat::Yuv420Bt709Er:
      return PixelFormat::I420;
    case VideoFormat::Custom:
      if (info.color_planes.size() == 2 && info.color_planes[0].bytes_per_pixel == 2 &&
          info.color_planes[1].bytes_per_pixel == 4) {
        return PixelFormat::P010;
      }
      break;
    default:
      break;
  }
  throw Error(
      ErrorCode::WrongType,
      std::string("wanted a VideoBuffer of NV12, YUV420 or P010, got ") + to_string(info.format));
}

/// The size may come from another program. All formats here have half as many colours in each
/// direction.
void require_whole_planes(const VideoBuffer& buffer) {
  const VideoBufferInfo& info = buffer.info();
  for (std::size_t i = 0; i < info.color_planes.size(); ++i) {
    const ColorPlane& plane = info.color_planes[i];
    const std::uint64_t columns = i == 0 ? info.width : info.width / 2 + info.width % 2;
    const std::uint64_t rows = i == 0 ? info.height : info.height / 2 + info.height % 2;
    const std::uint64_t row = columns * plane.bytes_per_pixel;
    if (columns == 0 || rows == 0 || row > plane.stride ||
        plane.offset + (rows - 1) * plane.stride + row > buffer.size()) {
      throw Error(ErrorCode::InvalidData,
                  "plane " + std::to_string(i) + " of the VideoBuffer has too few bytes for " +
                      std::to_string(info.width) + " x " + std::to_string(info.height) + " pixels");
    }
  }
}

IncomingPicture picture_of(const VideoBuffer& buffer) {
  const VideoBufferInfo& info = buffer.info();
  if (buffer.storage_type() == MemoryStorageType::Device) {
    throw Error(ErrorCode::NotSupported,
                "a VideoBuffer in the memory of a GPU cannot be written; copy it to the host");
  }
  IncomingPicture picture;
  picture.format.pixels = format_of(info);
  require_whole_planes(buffer);
  picture.format.is_full_range =
      info.format == VideoFormat::Nv12Er || info.format == VideoFormat::Nv12Bt709Er ||
      info.format == VideoFormat::Yuv420Er || info.format == VideoFormat::Yuv420Bt709Er;
  picture.format.is_bt709 =
      info.format == VideoFormat::Nv12Bt709 || info.format == VideoFormat::Nv12Bt709Er ||
      info.format == VideoFormat::Yuv420Bt709 || info.format == VideoFormat::Yuv420Bt709Er;
  picture.format.width = static_cast<std::int32_t>(info.width);
  picture.format.height = static_cast<std::int32_t>(info.height);
  picture.memory.data = static_cast<const std::byte*>(buffer.pointer());
  picture.memory.bytes = buffer.size();
  for (std::size_t i = 0; i < info.color_planes.size() && i < PictureMemory::kMostPlanes; ++i) {
    picture.memory.offsets[i] = info.color_planes[i].offset;
    picture.memory.strides[i] = info.color_planes[i].stride;
  }
  return picture;
}

template <class Part>
const Part* find(const Message& message, const std::string& name) {
  return name.empty() ? message.find<Part>() : message.find<Part>(name);
}

/// "rggb".
std::string pattern_in(const Message& message) {
  const auto* const pattern = message.find<image::BayerPattern>();
  if (pattern == nullptr) {
    throw Error(ErrorCode::NotFound,
                "'format' names a mosaic, but the message has no part gxr::image::BayerPattern, "
                "which says the colours of its pixels");
  }
  for (const auto& [layout, name] : EnumNames<kernels::BayerPattern>::values) {
    if (layout == pattern->layout) {
      return lower_case(name);
    }
  }
  throw Error(ErrorCode::InvalidData, "the pattern of the mosaic is not known");
}

}  // namespace

std::optional<PixelFormat> named_format(ChannelOrder order) {
  const std::string_view name = text_of_order(order);
  for (const auto& [format, known] : EnumNames<PixelFormat>::values) {
    if (name == known) {
      return format;
    }
  }
  return std::nullopt;
}

IncomingPicture picture_in(Message message, const std::string& name, ChannelOrder order) {
  auto kept = std::make_shared<Kept>();
  kept->message = std::move(message);
  const Tensor* tensor = find<Tensor>(kept->message, name);
  const VideoBuffer* const planes =
      tensor == nullptr ? find<VideoBuffer>(kept->message, name) : nullptr;
  IncomingPicture picture;
  if (planes != nullptr) {
    picture = picture_of(*planes);
  } else {
    tensor = name.empty() ? &kept->message.get<Tensor>() : &kept->message.get<Tensor>(name);
    static_cast<void>(format_of(*tensor, order));
    if (tensor->storage_type() == MemoryStorageType::Device) {
      kept->copy = copy_to_host(*tensor, kept->message.device_work());
      tensor = &kept->copy;
    }
    picture = picture_of(*tensor, order);
    if (is_mosaic(picture.format.pixels)) {
      picture.format.bayer = pattern_in(kept->message);
    }
  }
  picture.owner = std::move(kept);
  return picture;
}

IncomingPicture copy_of(const IncomingPicture& picture) {
  const PictureMemory& from = picture.memory;
  auto memory = std::make_shared<std::vector<std::byte>>(from.data, from.data + from.bytes);
  IncomingPicture copy = picture;
  copy.memory.data = memory->data();
  copy.owner = std::move(memory);
  return copy;
}

}  // namespace gxr::media
