#pragma once

#include <cstdint>

#include "common/byte.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/multimedia/video_format.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/memory_buffer.hpp"
#include "gxf/std/memory_storage.hpp"
#include "gxf/std/tensor.hpp"

namespace nvidia {
namespace gxf {

/// A picture. The same part of a message as gxr::VideoBuffer, which is what an object of this class
/// contains.
///
/// Unlike in GXF, planes do not reach beyond the memory. Sources often give the default planes,
/// whose strides are rounded up, with memory for rows without gaps: such planes are laid out
/// without gaps. If that is not enough: GXF_ARGUMENT_INVALID. storage_type() as of a Tensor.
class GXR_GXF_API VideoBuffer {
 public:
  using release_function_t = MemoryBuffer::release_function_t;

  VideoBuffer();
  VideoBuffer(VideoBuffer&& other) noexcept;
  VideoBuffer& operator=(VideoBuffer&& other) noexcept;
  VideoBuffer(const VideoBuffer&) = delete;
  VideoBuffer& operator=(const VideoBuffer&) = delete;
  ~VideoBuffer();

  /// Memory for a picture in the default layout, from an allocator that outlives the buffer.
  template <VideoFormat T>
  Expected<void> resize(uint32_t width, uint32_t height, SurfaceLayout layout,
                        MemoryStorageType storage_type, Handle<Allocator> allocator,
                        bool stride_align = true) {
    const VideoFormatSize<T> format;
    return resizeCustom(
        {width, height, T, format.getDefaultColorPlanes(width, height, stride_align), layout},
        format.size(width, height, stride_align), storage_type, allocator);
  }
  /// The same in a layout of one's own. GXF_ARGUMENT_INVALID for the custom format and pictures
  /// without pixels.
  Expected<void> resizeCustom(VideoBufferInfo buffer_info, uint64_t size,
                              MemoryStorageType storage_type, Handle<Allocator> allocator);
  /// Memory of somebody else; see MemoryBuffer::wrapMemory(). Any format.
  Expected<void> wrapMemory(VideoBufferInfo buffer_info, uint64_t size,
                            MemoryStorageType storage_type, void* pointer,
                            release_function_t release_func);

  /// The picture as a tensor, without a copy; the buffer is empty then. GXF_INVALID_DATA_FORMAT for
  /// formats that are no array of equal elements.
  ///
  /// The tensor is that of gxr::VideoBuffer::move_to_tensor(). Unlike in GXF, an element is a pixel
  /// of one plane, strides say where it lies, and a picture of NV12 is [width, height * 3 / 2].
  Expected<void> moveToTensor(Handle<Tensor>& tensor);
  Expected<void> moveToTensor(Tensor* tensor);
  /// The reverse, which nulls the handle. Unlike in GXF, planes lie where the tensor's strides say:
  /// `stride_align` says nothing.
  template <VideoFormat T>
  Expected<void> createFromTensor(Handle<Tensor>& tensor, SurfaceLayout layout,
                                  bool stride_align = true) {
    static_cast<void>(stride_align);
    return create_from_tensor(tensor, T, layout);
  }

  /// The type of one sample; GXF_INVALID_DATA_FORMAT for formats that are no array.
  static Expected<PrimitiveType> getPlanarPrimitiveType(VideoFormat format);

  [[nodiscard]] VideoBufferInfo video_frame_info() const;
  [[nodiscard]] MemoryStorageType storage_type() const;
  [[nodiscard]] uint64_t size() const;
  [[nodiscard]] byte* pointer() const;

 private:
  Expected<void> create_from_tensor(Handle<Tensor>& tensor, VideoFormat format,
                                    SurfaceLayout layout);

  alignas(8) unsigned char native_[128];  // a gxr::VideoBuffer
};

}  // namespace gxf
}  // namespace nvidia
