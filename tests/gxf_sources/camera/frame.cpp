#include "frame.hpp"

#include <array>
#include <memory>
#include <vector>

namespace nvidia {
namespace orchard {

namespace {

constexpr auto kPitchLinear = gxf::SurfaceLayout::GXF_SURFACE_LAYOUT_PITCH_LINEAR;

template <gxf::VideoFormat Format>
FrameLayout DefaultLayout(uint32_t width, uint32_t height, bool aligned = true) {
  gxf::VideoFormatSize<Format> sizes;
  FrameLayout layout;
  layout.format = gxf::VideoTypeTraits<Format>::value;
  layout.name = gxf::VideoTypeTraits<Format>::name;
  layout.planes = sizes.getDefaultColorPlanes(width, height, aligned);
  layout.size = sizes.size(width, height, aligned);
  return layout;
}

// Luma rows of 128 bytes and chroma rows of the same length: what a decoder gives, not what GXF
// would choose.
FrameLayout DecoderLayout(uint32_t width, uint32_t height) {
  constexpr auto kFormat = gxf::VideoFormat::GXF_VIDEO_FORMAT_NV12_ER;
  const uint32_t stride = (width + 127) / 128 * 128;
  std::array<gxf::ColorPlane, 2> planes{gxf::ColorPlane("Y", 1, stride),
                                        gxf::ColorPlane("UV", 2, stride)};
  gxf::VideoFormatSize<kFormat> sizes;
  FrameLayout layout;
  layout.format = kFormat;
  layout.name = gxf::VideoTypeTraits<kFormat>::name;
  layout.size = sizes.size(width, height, planes);
  layout.planes.assign(planes.begin(), planes.end());
  return layout;
}

// One plane that is described by hand.
FrameLayout GrayLayout(uint32_t width, uint32_t height) {
  gxf::ColorPlane plane("gray", 1, width);
  plane.width = width;
  plane.height = height;
  plane.offset = 0;
  plane.size = static_cast<uint64_t>(plane.stride) * plane.height;
  FrameLayout layout;
  layout.format = gxf::VideoFormat::GXF_VIDEO_FORMAT_GRAY;
  layout.name = gxf::VideoTypeTraits<gxf::VideoFormat::GXF_VIDEO_FORMAT_GRAY>::name;
  layout.size = plane.size;
  layout.planes = {plane};
  return layout;
}

template <gxf::VideoFormat Format>
gxf::Expected<void> Resize(gxf::Handle<gxf::VideoBuffer> frame, uint32_t width, uint32_t height,
                           gxf::MemoryStorageType storage, gxf::Handle<gxf::Allocator> allocator) {
  return frame->resize<Format>(width, height, kPitchLinear, storage, allocator);
}

byte PatternOf(int64_t sequence, size_t plane, uint32_t row, uint32_t column) {
  return static_cast<byte>(sequence * 7 + static_cast<int64_t>(plane) * 31 + row * 3 + column);
}

}  // namespace

gxf::Expected<FrameLayout> LayoutOf(const std::string& word, uint32_t width, uint32_t height) {
  using gxf::VideoFormat;
  if (word == "rgba") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_RGBA>(width, height);
  }
  if (word == "rgb") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_RGB>(width, height);
  }
  if (word == "rgb unpadded") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_RGB>(width, height, false);
  }
  if (word == "bgr") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_BGR>(width, height);
  }
  if (word == "gray" || word == "gray wrapped") {
    return GrayLayout(width, height);
  }
  if (word == "gray 32") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_GRAY32>(width, height);
  }
  if (word == "gray float") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_GRAY32F>(width, height);
  }
  if (word == "depth") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_D32F>(width, height);
  }
  if (word == "planar rgb") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_R32_G32_B32>(width, height);
  }
  if (word == "planar bgr") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_B32_G32_R32>(width, height);
  }
  if (word == "nv12") {
    return DecoderLayout(width, height);
  }
  if (word == "nv24") {
    return DefaultLayout<VideoFormat::GXF_VIDEO_FORMAT_NV24_ER>(width, height);
  }
  GXF_LOG_ERROR("Unknown format '%s'", word.c_str());
  return gxf::Unexpected{GXF_PARAMETER_OUT_OF_RANGE};
}

gxf::Expected<void> AllocateFrame(const std::string& word, gxf::Handle<gxf::VideoBuffer> frame,
                                  uint32_t width, uint32_t height, gxf::MemoryStorageType storage,
                                  gxf::Handle<gxf::Allocator> allocator) {
  using gxf::VideoFormat;
  if (width == 0 || height == 0) {
    return gxf::Unexpected{GXF_ARGUMENT_INVALID};
  }
  if (word == "rgba") {
    return Resize<VideoFormat::GXF_VIDEO_FORMAT_RGBA>(frame, width, height, storage, allocator);
  }
  if (word == "rgb") {
    return Resize<VideoFormat::GXF_VIDEO_FORMAT_RGB>(frame, width, height, storage, allocator);
  }
  if (word == "rgb unpadded") {
    return frame->resize<VideoFormat::GXF_VIDEO_FORMAT_RGB>(width, height, kPitchLinear, storage,
                                                            allocator, false);
  }
  if (word == "bgr") {
    return Resize<VideoFormat::GXF_VIDEO_FORMAT_BGR>(frame, width, height, storage, allocator);
  }
  if (word == "gray 32") {
    return Resize<VideoFormat::GXF_VIDEO_FORMAT_GRAY32>(frame, width, height, storage, allocator);
  }
  if (word == "gray float") {
    return Resize<VideoFormat::GXF_VIDEO_FORMAT_GRAY32F>(frame, width, height, storage, allocator);
  }
  if (word == "depth") {
    return Resize<VideoFormat::GXF_VIDEO_FORMAT_D32F>(frame, width, height, storage, allocator);
  }
  if (word == "planar rgb") {
    return Resize<VideoFormat::GXF_VIDEO_FORMAT_R32_G32_B32>(frame, width, height, storage,
                                                             allocator);
  }
  if (word == "planar bgr") {
    return Resize<VideoFormat::GXF_VIDEO_FORMAT_B32_G32_R32>(frame, width, height, storage,
                                                             allocator);
  }
  if (word == "nv24") {
    return Resize<VideoFormat::GXF_VIDEO_FORMAT_NV24_ER>(frame, width, height, storage, allocator);
  }

  // The others have planes of their own.
  const auto layout = LayoutOf(word, width, height);
  if (!layout) {
    return gxf::ForwardError(layout);
  }
  gxf::VideoBufferInfo info{width, height, layout.value().format, layout.value().planes,
                            kPitchLinear};
  if (word == "gray wrapped") {
    auto memory = std::make_shared<std::vector<byte>>(layout.value().size);
    return frame->wrapMemory(info, layout.value().size, gxf::MemoryStorageType::kSystem,
                             memory->data(), [memory](void*) mutable {
                               memory.reset();
                               return gxf::Success;
                             });
  }
  return frame->resizeCustom(info, layout.value().size, storage, allocator);
}

void FillFrame(const gxf::VideoBufferInfo& info, int64_t sequence, byte* memory) {
  for (size_t i = 0; i < info.color_planes.size(); ++i) {
    const gxf::ColorPlane& plane = info.color_planes[i];
    for (uint32_t row = 0; row < plane.height; ++row) {
      byte* line = memory + plane.offset + static_cast<size_t>(row) * plane.stride;
      for (uint32_t column = 0; column < plane.width * plane.bytes_per_pixel; ++column) {
        line[column] = PatternOf(sequence, i, row, column);
      }
    }
  }
}

bool CheckFrame(const gxf::VideoBufferInfo& info, int64_t sequence, const byte* memory) {
  for (size_t i = 0; i < info.color_planes.size(); ++i) {
    const gxf::ColorPlane& plane = info.color_planes[i];
    for (uint32_t row = 0; row < plane.height; ++row) {
      const byte* line = memory + plane.offset + static_cast<size_t>(row) * plane.stride;
      for (uint32_t column = 0; column < plane.width * plane.bytes_per_pixel; ++column) {
        if (line[column] != PatternOf(sequence, i, row, column)) {
          GXF_LOG_ERROR("Byte %u of row %u of plane %zu (%s) is %u", column, row, i,
                        plane.color_space.c_str(), static_cast<unsigned>(line[column]));
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace orchard
}  // namespace nvidia
