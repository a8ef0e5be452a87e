#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/logger.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/multimedia/video.hpp"

namespace nvidia {
namespace gxf {

/// The planes of pictures of a format and even size, with strides without gaps.
template <VideoFormat T>
struct NoPaddingColorPlanes {
  explicit NoPaddingColorPlanes(uint32_t width) {
    const std::vector<ColorPlane> laid_out =
        VideoFormatSize<T>().getDefaultColorPlanes(width, 2, false);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      planes[i] = ColorPlane(laid_out[i].color_space.c_str(), laid_out[i].bytes_per_pixel,
                             laid_out[i].stride);
    }
  }

  std::array<ColorPlane, VideoFormatSize<T>::kPlanes> planes;
};

/// Memory for a picture without gaps; GXF_ARGUMENT_INVALID for odd sizes.
template <VideoFormat T>
Expected<void> AllocateUnpaddedVideoBuffer(Handle<VideoBuffer> frame, uint32_t width,
                                           uint32_t height, MemoryStorageType storage_type,
                                           Handle<Allocator> allocator) {
  if (width % 2 != 0 || height % 2 != 0) {
    GXF_LOG_ERROR("A picture of %u x %u pixels has an odd size", width, height);
    return Unexpected{GXF_ARGUMENT_INVALID};
  }
  if (frame.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  NoPaddingColorPlanes<T> unpadded(width);
  const uint64_t size = VideoFormatSize<T>().size(width, height, unpadded.planes, false);
  return frame->resizeCustom(
      {width, height, T, std::vector<ColorPlane>(unpadded.planes.begin(), unpadded.planes.end()),
       SurfaceLayout::GXF_SURFACE_LAYOUT_PITCH_LINEAR},
      size, storage_type, allocator);
}

/// Memory for a picture in the default layout.
template <VideoFormat T>
Expected<void> AllocateVideoBuffer(Handle<VideoBuffer> frame, uint32_t width, uint32_t height,
                                   SurfaceLayout layout, MemoryStorageType storage_type,
                                   Handle<Allocator> allocator) {
  if (frame.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  return frame->template resize<T>(width, height, layout, storage_type, allocator);
}

}  // namespace gxf
}  // namespace nvidia
