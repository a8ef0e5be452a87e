#include "gxf/multimedia/video.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "allocators.hpp"
#include "catch.hpp"
#include "gems/video_buffer/allocator.hpp"
#include "gxf/multimedia/audio.hpp"
#include "gxf/multimedia/camera.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/camera.hpp"
#include "gxr/multimedia/video_buffer.hpp"

namespace nvidia::gxf::video_test {

using layer_test::handle_of;
using layer_test::handle_to;
using layer_test::NativeHeap;
using layer_test::SourceHeap;

static_assert(std::is_same_v<decltype(std::declval<const VideoBuffer&>().video_frame_info()),
                             VideoBufferInfo>);
static_assert(!std::is_copy_constructible_v<VideoBuffer> &&
              std::is_move_constructible_v<VideoBuffer>);
static_assert(std::is_same_v<std::underlying_type_t<VideoFormat>, int64_t> &&
              static_cast<int>(VideoFormat::GXF_VIDEO_FORMAT_GRAY32F) == 24 &&
              static_cast<int>(VideoFormat::GXF_VIDEO_FORMAT_RAW16_GBRG) == 46);
static_assert(VideoTypeTraits<VideoFormat::GXF_VIDEO_FORMAT_NV12>::value ==
              VideoFormat::GXF_VIDEO_FORMAT_NV12);
static_assert(AudioTypeTraits<AudioFormat::GXF_AUDIO_FORMAT_S16LE>::width == 16);
static_assert(std::is_same_v<decltype(CameraModel::distortion_coefficients), std::array<float, 8>>);

namespace {

constexpr auto kSystem = MemoryStorageType::kSystem;
constexpr auto kLinear = SurfaceLayout::GXF_SURFACE_LAYOUT_PITCH_LINEAR;
constexpr auto kRgb = VideoFormat::GXF_VIDEO_FORMAT_RGB;
constexpr auto kRgba = VideoFormat::GXF_VIDEO_FORMAT_RGBA;
constexpr auto kNv12 = VideoFormat::GXF_VIDEO_FORMAT_NV12;
constexpr auto kYuv420 = VideoFormat::GXF_VIDEO_FORMAT_YUV420;
constexpr auto kPlanar = VideoFormat::GXF_VIDEO_FORMAT_R8_G8_B8;
constexpr auto kGray = VideoFormat::GXF_VIDEO_FORMAT_GRAY;
constexpr auto kNv24 = VideoFormat::GXF_VIDEO_FORMAT_NV24;

/// "RGBA x4 256+0 64x48 12288": name, bytes, stride, offset, size in pixels and bytes.
std::string text_of(const ColorPlane& plane) {
  return plane.color_space + " x" + std::to_string(plane.bytes_per_pixel) + " " +
         std::to_string(plane.stride) + "+" + std::to_string(plane.offset) + " " +
         std::to_string(plane.width) + "x" + std::to_string(plane.height) + " " +
         std::to_string(plane.size);
}

std::vector<std::string> text_of(const std::vector<ColorPlane>& planes) {
  std::vector<std::string> texts;
  for (const ColorPlane& plane : planes) {
    texts.push_back(text_of(plane));
  }
  return texts;
}

using Texts = std::vector<std::string>;

template <VideoFormat F>
Texts planes(uint32_t width, uint32_t height, bool align = true) {
  return text_of(VideoFormatSize<F>().getDefaultColorPlanes(width, height, align));
}

}  // namespace

TEST_CASE("Strides are aligned", "[gxf_layer]") {
  CHECK(kGxfAlignValue == 256);
  CHECK(StrideAlign(1) == 256);
  CHECK(StrideAlign(256) == 256);
  CHECK(ComputeStrides(true, 100, 3, 0) == 512);
  CHECK(ComputeStrides(false, 100, 3, 0) == 300);
  CHECK(ComputeStrides(true, 100, 3, 301) == 301);
  CHECK(AlignToEvenDimension(7) == 8);
  CHECK(AlignToEvenDimension(8) == 8);
}

TEST_CASE("Default planes of formats", "[gxf_layer]") {
  CHECK(planes<kRgba>(63, 47) == Texts{"RGBA x4 256+0 64x48 12288"});
  CHECK(planes<kRgb>(100, 10, false) == Texts{"RGB x3 300+0 100x10 3000"});
  CHECK(planes<kNv12>(64, 48) == Texts{"Y1 x1 256+0 64x48 12288", "UV2 x2 256+12288 32x24 6144"});
  CHECK(planes<kYuv420>(64, 48) == Texts{"Y1 x1 256+0 64x48 12288", "U1 x1 128+12288 32x24 3072",
                                         "V1 x1 128+15360 32x24 3072"});
  CHECK(planes<kPlanar>(64, 2) ==
        Texts{"R x1 256+0 64x2 512", "G x1 256+512 64x2 512", "B x1 256+1024 64x2 512"});
  CHECK(planes<kNv24>(64, 2) == Texts{"Y1 x1 256+0 64x2 512", "UV2 x2 256+512 64x2 512"});
  CHECK(planes<kGray>(2, 2) == Texts{"gray x1 256+0 2x2 512"});
  CHECK(planes<VideoFormat::GXF_VIDEO_FORMAT_RAW16_RGGB>(2, 2) ==
        Texts{"Raw_RGGB x8 256+0 2x2 512"});
  CHECK(planes<VideoFormat::GXF_VIDEO_FORMAT_CUSTOM>(2, 2).empty());
  CHECK(VideoFormatSize<VideoFormat::GXF_VIDEO_FORMAT_CUSTOM>().size(2, 2) == 0);
  CHECK(VideoFormatSize<kNv12>().size(64, 48) == 18432);
  CHECK(VideoFormatSize<kNv12>().size(64, 48, false) == 64 * 48 * 3 / 2);
  CHECK(std::string(VideoTypeTraits<kRgb>::name) == "GXF_VIDEO_FORMAT_RGB");
}

TEST_CASE("The number of planes is that of gxr for every format", "[gxf_layer]") {
  for (int64_t i = 0; i <= 46; ++i) {
    CAPTURE(i);
    CHECK(layer::CountPlanes(static_cast<VideoFormat>(i)) ==
          gxr::color_planes(static_cast<gxr::VideoFormat>(i)).size());
  }
}

TEST_CASE("Preset strides of planes are kept", "[gxf_layer]") {
  std::array<ColorPlane, 2> planes{ColorPlane("Y", 1, 80), ColorPlane("UV", 2)};
  const VideoFormatSize<kNv12> format;
  CHECK(format.size(64, 4, planes) == 80 * 4 + 256 * 2);
  CHECK(text_of(planes[0]) == "Y x1 80+0 64x4 320");
  CHECK(planes[1].stride == 256);
  CHECK(format.fillColorPlanes(64, 4, planes, false) == 80 * 4 + 256 * 2);
}

TEST_CASE("A fresh picture has no memory", "[gxf_layer]") {
  const VideoBuffer picture;
  CHECK(picture.pointer() == nullptr);
  CHECK(picture.size() == 0);
  CHECK(picture.storage_type() == MemoryStorageType::kHost);
  CHECK(picture.video_frame_info().color_planes.empty());
}

TEST_CASE("A picture takes memory from an allocator", "[gxf_layer]") {
  NativeHeap native;
  NativeAllocator of_gxr(native);
  SourceHeap of_source;
  {
    VideoBuffer picture;
    REQUIRE(picture.resize<kRgb>(100, 10, kLinear, kSystem, handle_of(of_gxr)));
    CHECK(picture.size() == 5120);
    CHECK(native.last_size == 5120);
    CHECK(picture.storage_type() == kSystem);
    const VideoBufferInfo info = picture.video_frame_info();
    CHECK(info.width == 100);
    CHECK(info.height == 10);
    CHECK(info.color_format == kRgb);
    CHECK(info.surface_layout == kLinear);
    CHECK(text_of(info.color_planes) == Texts{"RGB x3 512+0 100x10 5120"});
    picture.pointer()[5119] = 1;
    const auto& as_native = *reinterpret_cast<const gxr::VideoBuffer*>(&picture);
    CHECK(as_native.info().format == gxr::VideoFormat::Rgb);
    CHECK(as_native.pointer() == picture.pointer());

    REQUIRE(picture.resize<kRgb>(100, 10, kLinear, kSystem, handle_of(of_source), false));
    CHECK(native.freed == 1);
    CHECK(picture.size() == 3000);
    VideoBuffer moved = std::move(picture);
    // NOLINTNEXTLINE(bugprone-use-after-move)
    CHECK(picture.pointer() == nullptr);
  }
  CHECK(of_source.allocated == 1);
  CHECK(of_source.freed == 1);
}

TEST_CASE("A picture in a layout of one's own", "[gxf_layer]") {
  NativeHeap native;
  NativeAllocator allocator(native);
  VideoBuffer picture;
  const auto planes = VideoFormatSize<kRgb>().getDefaultColorPlanes(100, 10, false);
  const auto resize = [&](VideoFormat format, uint32_t width, uint64_t size,
                          MemoryStorageType storage = kSystem) {
    return picture.resizeCustom({width, 10, format, planes, kLinear}, size, storage,
                                handle_of(allocator));
  };
  REQUIRE(resize(kRgb, 100, 3000));
  CHECK(native.last_size == 3000);
  REQUIRE(resize(kRgb, 100, 4096));
  CHECK(native.last_size == 4096);
  CHECK(picture.size() == 4096);
  CHECK(resize(VideoFormat::GXF_VIDEO_FORMAT_CUSTOM, 100, 3000).error() == GXF_ARGUMENT_INVALID);
  CHECK(resize(kRgb, 0, 3000).error() == GXF_ARGUMENT_INVALID);
  CHECK(resize(kRgb, 100, 2000).error() == GXF_ARGUMENT_INVALID);
  CHECK(resize(kRgb, 100, 3000, MemoryStorageType::kDevice).error() == GXF_OUT_OF_MEMORY);
  CHECK(picture.resize<kRgb>(2, 2, kLinear, kSystem, Handle<Allocator>::Null()).error() ==
        GXF_ARGUMENT_NULL);
  picture = VideoBuffer();
  CHECK(native.allocated == native.freed);
  SourceHeap heap;
  CHECK(picture.resizeCustom({100, 10, kRgb, planes, kLinear}, 2000, kSystem, handle_of(heap))
            .error() == GXF_ARGUMENT_INVALID);
  CHECK(heap.allocated == heap.freed);
}

TEST_CASE("Memory of somebody else as a picture", "[gxf_layer]") {
  std::vector<unsigned char> data(64 * 48 * 3);
  std::vector<unsigned char> other(64 * 48 * 3);
  int calls = 0;
  int again = 0;
  const auto counting = [](int& count) {
    return [&count](void*) {
      ++count;
      return Success;
    };
  };
  {
    VideoBuffer picture;
    const VideoFormatSize<kRgb> format;
    const VideoBufferInfo info{64, 48, kRgb, format.getDefaultColorPlanes(64, 48, false), kLinear};
    REQUIRE(picture.wrapMemory(info, data.size(), kSystem, data.data(), counting(calls)));
    CHECK(picture.pointer() == data.data());
    CHECK(picture.size() == data.size());
    SECTION("released with the picture") { again = 1; }
    SECTION("released in front of other memory") {
      REQUIRE(picture.wrapMemory(info, other.size(), kSystem, other.data(), nullptr));
      CHECK(calls == 1);
      again = 1;
    }
    SECTION("not released when it is wrapped again") {
      REQUIRE(picture.wrapMemory(info, data.size(), kSystem, data.data(), counting(again)));
      calls = 1;
    }
    SECTION("too small") {
      CHECK(picture.wrapMemory(info, 100, kSystem, other.data(), counting(again)).error() ==
            GXF_ARGUMENT_INVALID);
      CHECK(again == 0);
      CHECK(picture.wrapMemory(info, 100, kSystem, nullptr, nullptr).error() ==
            GXF_ARGUMENT_INVALID);
      again = 1;
    }
  }
  CHECK(calls == 1);
  CHECK(again == 1);
}

TEST_CASE("Default planes over rows without gaps lose their gaps", "[gxf_layer]") {
  std::vector<unsigned char> data(63 * 47 * 3);
  VideoBuffer picture;
  const VideoFormatSize<kRgb> format;
  REQUIRE(picture.wrapMemory({63, 47, kRgb, format.getDefaultColorPlanes(63, 47), kLinear},
                             data.size(), kSystem, data.data(), nullptr));
  CHECK(text_of(picture.video_frame_info().color_planes) == Texts{"RGB x3 189+0 63x47 8883"});
  CHECK(picture.size() == data.size());
}

TEST_CASE("Planes without a size have that of their rows", "[gxf_layer]") {
  NativeHeap heap;
  NativeAllocator allocator(heap);
  std::vector<unsigned char> data(512 * 4);
  ColorPlane plane("RGB", 3, 512);
  plane.width = 100;
  plane.height = 4;
  VideoBuffer picture;
  REQUIRE(picture.wrapMemory({100, 4, kRgb, {plane}, kLinear}, data.size(), kSystem, data.data(),
                             nullptr));
  CHECK(text_of(picture.video_frame_info().color_planes) == Texts{"RGB x3 512+0 100x4 2048"});
  REQUIRE(picture.resizeCustom({100, 4, kRgb, {plane}, kLinear}, data.size(), kSystem,
                               handle_of(allocator)));
  CHECK(text_of(picture.video_frame_info().color_planes) == Texts{"RGB x3 512+0 100x4 2048"});
}

TEST_CASE("Pictures become tensors and tensors pictures", "[gxf_layer]") {
  NativeHeap heap;
  NativeAllocator allocator(heap);
  VideoBuffer picture;
  REQUIRE(picture.resize<kGray>(64, 48, kLinear, kSystem, handle_of(allocator)));
  unsigned char* const memory = picture.pointer();
  Tensor tensor;
  Handle<Tensor> handle = handle_to(tensor);
  REQUIRE(picture.moveToTensor(handle));
  CHECK(picture.pointer() == nullptr);
  CHECK(tensor.pointer() == memory);
  CHECK(tensor.shape() == Shape{64, 48});
  CHECK(tensor.element_type() == PrimitiveType::kUnsigned8);
  CHECK(tensor.stride(1) == 256);
  CHECK(heap.freed == 0);

  CHECK(picture.createFromTensor<VideoFormat::GXF_VIDEO_FORMAT_GRAY32F>(handle, kLinear).error() ==
        GXF_INVALID_DATA_FORMAT);
  CHECK(picture.createFromTensor<kPlanar>(handle, kLinear).error() == GXF_ARGUMENT_INVALID);
  CHECK(tensor.pointer() == memory);
  REQUIRE(picture.createFromTensor<kGray>(handle, kLinear));
  CHECK(handle.is_null());
  CHECK(tensor.pointer() == nullptr);
  CHECK(picture.pointer() == memory);
  CHECK(picture.video_frame_info().color_planes.at(0).stride == 256);
  CHECK(picture.createFromTensor<kGray>(handle, kLinear).error() == GXF_ARGUMENT_NULL);
  CHECK(picture.moveToTensor(handle).error() == GXF_ARGUMENT_NULL);
  CHECK(picture.moveToTensor(static_cast<Tensor*>(nullptr)).error() == GXF_ARGUMENT_NULL);

  REQUIRE(tensor.reshape<uint8_t>({8, 4, 3}, kSystem, handle_of(allocator)));
  handle = handle_to(tensor);
  REQUIRE(
      picture.createFromTensor<kPlanar>(handle, SurfaceLayout::GXF_SURFACE_LAYOUT_BLOCK_LINEAR));
  CHECK(picture.video_frame_info().surface_layout ==
        SurfaceLayout::GXF_SURFACE_LAYOUT_BLOCK_LINEAR);
  CHECK(picture.video_frame_info().color_planes.size() == 3);
  picture = VideoBuffer();
  CHECK(heap.allocated == heap.freed);

  REQUIRE(picture.resize<kYuv420>(64, 48, kLinear, kSystem, handle_of(allocator)));
  CHECK(picture.moveToTensor(&tensor).error() == GXF_INVALID_DATA_FORMAT);
  CHECK(picture.pointer() != nullptr);
}

TEST_CASE("Types of samples", "[gxf_layer]") {
  const auto type = VideoBuffer::getPlanarPrimitiveType;
  CHECK(type(kRgb).value() == PrimitiveType::kUnsigned8);
  CHECK(type(VideoFormat::GXF_VIDEO_FORMAT_D64F).value() == PrimitiveType::kFloat64);
  CHECK(type(kYuv420).error() == GXF_INVALID_DATA_FORMAT);
}

TEST_CASE("Pictures without gaps", "[gxf_layer]") {
  const NoPaddingColorPlanes<kNv12> unpadded(62);
  CHECK(unpadded.planes[0].stride == 62);
  CHECK(unpadded.planes[1].stride == 62);
  CHECK(NoPaddingColorPlanes<kYuv420>(62).planes[1].stride == 31);
  NativeHeap heap;
  NativeAllocator allocator(heap);
  VideoBuffer picture;
  const Handle<VideoBuffer> handle = handle_to(picture);
  REQUIRE(AllocateUnpaddedVideoBuffer<kRgb>(handle, 62, 4, kSystem, handle_of(allocator)));
  CHECK(text_of(picture.video_frame_info().color_planes) == Texts{"RGB x3 186+0 62x4 744"});
  CHECK(AllocateUnpaddedVideoBuffer<kRgb>(handle, 63, 4, kSystem, handle_of(allocator)).error() ==
        GXF_ARGUMENT_INVALID);
  REQUIRE(AllocateVideoBuffer<kRgb>(handle, 62, 4, kLinear, kSystem, handle_of(allocator)));
  CHECK(picture.size() == 1024);
  CHECK(AllocateVideoBuffer<kRgb>(Handle<VideoBuffer>::Null(), 2, 2, kLinear, kSystem,
                                  handle_of(allocator))
            .error() == GXF_ARGUMENT_NULL);
}

TEST_CASE("Cameras and poses are those of gxr", "[gxf_layer]") {
  gxr::CameraModel native;
  native.dimensions = {640, 480};
  native.focal_length = {1, 2};
  native.principal_point = {3, 4};
  native.skew_value = 5;
  native.distortion_type = gxr::DistortionType::FisheyeStereographic;
  native.distortion_coefficients[7] = 6;
  const auto& camera = *reinterpret_cast<const CameraModel*>(&native);
  CHECK(camera.dimensions.y == 480);
  CHECK(camera.focal_length.x == 1);
  CHECK(camera.principal_point.y == 4);
  CHECK(camera.skew_value == 5);
  CHECK(camera.distortion_type == DistortionType::FisheyeStereographic);
  CHECK(camera.distortion_coefficients[7] == 6);
  CHECK(CameraModel::kMaxDistortionCoefficients == 8);
  gxr::Pose3D pose;
  pose.translation = {1, 2, 3};
  CHECK(reinterpret_cast<const Pose3D*>(&pose)->translation[2] == 3);
}

TEST_CASE("A sound takes memory", "[gxf_layer]") {
  constexpr auto kS16 = AudioFormat::GXF_AUDIO_FORMAT_S16LE;
  constexpr auto kInterleaved = AudioLayout::GXF_AUDIO_LAYOUT_INTERLEAVED;
  NativeHeap native;
  NativeAllocator of_gxr(native);
  SourceHeap of_source;
  std::array<int16_t, 8> data{};
  int calls = 0;
  {
    AudioBuffer sound;
    CHECK(sound.storage_type() == MemoryStorageType::kHost);
    CHECK(sound.size() == 0);
    REQUIRE(sound.resize<kS16>(2, 100, 48000, kInterleaved, kSystem, handle_of(of_gxr)));
    CHECK(sound.size() == 400);
    const AudioBufferInfo info = sound.audio_buffer_info();
    CHECK(info.channels == 2);
    CHECK(info.samples == 100);
    CHECK(info.sampling_rate == 48000);
    CHECK(info.bytes_per_sample == 2);
    CHECK(info.audio_format == kS16);
    CHECK(info.audio_layout == kInterleaved);
    CHECK(reinterpret_cast<const gxr::AudioBuffer*>(&sound)->pointer() == sound.pointer());
    AudioBufferInfo wide = info;
    wide.bytes_per_sample = 4;
    REQUIRE(sound.resizeCustom(wide, kSystem, handle_of(of_gxr)));
    CHECK(native.last_size == 800);
    REQUIRE(sound.resizeCustom(info, kSystem, handle_of(of_source)));
    CHECK(native.freed == 2);
    CHECK(of_source.allocated == 1);
    wide.audio_format = AudioFormat::GXF_AUDIO_FORMAT_CUSTOM;
    CHECK(sound.resizeCustom(wide, kSystem, handle_of(of_source)).error() == GXF_ARGUMENT_INVALID);
    CHECK(sound.resizeCustom(info, kSystem, Handle<Allocator>::Null()).error() ==
          GXF_ARGUMENT_NULL);
    AudioBufferInfo small = info;
    small.samples = 4;
    const auto release = [&](void*) {
      ++calls;
      return Success;
    };
    REQUIRE(sound.wrapMemory(small, sizeof data, kSystem, data.data(), release));
    CHECK(of_source.freed == 1);
    CHECK(static_cast<void*>(sound.pointer()) == data.data());
    CHECK(sound.wrapMemory(info, sizeof data, kSystem, data.data(), release).error() ==
          GXF_ARGUMENT_INVALID);
    AudioBuffer moved = std::move(sound);
    CHECK(calls == 0);
  }
  CHECK(calls == 1);
}

}  // namespace nvidia::gxf::video_test
