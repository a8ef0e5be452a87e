#include "image/color_converter.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gxr/timestamp.hpp"
#include "tests/unit/image/rig.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

using Bytes = std::vector<std::uint8_t>;

class Converter {
 public:
  explicit Converter(const Rig::Parameters& own) {
    Rig::Parameters all{{"in", "in"}, {"out", "out"}, {"pool", "pool"}};
    all.insert(all.end(), own.begin(), own.end());
    converter_ = &rig.add<ColorConverter>(all);
  }
  Message run(Message message) { return rig.run(*converter_, std::move(message)); }
  Bytes run(const Shape& shape, const Bytes& pixels) {
    return values<std::uint8_t>(run(rig.picture<std::uint8_t>(shape, pixels)).get<Tensor>("image"));
  }

  Rig rig;

 private:
  ColorConverter* converter_ = nullptr;
};

Bytes converted(const Rig::Parameters& own, const Shape& shape, const Bytes& pixels) {
  Converter converter(own);
  return converter.run(shape, pixels);
}

/// A VideoBuffer of 2 x 2 pixels: the bytes of its planes.
Message planes(Rig& rig, Allocator& pool, VideoFormat format, const Bytes& luma,
               const Bytes& chroma) {
  Message message = rig.harness().new_message();
  auto& buffer = message.add<VideoBuffer>("camera");
  buffer.resize(pool, format, 2, 2);
  auto* const memory = static_cast<std::uint8_t*>(buffer.pointer());
  const auto& at = buffer.info().color_planes;
  for (std::size_t i = 0; i < 4; ++i) {
    memory[at[0].offset + i / 2 * at[0].stride + i % 2] = luma[i];
  }
  memory[at[1].offset] = chroma[0];
  memory[at.size() == 3 ? at[2].offset : at[1].offset + 1] = chroma[1];
  return message;
}

std::string failure(Converter& converter, Message message) {
  try {
    converter.run(std::move(message));
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("ColorConverter changes the order of colours, and grey", "[image]") {
  const Bytes rgb{1, 2, 3, 4, 5, 6};
  CHECK(converted({}, {1, 2, 3}, rgb) == rgb);
  CHECK(converted({{"out_format", "BGR"}}, {1, 2, 3}, rgb) == Bytes{3, 2, 1, 6, 5, 4});
  CHECK(converted({{"out_format", "RGBA"}}, {1, 2, 3}, rgb) == Bytes{1, 2, 3, 255, 4, 5, 6, 255});
  CHECK(converted({{"in_format", "BGR"}, {"out_format", "RGBA"}}, {1, 2, 3}, rgb) ==
        Bytes{3, 2, 1, 255, 6, 5, 4, 255});
  CHECK(converted({{"in_format", "BGR"}, {"out_format", "BGR"}}, {1, 2, 3}, rgb) == rgb);
  CHECK(converted({{"out_format", "BGR"}}, {1, 1, 4}, {1, 2, 3, 4}) == Bytes{3, 2, 1});
  CHECK(converted({{"out_format", "RGBA"}}, {1, 1, 4}, {1, 2, 3, 4}) == Bytes{1, 2, 3, 4});
  CHECK(converted({{"out_format", "RGBA"}}, {1, 1}, {9}) == Bytes{9, 9, 9, 255});
  CHECK(converted({}, {1, 1}, {9}) == Bytes{9, 9, 9});
  CHECK(converted({{"out_format", "GRAY8"}}, {1, 1}, {9}) == Bytes{9});
  CHECK(converted({{"out_format", "GRAY8"}, {"matrix", "bt601"}}, {1, 1, 3}, {255, 0, 0}) ==
        Bytes{76});
  CHECK(converted({{"out_format", "GRAY8"}, {"matrix", "bt601"}, {"in_format", "BGR"}}, {1, 1, 3},
                  {255, 0, 0}) == Bytes{29});
}

TEST_CASE("ColorConverter reads and writes YUY2", "[image]") {
  // Red, BT.601, limited.
  const Bytes red{255, 0, 0, 255, 0, 0};
  CHECK(converted({{"out_format", "YUY2"}}, {1, 2, 3}, red) == Bytes{81, 90, 81, 240});
  CHECK(converted({{"out_format", "YUY2"}, {"matrix", "bt2020"}, {"range", "full"}}, {1, 2, 3},
                  red) == Bytes{67, 92, 67, 255});
  CHECK(converted({}, {1, 2, 2}, {81, 90, 81, 240}) == Bytes{254, 0, 0, 254, 0, 0});
  CHECK(converted({{"out_format", "GRAY8"}}, {1, 2, 2}, {16, 90, 235, 240}) == Bytes{0, 255});
}

TEST_CASE("ColorConverter believes what a VideoBuffer says of itself", "[image]") {
  Converter converter(Rig::Parameters{{"out_tensor_name", "image"}});
  auto& pool = converter.rig.harness().add<UnboundedAllocator>("other/pool");
  const auto first_pixel = [&](VideoFormat format) {
    const Message out =
        converter.run(planes(converter.rig, pool, format, {81, 81, 81, 81}, {90, 240}));
    const Bytes all = values<std::uint8_t>(out.get<Tensor>("image"));
    return Bytes(all.begin(), all.begin() + 3);
  };
  CHECK(first_pixel(VideoFormat::Nv12) == Bytes{254, 0, 0});
  CHECK(first_pixel(VideoFormat::Yuv420) == Bytes{254, 0, 0});
  CHECK(first_pixel(VideoFormat::Nv12Bt709) == Bytes{255, 24, 0});
  CHECK(first_pixel(VideoFormat::Yuv420Er) == Bytes{238, 14, 14});
  Converter told({{"out_tensor_name", "image"}, {"matrix", "bt709"}, {"range", "limited"}});
  const Message out =
      told.run(planes(told.rig, pool, VideoFormat::Yuv420Er, {81, 81, 81, 81}, {90, 240}));
  CHECK(values<std::uint8_t>(out.get<Tensor>("image"))[1] == 24);
}

TEST_CASE("ColorConverter makes VideoBuffers", "[image]") {
  Converter converter(Rig::Parameters{{"out_format", "NV12"}});
  Message in = converter.rig.picture<std::uint8_t>({2, 2, 3}, Bytes(12, 255));
  in.add<Timestamp>("timestamp", Timestamp{0, 8});
  const Message out = converter.run(std::move(in));
  const auto& buffer = out.get<VideoBuffer>("image");
  CHECK(buffer.info().format == VideoFormat::Nv12);
  CHECK(static_cast<const std::uint8_t*>(buffer.pointer())[0] == 235);
  CHECK(out.get<Timestamp>().acqtime == 8);
  Converter large({{"out_format", "I420"}, {"range", "full"}});
  CHECK(large.run(large.rig.picture<std::uint8_t>({578, 1}, Bytes(578, 255)))
            .get<VideoBuffer>("image")
            .info()
            .format == VideoFormat::Yuv420Bt709Er);
  // Planes to planes keep what they are.
  Converter planar(Rig::Parameters{{"out_format", "I420"}});
  auto& pool = planar.rig.harness().add<UnboundedAllocator>("other/pool");
  const Message copy =
      planar.run(planes(planar.rig, pool, VideoFormat::Nv12Bt709Er, {1, 2, 3, 4}, {5, 6}));
  const auto& i420 = copy.get<VideoBuffer>("camera");
  CHECK(i420.info().format == VideoFormat::Yuv420Bt709Er);
  const auto* const bytes = static_cast<const std::uint8_t*>(i420.pointer());
  CHECK(bytes[i420.info().color_planes[0].stride + 1] == 4);
  CHECK(bytes[i420.info().color_planes[1].offset] == 5);
  CHECK(bytes[i420.info().color_planes[2].offset] == 6);
}

TEST_CASE("ColorConverter refuses what it cannot convert", "[image]") {
  Converter converter({});
  CHECK(failure(converter, converter.rig.picture<float>({1, 1}, {1.0F})) ==
        "tensor 'image' on 'in': wanted a picture of uint8, got [1, 1] float32");
  CHECK(failure(converter, converter.rig.picture<std::uint8_t>({1, 1, 2}, {1, 2})) ==
        "tensor 'image' on 'in': wanted an even width for YUY2, got [1, 1, 2] uint8");
  CHECK(failure(converter, converter.rig.harness().new_message()) ==
        "no tensor and no VideoBuffer in the message on 'in'");
  auto& pool = converter.rig.harness().add<UnboundedAllocator>("other/pool");
  Message deep = converter.rig.harness().new_message();
  deep.add<VideoBuffer>("camera").resize(pool, VideoFormat::Rgb32, 2, 2);
  const std::string of_deep = failure(converter, std::move(deep));
  CHECK(
      of_deep ==
      "VideoBuffer 'camera' on 'in': wanted NV12 or YUV420 in rows, or one plane (RGB, RGBA, GRAY, "
      "…), got RGB32");
  Message empty = converter.rig.harness().new_message();
  empty.add<VideoBuffer>("camera");
  const std::string of_empty = failure(converter, std::move(empty));
  CHECK_THAT(of_empty, ContainsSubstring("got CUSTOM"));
  Converter bgr(Rig::Parameters{{"in_format", "BGR"}});
  CHECK(failure(bgr, bgr.rig.picture<std::uint8_t>({1, 1}, {1})) ==
        "tensor 'image' on 'in': wanted a picture of uint8 with the channels of 'in_format': 3, "
        "got [1, 1] uint8");
  Converter odd(Rig::Parameters{{"out_format", "YUY2"}});
  CHECK(failure(odd, odd.rig.picture<std::uint8_t>({1, 3}, {1, 2, 3})) ==
        "'image' on 'in' has a width of 3 pixels; YUY2 needs an even one");
  CHECK_THROWS_WITH(Converter({{"out_format", "NV12"}, {"matrix", "bt2020"}}),
                    ContainsSubstring("no format of a VideoBuffer says so"));
}
