#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/export.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

/// How the pixels of a picture are stored. The numbers are GXF's. ER: full range of values; 709:
/// the primaries of BT.709.
enum class VideoFormat : std::int64_t {
  Custom = 0,
  Yuv420 = 1,
  Yuv420Er = 2,
  Yuv420Bt709 = 3,
  Yuv420Bt709Er = 4,
  Nv12 = 5,
  Nv12Er = 6,
  Nv12Bt709 = 7,
  Nv12Bt709Er = 8,
  Rgba = 9,
  Bgra = 10,
  Argb = 11,
  Abgr = 12,
  Rgbx = 13,
  Bgrx = 14,
  Xrgb = 15,
  Xbgr = 16,
  Rgb = 17,
  Bgr = 18,
  R8G8B8 = 19,
  B8G8R8 = 20,
  Gray = 21,
  Gray16 = 22,
  Gray32 = 23,
  Gray32F = 24,
  Rgb16 = 25,
  Bgr16 = 26,
  Rgb32 = 27,
  Bgr32 = 28,
  R16G16B16 = 29,
  B16G16R16 = 30,
  R32G32B32 = 31,
  B32G32R32 = 32,
  Nv24 = 33,
  Nv24Er = 34,
  R8G8B8D8 = 35,
  R16G16B16D16 = 36,
  R32G32B32D32 = 37,
  Rgbd8 = 38,
  Rgbd16 = 39,
  Rgbd32 = 40,
  D32F = 41,
  D64F = 42,
  Raw16Rggb = 43,
  Raw16Bggr = 44,
  Raw16Grbg = 45,
  Raw16Gbrg = 46,
};
/// GXF's name without its prefix: "NV12_709_ER"; "unknown" for other numbers.
GXR_API const char* to_string(VideoFormat format) noexcept;

/// How a plane lies in memory: PitchLinear in rows, BlockLinear in blocks. The numbers are GXF's.
enum class SurfaceLayout : std::int32_t { Invalid = 0, PitchLinear = 1, BlockLinear = 2 };

/// One plane of a picture: rows of `stride` bytes.
struct ColorPlane {
  std::string color_space;           ///< what it holds: "Y1", "RGBA", "R"
  std::uint8_t bytes_per_pixel = 0;  ///< of this plane
  std::uint32_t stride = 0;          ///< bytes from one row to the next
  std::uint32_t offset = 0;          ///< bytes from the start of the buffer
  std::uint32_t width = 0;           ///< pixels
  std::uint32_t height = 0;          ///< rows
  std::uint64_t size = 0;            ///< bytes: stride x height
};

/// What a picture is like, and where its planes lie.
struct VideoBufferInfo {
  std::uint32_t width = 0;                                    ///< pixels
  std::uint32_t height = 0;                                   ///< rows
  VideoFormat format = VideoFormat::Custom;                   ///< of the pixels
  std::vector<ColorPlane> color_planes;                       ///< in the order of the format
  SurfaceLayout surface_layout = SurfaceLayout::PitchLinear;  ///< of all planes

  /// Bytes of all planes.
  [[nodiscard]] GXR_API std::uint64_t size() const noexcept;
};

/// The planes of a format with name and bytes per pixel, all else 0; none for Custom.
GXR_API std::vector<ColorPlane> color_planes(VideoFormat format);
/// Type of one sample where the format can be seen as a tensor; Custom where it cannot.
GXR_API ElementType sample_type(VideoFormat format) noexcept;

/// Where everything lies in a picture of this size. Plane sizes are rounded up to even numbers, and
/// halved for the chroma of 4:2:0; strides are rounded up to a multiple of 256 when `align_strides`
/// is true. `planes`, when given, replaces the format's own planes; a stride that is not 0 in it is
/// kept. Throws Error(InvalidArgument) for the format Custom, a width or height of 0, planes that
/// do not fit the format, strides shorter than a row, and pictures of 4 GiB or more.
GXR_API VideoBufferInfo video_layout(VideoFormat format, std::uint32_t width, std::uint32_t height,
                                     bool align_strides = true,
                                     std::vector<ColorPlane> planes = {});

}  // namespace gxr
