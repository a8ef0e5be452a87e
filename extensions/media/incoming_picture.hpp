#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gxr/message.hpp"
#include "gxr/parameter.hpp"
#include "gxr/tensor.hpp"
#include "media/gstreamer.hpp"

namespace gxr {
namespace media {

/// How the channels of a tensor are read.
enum class ChannelOrder : std::uint8_t {
  Auto,
  Rgb,
  Bgr,
  Rgba,
  Gray8,
  Bayer8,
  Bayer10,
  Bayer12,
  Bayer14,
  Bayer16
};

/// The format that it names; none: by the tensor.
std::optional<PixelFormat> named_format(ChannelOrder order);

/// A picture of a message, in memory that the CPU reads.
struct IncomingPicture {
  PictureFormat format;
  PictureMemory memory;
  std::shared_ptr<const void> owner;  ///< keeps the memory
};

/// The tensor or VideoBuffer of this name in the message, or its first without a name. A mosaic
/// has its pattern from the part gxr::image::BayerPattern. Throws Error(NotFound or WrongType), and
/// what copies from a device throw.
IncomingPicture picture_in(Message message, const std::string& name, ChannelOrder order);

/// The same in memory of its own, so that nobody waits for the message.
IncomingPicture copy_of(const IncomingPicture& picture);

}  // namespace media

template <>
struct EnumNames<media::ChannelOrder> {
  static constexpr std::pair<media::ChannelOrder, const char*> values[] = {
      {media::ChannelOrder::Auto, "auto"},       {media::ChannelOrder::Rgb, "RGB"},
      {media::ChannelOrder::Bgr, "BGR"},         {media::ChannelOrder::Rgba, "RGBA"},
      {media::ChannelOrder::Gray8, "GRAY8"},     {media::ChannelOrder::Bayer8, "BAYER8"},
      {media::ChannelOrder::Bayer10, "BAYER10"}, {media::ChannelOrder::Bayer12, "BAYER12"},
      {media::ChannelOrder::Bayer14, "BAYER14"}, {media::ChannelOrder::Bayer16, "BAYER16"},
  };
};

}  // namespace gxr
