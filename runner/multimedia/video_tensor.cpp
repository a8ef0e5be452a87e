// A picture as a tensor and back.

#include <array>
#include <limits>
#include <string>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/multimedia/video_buffer.hpp"

namespace gxr {
namespace {

/// What the tensor over a picture looks like.
struct View {
  Shape shape;
  std::uint64_t bytes_per_element = 0;
  Strides strides{};
};

[[noreturn]] void throw_no_tensor(const VideoBufferInfo& info, const char* why) {
  throw Error(ErrorCode::InvalidData, std::string("a picture of format ") + to_string(info.format) +
                                          " is no tensor: " + why);
}

/// Throws unless plane i is like the first and begins i plane sizes behind it.
void require_even_planes(const VideoBufferInfo& info) {
  const ColorPlane& first = info.color_planes.front();
  std::uint64_t offset = first.offset;
  for (const ColorPlane& plane : info.color_planes) {
    if (plane.stride != first.stride || plane.size != first.size || plane.offset != offset) {
      throw_no_tensor(info, "its planes do not follow each other evenly");
    }
    offset += plane.size;
  }
}

/// Throws unless the first plane has every pixel of the picture. Descriptions come from recordings,
/// too.
void require_all_pixels(const VideoBufferInfo& info) {
  const ColorPlane& first = info.color_planes.front();
  if (info.width > first.width || info.height > first.height) {
    throw_no_tensor(info, "it is larger than its planes");
  }
}

std::int32_t extent(const VideoBufferInfo& info, std::uint64_t pixels) {
  if (pixels > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
    throw_no_tensor(info, "it is too large");
  }
  return static_cast<std::int32_t>(pixels);
}

View view_of_nv12(const VideoBufferInfo& info) {
  const ColorPlane& luma = info.color_planes.at(0);
  const ColorPlane& chroma = info.color_planes.at(1);
  if (chroma.stride != luma.stride || chroma.offset != luma.offset + luma.size ||
      luma.size != std::uint64_t{luma.stride} * luma.height) {
    throw_no_tensor(info, "its chroma rows do not continue those of the luma");
  }
  View view;
  const std::array extents{extent(info, info.width),
                           extent(info, std::uint64_t{luma.height} + chroma.height)};
  view.shape = Shape(extents.data(), extents.size());
  view.bytes_per_element = 1;
  view.strides = {1, luma.stride};
  return view;
}

View view_of(const VideoBufferInfo& info) {
  if (sample_type(info.format) == ElementType::Custom || info.color_planes.empty()) {
    throw_no_tensor(info, "its samples are not laid out as one array");
  }
  require_all_pixels(info);
  if (info.format == VideoFormat::Nv12) {
    return view_of_nv12(info);
  }
  require_even_planes(info);
  const ColorPlane& first = info.color_planes.front();
  View view;
  const std::array extents{extent(info, info.width), extent(info, info.height),
                           extent(info, info.color_planes.size())};
  view.shape = Shape(extents.data(), info.color_planes.size() == 1 ? 2 : 3);
  view.bytes_per_element = first.bytes_per_pixel;
  view.strides = {first.bytes_per_pixel, first.stride, first.size};
  return view;
}

[[noreturn]] void refuse(const Tensor& tensor, VideoFormat format, const std::string& why) {
  throw Error(ErrorCode::InvalidArgument, "a tensor of shape " + tensor.shape().to_string() +
                                              " cannot be a picture of format " +
                                              to_string(format) + ": " + why);
}

void require_kind(const Tensor& tensor, VideoFormat format) {
  if (sample_type(format) == ElementType::Custom) {
    refuse(tensor, format, "its samples are not laid out as one array");
  }
  if (tensor.element_type() != sample_type(format)) {
    throw Error(ErrorCode::WrongType, std::string("a picture of format ") + to_string(format) +
                                          " has samples of " + to_string(sample_type(format)) +
                                          ", the tensor of " + to_string(tensor.element_type()));
  }
  if (tensor.rank() != 2 && tensor.rank() != 3) {
    refuse(tensor, format, "it needs the dimensions width, height and perhaps planes");
  }
}

std::uint32_t count(const Tensor& tensor, std::uint32_t index) {
  return static_cast<std::uint32_t>(tensor.shape().dimension(index));
}

/// Bytes from row to row and from plane to plane.
struct Steps {
  std::uint64_t row;
  std::uint64_t plane;
};

Steps steps_of(const Tensor& tensor, std::uint64_t bytes) {
  if (tensor.is_contiguous()) {
    const std::uint64_t row = count(tensor, 0) * bytes;
    return {row, row * count(tensor, 1)};
  }
  return {tensor.stride(1),
          tensor.rank() == 3 ? tensor.stride(2) : tensor.stride(1) * count(tensor, 1)};
}

VideoBufferInfo info_of(const Tensor& tensor, VideoFormat format) {
  require_kind(tensor, format);
  VideoBufferInfo info;
  info.format = format;
  info.color_planes = color_planes(format);
  const bool nv12 = format == VideoFormat::Nv12;
  const std::uint64_t bytes = info.color_planes.front().bytes_per_pixel;
  const std::size_t planes = nv12 ? 1 : info.color_planes.size();
  const Steps steps = steps_of(tensor, bytes);
  if (count(tensor, 2) != planes || (nv12 && count(tensor, 1) % 3 != 0)) {
    refuse(tensor, format,
           nv12 ? "its height must be that of the luma and half as much again"
                : "it has " + std::to_string(planes) + " planes");
  }
  if (tensor.bytes_per_element() != bytes ||
      (!tensor.is_contiguous() && tensor.stride(0) != bytes) ||
      steps.row < count(tensor, 0) * bytes || steps.plane < steps.row * count(tensor, 1) ||
      steps.row > std::numeric_limits<std::uint32_t>::max() ||
      (planes - 1) * steps.plane > std::numeric_limits<std::uint32_t>::max()) {
    refuse(tensor, format,
           "its elements are not " + std::to_string(bytes) +
               " bytes that follow each other along the width");
  }
  info.width = count(tensor, 0);
  info.height = nv12 ? count(tensor, 1) / 3 * 2 : count(tensor, 1);
  std::uint64_t offset = 0;
  for (ColorPlane& plane : info.color_planes) {
    const bool chroma = nv12 && &plane != info.color_planes.data();
    plane.width = chroma ? info.width / 2 : info.width;
    plane.height = chroma ? info.height / 2 : info.height;
    plane.stride = static_cast<std::uint32_t>(steps.row);
    plane.offset = static_cast<std::uint32_t>(offset);
    plane.size = nv12 ? steps.row * plane.height : steps.plane;
    offset += plane.size;
  }
  return info;
}

void delete_tensor(void* owner, void*) noexcept { delete static_cast<Tensor*>(owner); }

}  // namespace

Tensor VideoBuffer::move_to_tensor() {
  const View view = view_of(info_);
  Tensor tensor;
  // The tensor takes the memory over only when it can describe it.
  void* const start = static_cast<std::byte*>(pointer()) + info_.color_planes.front().offset;
  tensor.wrap(start, view.shape, sample_type(info_.format), storage_type(), nullptr, nullptr,
              view.bytes_per_element, &view.strides);
  auto* owner = new OwnedMemory(std::move(memory_));
  const auto release = [](void* memory, void*) noexcept {
    delete static_cast<OwnedMemory*>(memory);
  };
  const MemoryStorageType storage = owner->storage_type();
  tensor.wrap(start, view.shape, sample_type(info_.format), storage, owner, release,
              view.bytes_per_element, &view.strides);
  info_ = {};
  return tensor;
}

VideoBuffer VideoBuffer::create_from_tensor(Tensor&& tensor, VideoFormat format) {
  VideoBufferInfo info = info_of(tensor, format);
  // The memory of a tensor with gaps may end with its last pixel, where the last plane goes on to
  // where the next row would begin: the tensor's word counts.
  const std::uint64_t size = tensor.span_bytes();
  VideoBuffer picture;
  auto* owner = new Tensor(std::move(tensor));
  picture.memory_.wrap(owner->pointer(), size, owner->storage_type(), owner, delete_tensor);
  picture.info_ = std::move(info);
  return picture;
}

}  // namespace gxr
