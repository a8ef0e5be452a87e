#include "image/out_part.hpp"

#include <limits>
#include <memory>
#include <string>

#include "gxr/error.hpp"
#include "image/packed_format.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {
namespace {

void delete_tensor(void* owner, void*) noexcept { delete static_cast<Tensor*>(owner); }

/// The same memory as a picture of one plane.
VideoBuffer to_video_buffer(Tensor&& picture, VideoFormat format) {
  VideoBufferInfo info;
  info.format = format;
  info.height = static_cast<std::uint32_t>(picture.shape().dimension(0));
  info.width = static_cast<std::uint32_t>(picture.shape().dimension(1));
  info.color_planes = color_planes(format);
  ColorPlane& plane = info.color_planes.front();
  plane.width = info.width;
  plane.height = info.height;
  plane.size = picture.stride(0) * info.height;
  if (picture.stride(0) > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::NotSupported, "a VideoBuffer has rows of less than 4 GiB");
  }
  plane.stride = static_cast<std::uint32_t>(picture.stride(0));
  auto owner = std::make_unique<Tensor>(std::move(picture));
  VideoBuffer buffer;
  buffer.wrap(info, plane.size, owner->storage_type(), owner->pointer(), owner.get(),
              delete_tensor);
  static_cast<void>(owner.release());
  return buffer;
}

}  // namespace

void OutPart::declare(Interface& interface) {
  interface
      .parameter(part_, "out_part", "Part of the message that holds the resulting picture",
                 "video_buffer: a gxr::VideoBuffer in RGB, RGBA, GRAY, GRAY16, GRAY32F or RGB16, "
                 "by its channels and elements, whose rows have no gaps.")
      .default_value(PicturePart::Tensor);
}

void OutPart::add(Message& output, std::string_view name, Tensor&& picture,
                  std::optional<VideoFormat> format) const {
  if (is_tensor()) {
    output.add<Tensor>(name, std::move(picture));
    return;
  }
  if (!format) {
    format = packed_format_for(picture.element_type(), picture.shape().dimension(2));
  }
  if (!format) {
    throw Error(ErrorCode::NotSupported,
                "'out_part' video_buffer: no format of a VideoBuffer has " +
                    describe(picture.shape(), picture.element_type()) + "; set tensor");
  }
  output.add<VideoBuffer>(name, to_video_buffer(std::move(picture), *format));
}

void OutPart::require_tensor() const {
  if (!is_tensor()) {
    throw Error(ErrorCode::InvalidArgument,
                "'out_part' is video_buffer, and a CUDA graph has tensors only: set tensor, or "
                "leave the operator out of the graph");
  }
}

PortDeclaration sends_pictures(PortDeclaration port) {
  return port.or_part<VideoBuffer>()
      .formats({VideoFormat::Rgb, VideoFormat::Rgba, VideoFormat::Gray, VideoFormat::Gray16,
                VideoFormat::Gray32F, VideoFormat::Rgb16})
      .other_parts();
}

}  // namespace gxr::image
