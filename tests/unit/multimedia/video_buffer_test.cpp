#include "gxr/multimedia/video_buffer.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/gxr.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Memory {
  harness::Harness harness;
  UnboundedAllocator& allocator = harness.add<UnboundedAllocator>("memory/pool");
};

/// stride, offset, width, height, size of a plane.
using Numbers = std::vector<std::uint64_t>;
Numbers numbers(const ColorPlane& plane) {
  return {plane.stride, plane.offset, plane.width, plane.height, plane.size};
}

std::vector<std::string> names(VideoFormat format) {
  std::vector<std::string> result;
  for (const ColorPlane& plane : color_planes(format)) {
    result.push_back(plane.color_space + " " + std::to_string(plane.bytes_per_pixel));
  }
  return result;
}

using Names = std::vector<std::string>;

VideoBuffer make(Tensor& tensor, VideoFormat format) {
  return VideoBuffer::create_from_tensor(std::move(tensor), format);
}

}  // namespace

TEST_CASE("Formats have GXF's numbers, names and planes", "[multimedia]") {
  CHECK(static_cast<int>(VideoFormat::Nv24) == 33);
  CHECK(static_cast<int>(VideoFormat::Raw16Gbrg) == 46);
  CHECK(to_string(VideoFormat::Nv12Bt709Er) == std::string("NV12_709_ER"));
  CHECK(to_string(static_cast<VideoFormat>(47)) == std::string("unknown"));
  CHECK(names(VideoFormat::Custom).empty());
  CHECK(names(VideoFormat::Yuv420Bt709) == Names{"Y1 1", "U1 1", "V1 1"});
  CHECK(names(VideoFormat::Nv24Er) == Names{"Y1 1", "UV2 2"});
  CHECK(names(VideoFormat::Xbgr) == Names{"XBGR 4"});
  CHECK(names(VideoFormat::Bgr) == Names{"BGR 3"});
  CHECK(names(VideoFormat::Rgb16) == Names{"RGB 6"});
  CHECK(names(VideoFormat::Bgr32) == Names{"BGR 12"});
  CHECK(names(VideoFormat::B16G16R16) == Names{"B 2", "G 2", "R 2"});
  CHECK(names(VideoFormat::R32G32B32D32) == Names{"R 4", "G 4", "B 4", "D 4"});
  CHECK(names(VideoFormat::Rgbd16) == Names{"RGBD 8"});
  CHECK(names(VideoFormat::Gray32F) == Names{"gray 4"});
  CHECK(names(VideoFormat::D64F) == Names{"D 8"});
  CHECK(names(VideoFormat::Raw16Bggr) == Names{"Raw_BGGR 8"});
}

TEST_CASE("Planes are laid out as in GXF", "[multimedia]") {
  const VideoBufferInfo rgb = video_layout(VideoFormat::Rgb, 1920, 1080);
  CHECK(numbers(rgb.color_planes[0]) == Numbers{5888, 0, 1920, 1080, 6359040});
  CHECK(rgb.size() == 6359040);
  CHECK(video_layout(VideoFormat::Rgb, 1920, 1080, false).size() == 1920 * 1080 * 3);

  const VideoBufferInfo yuv = video_layout(VideoFormat::Yuv420, 99, 49);
  CHECK(numbers(yuv.color_planes[0]) == Numbers{256, 0, 100, 50, 12800});
  CHECK(numbers(yuv.color_planes[1]) == Numbers{128, 12800, 50, 25, 3200});
  CHECK(numbers(yuv.color_planes[2]) == Numbers{128, 16000, 50, 25, 3200});
  CHECK(yuv.size() == 19200);

  const VideoBufferInfo nv12 = video_layout(VideoFormat::Nv12, 640, 480, false);
  CHECK(numbers(nv12.color_planes[0]) == Numbers{640, 0, 640, 480, 307200});
  CHECK(numbers(nv12.color_planes[1]) == Numbers{640, 307200, 320, 240, 153600});

  const VideoBufferInfo nv24 = video_layout(VideoFormat::Nv24, 640, 480, false);
  CHECK(numbers(nv24.color_planes[1]) == Numbers{1280, 307200, 640, 480, 614400});
}

TEST_CASE("A stride that is given is kept, when a row fits into it", "[multimedia]") {
  std::vector<ColorPlane> planes = color_planes(VideoFormat::Gray16);
  planes[0].stride = 202;
  const VideoBufferInfo info = video_layout(VideoFormat::Gray16, 100, 10, true, planes);
  CHECK(numbers(info.color_planes[0]) == Numbers{202, 0, 100, 10, 2020});
  planes[0].stride = 199;
  CHECK_THROWS_WITH(video_layout(VideoFormat::Gray16, 100, 10, true, planes),
                    ContainsSubstring("a stride of 199 bytes is shorter than a row of 200 bytes"));
  CHECK_THROWS_WITH(video_layout(VideoFormat::Rgb, 100, 10, true, planes),
                    ContainsSubstring("not those of the format RGB"));
}

TEST_CASE("resize refuses what has no layout", "[multimedia]") {
  Memory memory;
  VideoBuffer video;
  CHECK_THROWS_WITH(video.resize(memory.allocator, VideoFormat::Custom, 4, 4),
                    ContainsSubstring("has no layout of its own"));
  CHECK_THROWS_WITH(video.resize(memory.allocator, VideoFormat::Rgb, 0, 4),
                    ContainsSubstring("is empty"));
  CHECK_THROWS_WITH(video.resize(memory.allocator, VideoFormat::Rgb, 4000000000U, 4000000000U),
                    ContainsSubstring("too large"));
  VideoBufferInfo info;
  info.width = 4;
  CHECK_THROWS_WITH(video.resize(memory.allocator, info), ContainsSubstring("must be known"));
  video.resize(memory.allocator, VideoFormat::Rgba, 3, 3);
  CHECK(video.size() == 4 * 256);
  CHECK(video.info().width == 3);
  CHECK(video.info().color_planes[0].width == 4);
}

TEST_CASE("A packed picture is a tensor of width and height, and back", "[multimedia]") {
  Memory memory;
  VideoBuffer video;
  video.resize(memory.allocator, VideoFormat::Bgra, 5, 3);
  void* const pixels = video.pointer();
  Tensor tensor = video.move_to_tensor();
  CHECK(video.pointer() == nullptr);
  CHECK(tensor.pointer() == pixels);
  CHECK(tensor.shape() == Shape{5, 3});
  CHECK(tensor.element_type() == ElementType::UInt8);
  CHECK(tensor.bytes_per_element() == 4);
  CHECK(tensor.stride(0) == 4);
  CHECK(tensor.stride(1) == 256);

  const VideoBuffer again = VideoBuffer::create_from_tensor(std::move(tensor), VideoFormat::Bgra);
  CHECK(again.pointer() == pixels);
  CHECK(again.info().width == 5);
  CHECK(again.info().height == 3);
  CHECK(again.info().color_planes[0].stride == 256);
  CHECK(again.size() == 2 * 256 + 5 * 4);
}

TEST_CASE("A planar picture is a tensor with its planes as third dimension", "[multimedia]") {
  Memory memory;
  VideoBuffer video;
  video.resize(memory.allocator, VideoFormat::R16G16B16, 4, 2);
  const Tensor tensor = video.move_to_tensor();
  CHECK(tensor.shape() == Shape{4, 2, 3});
  CHECK(tensor.element_type() == ElementType::UInt16);
  CHECK(tensor.stride(2) == 512);
  CHECK(tensor.span_bytes() <= 3 * 512);
}

TEST_CASE("NV12 is a tensor whose chroma rows follow those of the luma", "[multimedia]") {
  Memory memory;
  VideoBuffer video;
  video.resize(memory.allocator, VideoFormat::Nv12, 6, 4);
  Tensor tensor = video.move_to_tensor();
  CHECK(tensor.shape() == Shape{6, 6});
  CHECK(tensor.stride(1) == 256);
  const VideoBuffer again = VideoBuffer::create_from_tensor(std::move(tensor), VideoFormat::Nv12);
  CHECK(again.info().height == 4);
  CHECK(numbers(again.info().color_planes[1]) == Numbers{256, 1024, 3, 2, 512});
}

TEST_CASE("Formats that are no array are no tensors", "[multimedia]") {
  Memory memory;
  for (const VideoFormat format :
       {VideoFormat::Yuv420, VideoFormat::Nv12Er, VideoFormat::Nv24, VideoFormat::Raw16Rggb}) {
    VideoBuffer video;
    video.resize(memory.allocator, format, 4, 4);
    CHECK_THROWS_AS(video.move_to_tensor(), Error);
    CHECK(video.pointer() != nullptr);
  }
}

TEST_CASE("A picture that claims more pixels than its planes have is no tensor", "[multimedia]") {
  std::vector<std::uint8_t> bytes(1000);
  for (const VideoFormat format : {VideoFormat::Gray, VideoFormat::Nv12}) {
    VideoBufferInfo info = video_layout(format, 16, 10, false);
    VideoBuffer video;
    const auto wrap = [&](std::uint32_t width, std::uint32_t height) {
      info.width = width;
      info.height = height;
      video.wrap(info, info.size(), MemoryStorageType::System, bytes.data(), nullptr, nullptr);
    };
    wrap(17, 10);
    CHECK_THROWS_WITH(video.move_to_tensor(), ContainsSubstring("larger than its planes"));
    wrap(16, 11);
    CHECK_THROWS_WITH(video.move_to_tensor(), ContainsSubstring("larger than its planes"));
    wrap(16, 10);
    CHECK(video.move_to_tensor().span_bytes() <= info.size());
  }
}

TEST_CASE("Tensors that are no picture of the format are refused and stay", "[multimedia]") {
  Memory memory;
  Tensor tensor;
  tensor.allocate<float>(memory.allocator, {4, 4});
  CHECK_THROWS_WITH(make(tensor, VideoFormat::Gray),
                    ContainsSubstring("has samples of uint8, the tensor of float32"));
  tensor.allocate<float>(memory.allocator, {4, 4, 2});
  CHECK_THROWS_WITH(make(tensor, VideoFormat::Gray32F), ContainsSubstring("it has 1 planes"));
  tensor.allocate<std::uint8_t>(memory.allocator, {4});
  CHECK_THROWS_WITH(make(tensor, VideoFormat::Gray), ContainsSubstring("width, height"));
  tensor.allocate<std::uint8_t>(memory.allocator, {8, 4});
  void* const pixels = tensor.pointer();
  CHECK_THROWS_AS(make(tensor, VideoFormat::Yuv420), Error);
  REQUIRE(tensor.pointer() == pixels);
  const VideoBuffer gray = make(tensor, VideoFormat::Gray);
  CHECK(numbers(gray.info().color_planes[0]) == Numbers{8, 0, 8, 4, 32});
}

TEST_CASE("Wrapped pictures must lie within their memory", "[multimedia]") {
  std::vector<std::uint8_t> bytes(1000);
  VideoBufferInfo info = video_layout(VideoFormat::Gray, 16, 10, false);
  VideoBuffer video;
  CHECK_THROWS_WITH(
      video.wrap(info, 159, MemoryStorageType::System, bytes.data(), nullptr, nullptr),
      ContainsSubstring("reaches beyond the 159 bytes"));
  info.color_planes[0].width = 17;
  CHECK_THROWS_WITH(
      video.wrap(info, 160, MemoryStorageType::System, bytes.data(), nullptr, nullptr),
      ContainsSubstring("reach beyond the plane"));
}

TEST_CASE("A picture tells the owner of its memory to whom gives it back", "[multimedia]") {
  std::vector<std::uint8_t> bytes(160);
  int owner = 0;
  const auto release = +[](void*, void*) noexcept {};
  VideoBuffer video;
  video.wrap(video_layout(VideoFormat::Gray, 16, 10, false), bytes.size(),
             MemoryStorageType::System, bytes.data(), &owner, release);
  CHECK(video.owner_for(release) == &owner);
  CHECK(video.owner_for(Allocator::release) == nullptr);
}

TEST_CASE("A picture of a message that others hold is copied to be changed", "[multimedia]") {
  Memory memory;
  memory.harness.initialize();
  Message seen = memory.harness.new_message();
  seen.add<VideoBuffer>("v").resize(memory.allocator, VideoFormat::Gray, 16, 10);
  Message own = seen;
  auto& video = own.make_writable<VideoBuffer>("v");
  *static_cast<std::uint8_t*>(video.pointer()) = 9;
  const auto& before = seen.get<VideoBuffer>();
  *static_cast<std::uint8_t*>(seen.make_writable<VideoBuffer>().pointer()) = 8;
  CHECK(*static_cast<const std::uint8_t*>(own.get<VideoBuffer>().pointer()) == 9);
  CHECK(own.get<VideoBuffer>().size() == before.size());
  CHECK(own.get<VideoBuffer>().info().width == 16);
}
