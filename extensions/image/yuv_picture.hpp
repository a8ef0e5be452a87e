#pragma once

#include <cstdint>
#include <string_view>

#include "gxr/kernels/yuv.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// A picture of brightness and differences that the CPU reads, valid as long as its memory.
struct YuvPicture {
  kernels::YuvView<const std::uint8_t> view;
  kernels::YuvCoding coding;  ///< as the format of the VideoBuffer says
};

/// Is it NV12 or I420, of any range and matrix?
[[nodiscard]] bool is_yuv_planes(VideoFormat format) noexcept;

/// The planes of an NV12 or I420 picture; `name` and `port` appear in error texts. Throws Error:
/// WrongType for another format, NotSupported for memory of a GPU, InvalidData for planes that do
/// not hold the picture.
YuvPicture read_planes(const VideoBuffer& buffer, std::string_view name, std::string_view port);

/// Of pictures that do not say it: BT.601 up to 576 rows, BT.709 above, limited range.
[[nodiscard]] kernels::YuvCoding usual_coding(std::int64_t height);

/// The format that says this. Throws Error(NotSupported) for BT.2020.
VideoFormat video_format(kernels::YuvLayout layout, const kernels::YuvCoding& coding);

/// The planes of a VideoBuffer that has such a format. Byte: const for a picture to read.
template <class Byte, class Buffer>
kernels::YuvView<Byte> planes_view(Buffer& buffer, kernels::YuvLayout layout) {
  const VideoBufferInfo& info = buffer.info();
  auto* const memory = static_cast<Byte*>(buffer.pointer());
  const auto& planes = info.color_planes;
  Byte* const u = memory + planes[1].offset;
  return {memory + planes[0].offset,
          u,
          layout == kernels::YuvLayout::kPlanes ? memory + planes[2].offset : u + 1,
          info.width,
          info.height,
          static_cast<std::ptrdiff_t>(planes[0].stride),
          static_cast<std::ptrdiff_t>(planes[1].stride),
          layout,
          true};
}

/// A YUY2 picture, of an even width, whose rows are `stride` bytes apart.
template <class Byte>
kernels::YuvView<Byte> yuy2_view(Byte* data, const ImageShape& shape, std::ptrdiff_t stride) {
  return {data,         data + 1, data + 3, shape.width,
          shape.height, stride,   stride,   kernels::YuvLayout::kPacked,
          false};
}

}  // namespace gxr::image
