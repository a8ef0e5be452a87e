#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "gxf/multimedia/camera.hpp"
#include "gxf/multimedia/video.hpp"
#include "gxr/multimedia/camera.hpp"
#include "parts.hpp"

namespace nvidia::gxf {

static_assert(sizeof(VideoBuffer) == sizeof(gxr::VideoBuffer) &&
              alignof(VideoBuffer) == alignof(gxr::VideoBuffer));
static_assert(sizeof(CameraModel) == sizeof(gxr::CameraModel) &&
              offsetof(CameraModel, focal_length) == offsetof(gxr::CameraModel, focal_length) &&
              offsetof(CameraModel, principal_point) ==
                  offsetof(gxr::CameraModel, principal_point) &&
              offsetof(CameraModel, skew_value) == offsetof(gxr::CameraModel, skew_value) &&
              offsetof(CameraModel, distortion_type) ==
                  offsetof(gxr::CameraModel, distortion_type) &&
              offsetof(CameraModel, distortion_coefficients) ==
                  offsetof(gxr::CameraModel, distortion_coefficients));
static_assert(sizeof(Pose3D) == sizeof(gxr::Pose3D) &&
              offsetof(Pose3D, translation) == offsetof(gxr::Pose3D, translation));

namespace {

using layer::attempt;
using layer::Closure;
using layer::to_native;

gxr::VideoFormat to_native(VideoFormat format) { return static_cast<gxr::VideoFormat>(format); }

gxr::VideoBufferInfo to_native(const VideoBufferInfo& info) {
  gxr::VideoBufferInfo native;
  native.width = info.width;
  native.height = info.height;
  native.format = to_native(info.color_format);
  native.surface_layout = static_cast<gxr::SurfaceLayout>(info.surface_layout);
  native.color_planes.reserve(info.color_planes.size());
  for (const ColorPlane& plane : info.color_planes) {
    native.color_planes.push_back({plane.color_space, plane.bytes_per_pixel, plane.stride,
                                   plane.offset, plane.width, plane.height, plane.size});
  }
  return native;
}

/// Fills in sizes that a source left out.
void add_sizes(gxr::VideoBufferInfo& info) {
  for (gxr::ColorPlane& plane : info.color_planes) {
    if (plane.size == 0) {
      plane.size = std::uint64_t{plane.stride} * plane.height;
    }
  }
}

/// The planes without gaps between rows; a single one just with the pixels of the picture.
void close_gaps(gxr::VideoBufferInfo& info) {
  if (info.color_planes.size() == 1) {
    info.color_planes.front().width = info.width;
    info.color_planes.front().height = info.height;
  }
  std::uint64_t offset = 0;
  for (gxr::ColorPlane& plane : info.color_planes) {
    plane.stride = plane.width * plane.bytes_per_pixel;
    plane.size = std::uint64_t{plane.stride} * plane.height;
    plane.offset = static_cast<std::uint32_t>(offset);
    offset += plane.size;
  }
}

/// Throws Error(InvalidArgument) for planes that do not fit into `size` bytes.
void wrap(gxr::VideoBuffer& buffer, gxr::VideoBufferInfo info, std::uint64_t size,
          gxr::MemoryStorageType storage, void* pointer, std::unique_ptr<Closure> closure) {
  add_sizes(info);
  try {
    buffer.wrap(info, size, storage, pointer, closure.get(), Closure::run);
  } catch (const gxr::Error& error) {
    if (error.code() != gxr::ErrorCode::InvalidArgument || pointer == nullptr) {
      throw;
    }
    close_gaps(info);
    buffer.wrap(info, size, storage, pointer, closure.get(), Closure::run);
  }
  static_cast<void>(closure.release());
}

enum class Chroma : std::uint8_t { Full, Halved, HalvedRows };

Chroma chroma_of(VideoFormat format) {
  switch (format) {
    case VideoFormat::GXF_VIDEO_FORMAT_YUV420:
    case VideoFormat::GXF_VIDEO_FORMAT_YUV420_ER:
    case VideoFormat::GXF_VIDEO_FORMAT_YUV420_709:
    case VideoFormat::GXF_VIDEO_FORMAT_YUV420_709_ER:
      return Chroma::HalvedRows;
    case VideoFormat::GXF_VIDEO_FORMAT_NV12:
    case VideoFormat::GXF_VIDEO_FORMAT_NV12_ER:
    case VideoFormat::GXF_VIDEO_FORMAT_NV12_709:
    case VideoFormat::GXF_VIDEO_FORMAT_NV12_709_ER:
      return Chroma::Halved;
    default:
      return Chroma::Full;
  }
}

}  // namespace

namespace layer {

std::vector<ColorPlane> PlanesOf(VideoFormat format) {
  std::vector<ColorPlane> planes;
  for (const gxr::ColorPlane& plane : gxr::color_planes(gxf::to_native(format))) {
    planes.emplace_back(plane.color_space.c_str(), plane.bytes_per_pixel);
  }
  return planes;
}

uint64_t LayOutPlanes(VideoFormat format, uint32_t width, uint32_t height, bool stride_align,
                      ColorPlane* planes, std::size_t count) {
  const Chroma chroma = chroma_of(format);
  uint64_t offset = 0;
  for (std::size_t i = 0; i < count; ++i) {
    ColorPlane& plane = planes[i];
    const std::uint32_t divisor = i == 0 || chroma == Chroma::Full ? 1 : 2;
    plane.width = AlignToEvenDimension(width) / divisor;
    plane.height = AlignToEvenDimension(height) / divisor;
    if (plane.stride == 0 && i > 0 && chroma == Chroma::HalvedRows) {
      plane.stride = planes[0].stride / 2;
    }
    plane.stride = ComputeStrides(stride_align, plane.width, plane.bytes_per_pixel, plane.stride);
    plane.offset = static_cast<std::uint32_t>(offset);
    plane.size = std::uint64_t{plane.stride} * plane.height;
    offset += plane.size;
  }
  return offset;
}

}  // namespace layer

VideoBuffer::VideoBuffer() { ::new (static_cast<void*>(native_)) gxr::VideoBuffer(); }

VideoBuffer::VideoBuffer(VideoBuffer&& other) noexcept {
  ::new (static_cast<void*>(native_)) gxr::VideoBuffer(std::move(to_native(other)));
}

VideoBuffer& VideoBuffer::operator=(VideoBuffer&& other) noexcept {
  to_native(*this) = std::move(to_native(other));
  return *this;
}

VideoBuffer::~VideoBuffer() { to_native(*this).~VideoBuffer(); }

// NOLINTNEXTLINE(performance-unnecessary-value-param)
Expected<void> VideoBuffer::resizeCustom(VideoBufferInfo buffer_info, uint64_t size,
                                         MemoryStorageType storage_type,
                                         Handle<Allocator> allocator) {
  if (allocator.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  if (buffer_info.color_format == VideoFormat::GXF_VIDEO_FORMAT_CUSTOM || buffer_info.width == 0 ||
      buffer_info.height == 0) {
    GXF_LOG_ERROR("A picture needs a format and pixels: %s, %u x %u",
                  gxr::to_string(to_native(buffer_info.color_format)), buffer_info.width,
                  buffer_info.height);
    return Unexpected{GXF_ARGUMENT_INVALID};
  }
  gxr::VideoBufferInfo info = to_native(buffer_info);
  add_sizes(info);
  gxr::Allocator* const source = layer::native_allocator(*allocator.get());
  if (source != nullptr && info.size() == size) {
    const auto storage = layer::storage_to_allocate(storage_type);
    return storage ? attempt([&] { to_native(*this).resize(*source, info, storage.value()); },
                             [&](const gxr::Error& error) {
                               return layer::code_of_error(error, *source);
                             })
                   : Expected<void>(storage);
  }
  to_native(*this) = gxr::VideoBuffer();
  Expected<layer::Allocated> memory = layer::allocate_memory(allocator, size, storage_type);
  if (!memory) {
    return ForwardError(memory);
  }
  layer::Allocated& allocated = memory.value();
  const release_function_t give_back = allocated.closure->release;
  const Expected<void> wrapped = attempt([&] {
    wrap(to_native(*this), std::move(info), size, allocated.storage, allocated.pointer,
         std::move(allocated.closure));
  });
  if (!wrapped && give_back) {
    static_cast<void>(give_back(allocated.pointer));
  }
  return wrapped;
}

Expected<void> VideoBuffer::wrapMemory(VideoBufferInfo buffer_info, uint64_t size,
                                       MemoryStorageType storage_type, void* pointer,
                                       release_function_t release_func) {
  return attempt([&] {
    auto closure = std::make_unique<Closure>();
    closure->release = std::move(release_func);
    gxr::VideoBuffer wrapped;
    wrap(wrapped, to_native(buffer_info), size, layer::to_native(storage_type), pointer,
         std::move(closure));
    layer::replace_part(to_native(*this), std::move(wrapped));
  });
}

Expected<void> VideoBuffer::moveToTensor(Handle<Tensor>& tensor) {
  return tensor.is_null() ? Unexpected{GXF_ARGUMENT_NULL} : moveToTensor(tensor.get());
}

Expected<void> VideoBuffer::moveToTensor(Tensor* tensor) {
  if (tensor == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  return attempt([&] { layer::to_native(*tensor) = to_native(*this).move_to_tensor(); });
}

Expected<void> VideoBuffer::create_from_tensor(Handle<Tensor>& tensor, VideoFormat format,
                                               SurfaceLayout layout) {
  if (tensor.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  const Expected<void> created = attempt([&] {
    gxr::Tensor& source = layer::to_native(*tensor.get());
    gxr::VideoBuffer picture =
        gxr::VideoBuffer::create_from_tensor(std::move(source), to_native(format));
    if (layout != SurfaceLayout::GXF_SURFACE_LAYOUT_PITCH_LINEAR) {
      gxr::VideoBufferInfo info = picture.info();
      info.surface_layout = static_cast<gxr::SurfaceLayout>(layout);
      auto owner = std::make_shared<gxr::VideoBuffer>(std::move(picture));
      auto closure = std::make_unique<Closure>();
      closure->keeps = owner;
      picture = gxr::VideoBuffer();
      wrap(picture, std::move(info), owner->size(), owner->storage_type(), owner->pointer(),
           std::move(closure));
    }
    to_native(*this) = std::move(picture);
  });
  if (created) {
    tensor = Handle<Tensor>::Null();
  }
  return created;
}

Expected<PrimitiveType> VideoBuffer::getPlanarPrimitiveType(VideoFormat format) {
  const gxr::ElementType type = gxr::sample_type(to_native(format));
  if (type == gxr::ElementType::Custom) {
    return Unexpected{GXF_INVALID_DATA_FORMAT};
  }
  return static_cast<PrimitiveType>(type);
}

VideoBufferInfo VideoBuffer::video_frame_info() const {
  const gxr::VideoBufferInfo& native = to_native(*this).info();
  VideoBufferInfo info{native.width,
                       native.height,
                       static_cast<VideoFormat>(native.format),
                       {},
                       static_cast<SurfaceLayout>(native.surface_layout)};
  info.color_planes.reserve(native.color_planes.size());
  for (const gxr::ColorPlane& from : native.color_planes) {
    ColorPlane& plane =
        info.color_planes.emplace_back(from.color_space.c_str(), from.bytes_per_pixel, from.stride);
    plane.offset = from.offset;
    plane.width = from.width;
    plane.height = from.height;
    plane.size = from.size;
  }
  return info;
}

MemoryStorageType VideoBuffer::storage_type() const {
  const gxr::VideoBuffer& native = to_native(*this);
  return native.pointer() == nullptr ? MemoryStorageType::kHost
                                     : layer::from_native(native.storage_type());
}

uint64_t VideoBuffer::size() const { return to_native(*this).size(); }

byte* VideoBuffer::pointer() const {
  return static_cast<byte*>(const_cast<void*>(to_native(*this).pointer()));
}

}  // namespace nvidia::gxf
