#pragma once

#include <string>

#include "gxf/core/expected.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/multimedia/video.hpp"
#include "gxf/std/allocator.hpp"

namespace nvidia {
namespace orchard {

// What a frame of a format must look like.
struct FrameLayout {
  gxf::VideoFormat format = gxf::VideoFormat::GXF_VIDEO_FORMAT_CUSTOM;
  std::string name;  // GXF's own name of the format
  std::vector<gxf::ColorPlane> planes;
  uint64_t size = 0;
};

// The layout of a format that CameraSource knows; GXF_PARAMETER_OUT_OF_RANGE for another word.
gxf::Expected<FrameLayout> LayoutOf(const std::string& word, uint32_t width, uint32_t height);

// Gives a frame memory in that layout.
gxf::Expected<void> AllocateFrame(const std::string& word, gxf::Handle<gxf::VideoBuffer> frame,
                                  uint32_t width, uint32_t height, gxf::MemoryStorageType storage,
                                  gxf::Handle<gxf::Allocator> allocator);

// Writes or checks the pattern of a frame in host memory. The bytes between rows do not count.
void FillFrame(const gxf::VideoBufferInfo& info, int64_t sequence, byte* memory);
bool CheckFrame(const gxf::VideoBufferInfo& info, int64_t sequence, const byte* memory);

}  // namespace orchard
}  // namespace nvidia
