#include "gxr/multimedia/video_buffer.hpp"

#include <string>
#include <utility>

#include "gxr/error.hpp"

namespace gxr {
namespace {

/// Throws unless every plane lies within `size` bytes and its rows within the plane.
void require_inside(const VideoBufferInfo& info, std::uint64_t size) {
  for (const ColorPlane& plane : info.color_planes) {
    if (plane.size > size || plane.offset > size - plane.size) {
      throw Error(ErrorCode::InvalidArgument,
                  "plane '" + plane.color_space + "' of " + std::to_string(plane.size) +
                      " bytes at " + std::to_string(plane.offset) + " reaches beyond the " +
                      std::to_string(size) + " bytes of the picture");
    }
    if (std::uint64_t{plane.stride} * plane.height > plane.size ||
        std::uint64_t{plane.width} * plane.bytes_per_pixel > plane.stride) {
      throw Error(ErrorCode::InvalidArgument,
                  "the rows of plane '" + plane.color_space + "' reach beyond the plane");
    }
  }
}

}  // namespace

void VideoBuffer::resize(Allocator& allocator, VideoFormat format, std::uint32_t width,
                         std::uint32_t height, MemoryStorageType storage, bool align_strides) {
  VideoBufferInfo info = video_layout(format, width, height, align_strides);
  memory_.allocate(allocator, info.size(), storage);
  info_ = std::move(info);
}

void VideoBuffer::resize(Allocator& allocator, const VideoBufferInfo& info,
                         MemoryStorageType storage) {
  if (info.format == VideoFormat::Custom || info.width == 0 || info.height == 0) {
    throw Error(ErrorCode::InvalidArgument,
                "memory for a " + std::to_string(info.width) + " x " + std::to_string(info.height) +
                    " picture of format " + to_string(info.format) +
                    " cannot be made: format, width and height must be known");
  }
  VideoBufferInfo wanted = info;
  require_inside(wanted, wanted.size());
  memory_.allocate(allocator, wanted.size(), storage);
  info_ = std::move(wanted);
}

void VideoBuffer::wrap(const VideoBufferInfo& info, std::uint64_t size, MemoryStorageType storage,
                       void* pointer, void* owner, OwnedMemory::ReleaseFunction release) {
  require_inside(info, size);
  if (pointer == nullptr && size > 0) {
    throw Error(ErrorCode::InvalidArgument, "a picture cannot be at a null pointer");
  }
  VideoBufferInfo wanted = info;
  memory_.wrap(pointer, size, storage, owner, release);
  info_ = std::move(wanted);
}

VideoBuffer copy_part(const VideoBuffer& from, DeviceWork& work) {
  VideoBuffer copy;
  copy.info_ = from.info_;
  copy.memory_ = from.memory_.copy(work);
  return copy;
}

void before_write(const VideoBuffer& buffer) { buffer.memory_.before_write(); }

}  // namespace gxr
