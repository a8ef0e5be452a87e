#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gxf/core/export.hpp"

namespace nvidia {
namespace gxf {

/// How the pixels of a picture are stored.
enum class VideoFormat : int64_t {
  GXF_VIDEO_FORMAT_CUSTOM,
  GXF_VIDEO_FORMAT_YUV420,
  GXF_VIDEO_FORMAT_YUV420_ER,
  GXF_VIDEO_FORMAT_YUV420_709,
  GXF_VIDEO_FORMAT_YUV420_709_ER,
  GXF_VIDEO_FORMAT_NV12,
  GXF_VIDEO_FORMAT_NV12_ER,
  GXF_VIDEO_FORMAT_NV12_709,
  GXF_VIDEO_FORMAT_NV12_709_ER,
  GXF_VIDEO_FORMAT_RGBA,
  GXF_VIDEO_FORMAT_BGRA,
  GXF_VIDEO_FORMAT_ARGB,
  GXF_VIDEO_FORMAT_ABGR,
  GXF_VIDEO_FORMAT_RGBX,
  GXF_VIDEO_FORMAT_BGRX,
  GXF_VIDEO_FORMAT_XRGB,
  GXF_VIDEO_FORMAT_XBGR,
  GXF_VIDEO_FORMAT_RGB,
  GXF_VIDEO_FORMAT_BGR,
  GXF_VIDEO_FORMAT_R8_G8_B8,
  GXF_VIDEO_FORMAT_B8_G8_R8,
  GXF_VIDEO_FORMAT_GRAY,
  GXF_VIDEO_FORMAT_GRAY16,
  GXF_VIDEO_FORMAT_GRAY32,
  GXF_VIDEO_FORMAT_GRAY32F,
  GXF_VIDEO_FORMAT_RGB16,
  GXF_VIDEO_FORMAT_BGR16,
  GXF_VIDEO_FORMAT_RGB32,
  GXF_VIDEO_FORMAT_BGR32,
  GXF_VIDEO_FORMAT_R16_G16_B16,
  GXF_VIDEO_FORMAT_B16_G16_R16,
  GXF_VIDEO_FORMAT_R32_G32_B32,
  GXF_VIDEO_FORMAT_B32_G32_R32,
  GXF_VIDEO_FORMAT_NV24,
  GXF_VIDEO_FORMAT_NV24_ER,
  GXF_VIDEO_FORMAT_R8_G8_B8_D8,
  GXF_VIDEO_FORMAT_R16_G16_B16_D16,
  GXF_VIDEO_FORMAT_R32_G32_B32_D32,
  GXF_VIDEO_FORMAT_RGBD8,
  GXF_VIDEO_FORMAT_RGBD16,
  GXF_VIDEO_FORMAT_RGBD32,
  GXF_VIDEO_FORMAT_D32F,
  GXF_VIDEO_FORMAT_D64F,
  GXF_VIDEO_FORMAT_RAW16_RGGB,
  GXF_VIDEO_FORMAT_RAW16_BGGR,
  GXF_VIDEO_FORMAT_RAW16_GRBG,
  GXF_VIDEO_FORMAT_RAW16_GBRG,
};

/// How a plane lies in memory: in rows or in blocks.
enum class SurfaceLayout : int32_t {
  GXF_SURFACE_LAYOUT_INVALID = 0,
  GXF_SURFACE_LAYOUT_PITCH_LINEAR = 1,
  GXF_SURFACE_LAYOUT_BLOCK_LINEAR = 2,
};

/// One plane of a picture: rows of `stride` bytes.
struct ColorPlane {
  ColorPlane() = default;
  ColorPlane(const char* name, uint8_t bytes, uint32_t row_stride = 0)
      : color_space(name), bytes_per_pixel(bytes), stride(row_stride) {}

  std::string color_space;      ///< what it holds
  uint8_t bytes_per_pixel = 0;  ///< of this plane
  uint32_t stride = 0;          ///< bytes from one row to the next
  uint32_t offset = 0;          ///< bytes from the start of the picture
  uint32_t width = 0;           ///< pixels
  uint32_t height = 0;          ///< rows
  uint64_t size = 0;            ///< bytes
};

/// What a picture is like, and where its planes lie.
struct VideoBufferInfo {
  uint32_t width;
  uint32_t height;
  VideoFormat color_format;
  std::vector<ColorPlane> color_planes;
  SurfaceLayout surface_layout;
};

/// Name and number of a format.
template <VideoFormat T>
struct VideoTypeTraits;

/// The traits of a format, for use in namespace nvidia::gxf, with or without a semicolon.
#define GXF_VIDEO_TYPE_TRAITS(ENUM)                         \
  template <>                                               \
  struct VideoTypeTraits<VideoFormat::ENUM> {               \
    static constexpr const char* name = #ENUM;              \
    static constexpr VideoFormat value = VideoFormat::ENUM; \
  };

GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_CUSTOM)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_YUV420)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_YUV420_ER)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_YUV420_709)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_YUV420_709_ER)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_NV12)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_NV12_ER)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_NV12_709)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_NV12_709_ER)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RGBA)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_BGRA)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_ARGB)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_ABGR)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RGBX)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_BGRX)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_XRGB)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_XBGR)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RGB)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_BGR)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_R8_G8_B8)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_B8_G8_R8)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_GRAY)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_GRAY16)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_GRAY32)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_GRAY32F)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RGB16)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_BGR16)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RGB32)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_BGR32)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_R16_G16_B16)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_B16_G16_R16)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_R32_G32_B32)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_B32_G32_R32)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_NV24)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_NV24_ER)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_R8_G8_B8_D8)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_R16_G16_B16_D16)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_R32_G32_B32_D32)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RGBD8)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RGBD16)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RGBD32)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_D32F)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_D64F)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RAW16_RGGB)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RAW16_BGGR)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RAW16_GRBG)
GXF_VIDEO_TYPE_TRAITS(GXF_VIDEO_FORMAT_RAW16_GBRG)

/// Strides are multiples of this by default, bytes.
constexpr uint16_t kGxfAlignValue = 256;

/// The next multiple of kGxfAlignValue.
constexpr uint32_t StrideAlign(uint32_t stride) {
  return (stride + kGxfAlignValue - 1U) / kGxfAlignValue * kGxfAlignValue;
}

/// The stride of a plane: the preset one if it is not 0.
constexpr uint32_t ComputeStrides(bool stride_align, uint32_t width, uint32_t bytes_per_pixel,
                                  uint32_t preset) {
  const uint32_t row = width * bytes_per_pixel;
  return preset != 0 ? preset : stride_align ? StrideAlign(row) : row;
}

constexpr uint32_t AlignToEvenDimension(uint32_t size) { return size + size % 2U; }

namespace layer {

constexpr std::size_t CountPlanes(VideoFormat format) {
  switch (format) {
    case VideoFormat::GXF_VIDEO_FORMAT_CUSTOM:
      return 0;
    case VideoFormat::GXF_VIDEO_FORMAT_NV12:
    case VideoFormat::GXF_VIDEO_FORMAT_NV12_ER:
    case VideoFormat::GXF_VIDEO_FORMAT_NV12_709:
    case VideoFormat::GXF_VIDEO_FORMAT_NV12_709_ER:
    case VideoFormat::GXF_VIDEO_FORMAT_NV24:
    case VideoFormat::GXF_VIDEO_FORMAT_NV24_ER:
      return 2;
    case VideoFormat::GXF_VIDEO_FORMAT_YUV420:
    case VideoFormat::GXF_VIDEO_FORMAT_YUV420_ER:
    case VideoFormat::GXF_VIDEO_FORMAT_YUV420_709:
    case VideoFormat::GXF_VIDEO_FORMAT_YUV420_709_ER:
    case VideoFormat::GXF_VIDEO_FORMAT_R8_G8_B8:
    case VideoFormat::GXF_VIDEO_FORMAT_B8_G8_R8:
    case VideoFormat::GXF_VIDEO_FORMAT_R16_G16_B16:
    case VideoFormat::GXF_VIDEO_FORMAT_B16_G16_R16:
    case VideoFormat::GXF_VIDEO_FORMAT_R32_G32_B32:
    case VideoFormat::GXF_VIDEO_FORMAT_B32_G32_R32:
      return 3;
    case VideoFormat::GXF_VIDEO_FORMAT_R8_G8_B8_D8:
    case VideoFormat::GXF_VIDEO_FORMAT_R16_G16_B16_D16:
    case VideoFormat::GXF_VIDEO_FORMAT_R32_G32_B32_D32:
      return 4;
    default:
      return 1;
  }
}

/// The planes of a format with name and bytes per pixel.
GXR_GXF_API std::vector<ColorPlane> PlanesOf(VideoFormat format);
/// Says where the planes lie in a picture of that size; strides that are not 0 stay. Answers the
/// bytes of the picture.
GXR_GXF_API uint64_t LayOutPlanes(VideoFormat format, uint32_t width, uint32_t height,
                                  bool stride_align, ColorPlane* planes, std::size_t count);

}  // namespace layer

/// Where everything lies in pictures of a format. Widths and heights are rounded up to even
/// numbers, strides to a multiple of kGxfAlignValue unless `stride_align` is false.
template <VideoFormat T>
struct VideoFormatSize {
  static constexpr std::size_t kPlanes = layer::CountPlanes(T);

  [[nodiscard]] uint64_t size(uint32_t width, uint32_t height, bool stride_align = true) const {
    std::vector<ColorPlane> planes = layer::PlanesOf(T);
    return layer::LayOutPlanes(T, width, height, stride_align, planes.data(), planes.size());
  }
  /// The same for planes that are filled in; strides that are not 0 stay.
  uint64_t size(uint32_t width, uint32_t height, std::array<ColorPlane, kPlanes>& planes,
                bool stride_align = true) const {
    return fillColorPlanes(width, height, planes, stride_align);
  }
  uint64_t fillColorPlanes(uint32_t width, uint32_t height, std::array<ColorPlane, kPlanes>& planes,
                           bool stride_align = true) const {
    return layer::LayOutPlanes(T, width, height, stride_align, planes.data(), planes.size());
  }
  [[nodiscard]] std::vector<ColorPlane> getDefaultColorPlanes(uint32_t width, uint32_t height,
                                                              bool stride_align = true) const {
    std::vector<ColorPlane> planes = layer::PlanesOf(T);
    layer::LayOutPlanes(T, width, height, stride_align, planes.data(), planes.size());
    return planes;
  }
};

}  // namespace gxf
}  // namespace nvidia
