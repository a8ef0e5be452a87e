#pragma once

#include <cstdint>

#include "gxr/export.hpp"
#include "gxr/multimedia/owned_memory.hpp"
#include "gxr/multimedia/video_format.hpp"
#include "gxr/tensor.hpp"
#include "gxr/type_id.hpp"

namespace gxr {

/// One picture of a video, as a part of a message: its planes in one piece of memory. Move-only.
class GXR_API VideoBuffer {
 public:
  /// Memory for a picture in the default layout (video_layout). Throws Error(InvalidArgument) as
  /// video_layout does, and what the allocator throws.
  void resize(Allocator& allocator, VideoFormat format, std::uint32_t width, std::uint32_t height,
              MemoryStorageType storage = MemoryStorageType::System, bool align_strides = true);
  /// Memory for a picture in this layout. Throws Error(InvalidArgument) for the format Custom and a
  /// width or height of 0.
  void resize(Allocator& allocator, const VideoBufferInfo& info,
              MemoryStorageType storage = MemoryStorageType::System);
  /// Uses memory of somebody else; any format. Throws Error(InvalidArgument) when the planes reach
  /// beyond `size`; then nothing is taken over.
  void wrap(const VideoBufferInfo& info, std::uint64_t size, MemoryStorageType storage,
            void* pointer, void* owner, OwnedMemory::ReleaseFunction release);

  /// The picture as a tensor without a copy; this buffer is empty afterwards. Dimensions are
  /// [width, height] for one plane, [width, height, planes] for several of one kind, and
  /// [width, height + height / 2] for NV12, whose chroma rows follow those of the luma. An element
  /// is one pixel of one plane, so its bytes are the plane's bytes per pixel; strides say where it
  /// lies. Throws Error(InvalidData) for formats that are no such array (YUV420 and NV24, the
  /// variants of NV12, RAW16, Custom) and planes that do not follow each other evenly.
  [[nodiscard]] Tensor move_to_tensor();
  /// The reverse, for a tensor of rank 2 or 3. A tensor without gaps counts as rows of `width`
  /// pixels. Throws Error(InvalidArgument) for other ranks, dimensions, strides and bytes per
  /// element, Error(WrongType) for another element type; then the tensor stays as it was.
  [[nodiscard]] static VideoBuffer create_from_tensor(Tensor&& tensor, VideoFormat format);

  /// What the picture is like.
  [[nodiscard]] const VideoBufferInfo& info() const noexcept { return info_; }
  /// Where the memory begins; planes lie at their offsets. nullptr while there is none.
  [[nodiscard]] void* pointer() noexcept { return memory_.pointer(); }
  /// The same, to be read.
  [[nodiscard]] const void* pointer() const noexcept { return memory_.pointer(); }
  /// Bytes of the memory. For a picture made from a tensor with gaps they may end with the last
  /// pixel, a little before info().size().
  [[nodiscard]] std::uint64_t size() const noexcept { return memory_.size(); }
  /// As Tensor::add_device_user().
  bool add_device_user(DeviceStream& stream) const { return memory_.add_device_user(stream); }
  /// Where the memory is.
  [[nodiscard]] MemoryStorageType storage_type() const noexcept { return memory_.storage_type(); }
  /// As OwnedMemory::owner_for().
  [[nodiscard]] void* owner_for(OwnedMemory::ReleaseFunction release) const noexcept {
    return memory_.owner_for(release);
  }

  /// As copy_part() of a Tensor.
  friend GXR_API VideoBuffer copy_part(const VideoBuffer& from, DeviceWork& work);
  /// As before_write() of a Tensor.
  friend GXR_API void before_write(const VideoBuffer& buffer);

 private:
  VideoBufferInfo info_;
  OwnedMemory memory_;
};
/// As copy_part() of a Tensor.
[[nodiscard]] GXR_API VideoBuffer copy_part(const VideoBuffer& from, DeviceWork& work);
/// As before_write() of a Tensor.
GXR_API void before_write(const VideoBuffer& buffer);

template <>
struct TypeIdOf<VideoBuffer> {
  static constexpr TypeId value{0x16ad58c8b463422cULL, 0xb09761a9acc5050eULL};
};

}  // namespace gxr
