#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include <gst/gst.h>
#include <gst/video/video.h>

#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"
#include "media/gstreamer.hpp"

namespace gxr::media {

/// How many buffers of a capture the messages have.
using Lent = std::atomic<std::uint64_t>;

/// The memory of a buffer while a part of a message uses it.
class LentPicture {
 public:
  /// Takes over `buffer`. Throws Error(InvalidData).
  LentPicture(GstBuffer* buffer, const GstVideoInfo& info, std::shared_ptr<Lent> lent);
  LentPicture(const LentPicture&) = delete;
  LentPicture& operator=(const LentPicture&) = delete;
  ~LentPicture();

  [[nodiscard]] const GstVideoFrame& frame() const { return frame_; }
  static void release(void* owner, void* /*pointer*/) noexcept {
    delete static_cast<LentPicture*>(owner);
  }

 private:
  GstVideoFrame frame_{};
  GstBuffer* buffer_;
  std::shared_ptr<Lent> lent_;
};

/// Its only plane.
Tensor tensor_of(std::unique_ptr<LentPicture> lent, PixelFormat format);

/// Its planes, which lie in one piece of memory.
VideoBuffer video_buffer_of(std::unique_ptr<LentPicture> lent, PixelFormat format);

}  // namespace gxr::media
