// Operators on VideoBuffers of one plane.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "image/black_level.hpp"
#include "image/color_converter.hpp"
#include "image/crop.hpp"
#include "image/demosaic.hpp"
#include "image/encoder.hpp"
#include "image/message_parts.hpp"
#include "image/motion_detector.hpp"
#include "image/orientation.hpp"
#include "image/packed_format.hpp"
#include "image/threshold.hpp"
#include "tests/unit/image/rig.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// An operator with the usual parameters and these.
template <class Operator>
class Videos {
 public:
  explicit Videos(const Rig::Parameters& more = {}, bool has_pool = true)
      : operator_(rig.add<Operator>(with_ports(more, has_pool))) {}

  /// A message with a VideoBuffer whose single plane has these elements in each row; rows lie 256
  /// bytes apart.
  template <class T>
  Message video(VideoFormat format, std::uint32_t width, const std::vector<std::vector<T>>& rows) {
    Message message = rig.harness().new_message();
    auto& buffer = message.add<VideoBuffer>("camera");
    buffer.resize(pool, format, width, static_cast<std::uint32_t>(rows.size()));
    std::memset(buffer.pointer(), 0xEE, buffer.size());
    const ColorPlane& plane = buffer.info().color_planes[0];
    for (std::size_t y = 0; y < rows.size(); ++y) {
      std::memcpy(static_cast<std::uint8_t*>(buffer.pointer()) + plane.offset + y * plane.stride,
                  rows[y].data(), rows[y].size() * sizeof(T));
    }
    return message;
  }
  template <class T>
  Message run(VideoFormat format, std::uint32_t width, const std::vector<std::vector<T>>& rows) {
    return run(video(format, width, rows));
  }
  Message run(Message&& message) { return rig.run(operator_, std::move(message)); }

  Rig rig;
  UnboundedAllocator& pool = rig.harness().template add<UnboundedAllocator>("op/pictures");

 private:
  static Rig::Parameters with_ports(const Rig::Parameters& more, bool has_pool) {
    Rig::Parameters all{{"in", "in"}, {"out", "out"}};
    if (has_pool) {
      all.emplace_back("pool", "pool");
    }
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Operator& operator_;
};

/// The bytes of a picture of one plane without gaps.
Bytes bytes_of(const VideoBuffer& buffer) {
  const auto* first = static_cast<const std::uint8_t*>(buffer.pointer());
  return {first, first + buffer.size()};
}

}  // namespace

TEST_CASE("Pixels of a VideoBuffer are read with their stride, red first", "[image]") {
  struct Case {
    VideoFormat format;
    Bytes pixel;
    Bytes picture;
  };
  for (const Case& each : {
           Case{VideoFormat::Rgb, {1, 2, 3}, {1, 2, 3}},
           Case{VideoFormat::Bgr, {3, 2, 1}, {1, 2, 3}},
           Case{VideoFormat::Rgba, {1, 2, 3, 4}, {1, 2, 3, 4}},
           Case{VideoFormat::Bgra, {3, 2, 1, 4}, {1, 2, 3, 4}},
           Case{VideoFormat::Argb, {4, 1, 2, 3}, {1, 2, 3, 4}},
           Case{VideoFormat::Abgr, {4, 3, 2, 1}, {1, 2, 3, 4}},
           Case{VideoFormat::Rgbx, {1, 2, 3, 9}, {1, 2, 3}},
           Case{VideoFormat::Bgrx, {3, 2, 1, 9}, {1, 2, 3}},
           Case{VideoFormat::Xrgb, {9, 1, 2, 3}, {1, 2, 3}},
           Case{VideoFormat::Xbgr, {9, 3, 2, 1}, {1, 2, 3}},
           Case{VideoFormat::Gray, {7}, {7}},
       }) {
    CAPTURE(to_string(each.format));
    Videos<Flip> flip(Rig::Parameters{{"axis", "vertical"}});
    Bytes zeros(each.pixel.size());
    const Message out = flip.run<std::uint8_t>(each.format, 1, {zeros, each.pixel});
    Bytes expected = each.picture;
    expected.resize(2 * each.picture.size());
    CHECK(values<std::uint8_t>(out.get<Tensor>("camera")) == expected);
    CHECK(out.find<VideoBuffer>("camera") == nullptr);
  }
}

TEST_CASE("Elements of 16 bits and floats are read as well", "[image]") {
  Videos<Flip> words(Rig::Parameters{{"axis", "horizontal"}});
  const Message out = words.run<std::uint16_t>(VideoFormat::Bgr16, 2, {{1, 2, 3, 400, 500, 600}});
  CHECK(values<std::uint16_t>(out.get<Tensor>("camera")) ==
        std::vector<std::uint16_t>{600, 500, 400, 3, 2, 1});
  Videos<Flip> floats(Rig::Parameters{{"axis", "horizontal"}});
  CHECK(values<float>(
            floats.run<float>(VideoFormat::Gray32F, 2, {{0.5F, 1.0F}}).get<Tensor>("camera")) ==
        std::vector<float>{1.0F, 0.5F});
}

TEST_CASE("A raw VideoBuffer says its Bayer pattern", "[image]") {
  Videos<BlackLevel> black(Rig::Parameters{{"levels", "[1, 1, 1, 1]"}});
  const Message out = black.run<std::uint16_t>(VideoFormat::Raw16Gbrg, 2, {{5, 6}, {7, 8}});
  CHECK(values<std::uint16_t>(out.get<Tensor>("camera")) == std::vector<std::uint16_t>{4, 5, 6, 7});
  CHECK(out.get<BayerPattern>().layout == kernels::BayerPattern::kGbrg);

  Videos<DemosaicBilinear> demosaic;
  const Message colors = demosaic.run<std::uint16_t>(VideoFormat::Raw16Rggb, 2, {{9, 0}, {0, 3}});
  CHECK(values<std::uint16_t>(colors.get<Tensor>("camera"))[0] == 9);

  Videos<Crop> crop;
  CHECK_THROWS_WITH(
      crop.run<std::uint16_t>(VideoFormat::Raw16Rggb, 2, {{9, 0}, {0, 3}}),
      ContainsSubstring("VideoBuffer 'camera' on 'in' is a raw sensor picture; cropping"));
}

TEST_CASE("Results are VideoBuffers where 'out_part' says so", "[image]") {
  Videos<Threshold> threshold(Rig::Parameters{{"out_part", "video_buffer"}, {"level", "0.5"}});
  const auto check = [&](const Message& out, VideoFormat format, const Bytes& expected) {
    const auto& buffer = out.get<VideoBuffer>("camera");
    CHECK(buffer.info().format == format);
    CHECK(buffer.info().width == 2);
    CHECK(buffer.info().height == 1);
    CHECK(bytes_of(buffer) == expected);
    CHECK(out.find<Tensor>() == nullptr);
  };
  check(threshold.run<std::uint8_t>(VideoFormat::Bgr, 2, {{200, 1, 2, 3, 4, 250}}),
        VideoFormat::Rgb, {0, 0, 255, 255, 0, 0});
  check(threshold.run<std::uint8_t>(VideoFormat::Gray, 2, {{200, 1}}), VideoFormat::Gray, {255, 0});
  check(threshold.run<std::uint16_t>(VideoFormat::Gray16, 2, {{40000, 1}}), VideoFormat::Gray16,
        {255, 255, 0, 0});
  Message tensor = threshold.rig.picture<std::uint8_t>({1, 2, 4}, Bytes(8, 200), "camera");
  check(threshold.run(std::move(tensor)), VideoFormat::Rgba, Bytes(8, 255));
  CHECK_THROWS_WITH(
      threshold.run(threshold.rig.picture<std::uint8_t>({1, 2, 2}, Bytes(4), "camera")),
      "'out_part' video_buffer: no format of a VideoBuffer has [1, 2, 2] uint8; set tensor");
}

TEST_CASE("A colour converter keeps the order of a VideoBuffer that it writes", "[image]") {
  Videos<ColorConverter> converter(
      Rig::Parameters{{"out_part", "video_buffer"}, {"out_format", "BGR"}});
  const Message out = converter.run<std::uint8_t>(VideoFormat::Xrgb, 1, {{9, 1, 2, 3}});
  CHECK(out.get<VideoBuffer>("camera").info().format == VideoFormat::Bgr);
  CHECK(bytes_of(out.get<VideoBuffer>("camera")) == Bytes{3, 2, 1});
}

TEST_CASE("Pictures that are passed on stay what they are", "[image]") {
  Videos<MotionDetector> motion({}, false);
  Message message = motion.video<std::uint8_t>(VideoFormat::Bgr, 1, {{1, 2, 3}});
  const void* const memory = message.get<VideoBuffer>("camera").pointer();
  const Message out = motion.run(std::move(message));
  CHECK(out.get<VideoBuffer>("camera").pointer() == memory);
  CHECK(out.begin()->name == "camera");
  CHECK(values<std::int32_t>(out.get<Tensor>("motion")) == std::vector<std::int32_t>{0});

  Videos<Threshold> threshold(Rig::Parameters{{"in_tensor_name", "left"}});
  message = threshold.video<std::uint8_t>(VideoFormat::Gray, 1, {{1}});
  message.add<Tensor>("left").allocate<std::uint8_t>(threshold.pool, {1, 1});
  const Message two = threshold.run(std::move(message));
  CHECK(two.find<VideoBuffer>("camera") != nullptr);
  CHECK(two.begin()->name == "left");
}

TEST_CASE("The bytes of a file replace the VideoBuffer that they are made of", "[image]") {
  Videos<Encoder> encoder(Rig::Parameters{{"codec", "png"}}, false);
  const Message out = encoder.run<std::uint8_t>(VideoFormat::Bgr, 1, {{1, 2, 3}});
  CHECK(out.get<Tensor>("data").element_count() > 8);
  CHECK(out.find<VideoBuffer>("camera") == nullptr);
}

TEST_CASE("What is no picture in rows of one plane says so", "[image]") {
  Videos<Threshold> threshold;
  const auto run = [&](const VideoBufferInfo& info, std::uint64_t size) {
    static std::uint8_t memory[64];
    Message message = threshold.rig.harness().new_message();
    message.add<VideoBuffer>("camera").wrap(info, size, MemoryStorageType::System, memory, nullptr,
                                            nullptr);
    threshold.run(std::move(message));
  };
  VideoBufferInfo info = video_layout(VideoFormat::Rgb, 2, 2, false);
  info.surface_layout = SurfaceLayout::BlockLinear;
  CHECK_THROWS_WITH(run(info, 12),
                    "VideoBuffer 'camera' on 'in': wanted pixels in rows, got blocks");
  info.surface_layout = SurfaceLayout::PitchLinear;
  info.width = 9;
  CHECK_THROWS_WITH(
      run(info, 12),
      "VideoBuffer 'camera' on 'in': its memory does not hold its 9 x 2 pixels in rows");
  info = video_layout(VideoFormat::Rgb32, 2, 2, false);
  CHECK_THROWS_WITH(run(info, 48), ContainsSubstring("got RGB32 of 1 plane: ask its source"));
  info = video_layout(VideoFormat::R8G8B8, 2, 2, false);
  CHECK_THROWS_WITH(run(info, 12), ContainsSubstring("got R8_G8_B8 of 3 planes: ask its source"));
  info = video_layout(VideoFormat::Nv12Bt709, 2, 2, false);
  CHECK_THROWS_WITH(
      run(info, 6),
      ContainsSubstring("got NV12_709 of 2 planes: put a gxr::image::ColorConverter in between"));
  info = video_layout(VideoFormat::Rgb, 2, 2, false);
  info.color_planes.clear();
  CHECK_THROWS_WITH(run(info, 12), ContainsSubstring("does not hold its 2 x 2 pixels"));
}

TEST_CASE("Without a name, a VideoBuffer of several planes counts only if there is nothing else",
          "[image]") {
  Videos<Threshold> threshold;
  Message message = threshold.rig.harness().new_message();
  message.add<VideoBuffer>("planes").resize(threshold.pool, VideoFormat::Nv12, 4, 4);
  CHECK(peek_picture(message, "")->name == "planes");
  message.add<Tensor>("mask");
  CHECK(peek_picture(message, "")->name == "mask");
  CHECK(peek_picture(message, "planes")->name == "planes");
  CHECK(peek_picture(message, "camera") == nullptr);
  Message camera = threshold.video<std::uint8_t>(VideoFormat::Gray, 2, {{1, 2}});
  camera.add<Tensor>("mask");
  CHECK(peek_picture(camera, "")->name == "camera");
}

TEST_CASE("A last row without its gap is enough", "[image]") {
  Videos<Threshold> threshold;
  std::uint8_t memory[5] = {200, 1, 9, 1, 200};
  Message message = threshold.rig.harness().new_message();
  Tensor pixels;
  const Strides strides{1, 3};
  pixels.wrap(memory, {2, 2}, ElementType::UInt8, MemoryStorageType::System, nullptr, nullptr, 0,
              &strides);
  message.add<VideoBuffer>("camera",
                           VideoBuffer::create_from_tensor(std::move(pixels), VideoFormat::Gray));
  const Message out = threshold.run(std::move(message));
  CHECK(values<std::uint8_t>(out.get<Tensor>("camera")) == Bytes{255, 0, 0, 255});
}
