#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "image/bayer_mosaic.hpp"
#include "image/brightness_class.hpp"
#include "image/demosaic.hpp"
#include "image/format_converter.hpp"
#include "image/histogram.hpp"
#include "image/resize.hpp"
#include "image/tone_curve.hpp"
#include "image/white_balance.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/image/rig.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;
using Floats = std::vector<float>;

/// 2 x 2 RGB: every sample differs.
const Bytes kSquare{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};

template <class T>
std::vector<T> result_of(const Message& message) {
  REQUIRE(message);
  return values<T>(message.get<Tensor>());
}

}  // namespace

TEST_CASE("BayerMosaic keeps one colour per pixel and says which", "[image]") {
  struct Case {
    const char* name;
    kernels::BayerPattern layout;
    Bytes raw;
  };
  for (const Case& c : {Case{"RGGB", kernels::BayerPattern::kRggb, {10, 50, 80, 120}},
                        Case{"BGGR", kernels::BayerPattern::kBggr, {30, 50, 80, 100}},
                        Case{"GRBG", kernels::BayerPattern::kGrbg, {20, 40, 90, 110}},
                        Case{"GBRG", kernels::BayerPattern::kGbrg, {20, 60, 70, 110}}}) {
    CAPTURE(c.name);
    Rig rig;
    auto& mosaic =
        rig.add<BayerMosaic>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"pattern", c.name}});
    const Message out = rig.run(mosaic, rig.picture<std::uint8_t>({2, 2, 3}, kSquare));
    CHECK(out.get<Tensor>("image").shape() == Shape{2, 2, 1});
    CHECK(result_of<std::uint8_t>(out) == c.raw);
    CHECK(out.get<BayerPattern>().layout == c.layout);
  }
}

TEST_CASE("BayerMosaic's noise follows seed and message number", "[image]") {
  Rig rig;
  auto& mosaic = rig.add<BayerMosaic>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"noise", "0.1"}, {"seed", "3"}});
  const auto run = [&](std::uint64_t sequence) {
    Message in = rig.picture<std::uint16_t>({8, 8, 3}, Words(192, 30000));
    in.set_sequence(sequence);
    return result_of<std::uint16_t>(rig.run(mosaic, std::move(in)));
  };
  const Words first = run(0);
  CHECK(first != Words(64, 30000));
  CHECK(run(0) == first);
  CHECK(run(1) != first);
}

TEST_CASE("both demosaicers take the pattern from the message", "[image]") {
  const auto check = [](auto& demosaic, Rig& rig) {
    // Red everywhere: with GBRG red sits in the first column of the second row.
    Message raw =
        rig.picture<float>({4, 4, 1}, {0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0}, "raw");
    raw.add<BayerPattern>({}, BayerPattern{kernels::BayerPattern::kGbrg});
    const Message out = rig.run(demosaic, std::move(raw));
    const Tensor& rgb = out.get<Tensor>("raw");
    CHECK(rgb.shape() == Shape{4, 4, 3});
    CHECK(rgb.data<float>()[4 * 3] == 1.0F);
    CHECK(rgb.data<float>()[(4 + 1) * 3] == 1.0F);
    CHECK(out.find<BayerPattern>() == nullptr);
  };
  Rig bilinear;
  check(bilinear.add<DemosaicBilinear>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}}), bilinear);
  Rig malvar;
  check(malvar.add<DemosaicMalvar>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}}), malvar);
}

TEST_CASE("a demosaicer's parameter beats the message; neither is an error", "[image]") {
  Rig rig;
  auto& demosaic = rig.add<DemosaicBilinear>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"pattern", "BGGR"}});
  Message raw = rig.picture<std::uint8_t>({2, 2}, {1, 2, 3, 4});
  raw.add<BayerPattern>({}, BayerPattern{kernels::BayerPattern::kRggb});
  const Bytes rgb = result_of<std::uint8_t>(rig.run(demosaic, std::move(raw)));
  CHECK(rgb[2] == 1);          // blue at (0, 0)
  CHECK(rgb[3 * 3 + 0] == 4);  // red at (1, 1)

  Rig unsure;
  auto& needy = unsure.add<DemosaicMalvar>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}});
  CHECK_THROWS_WITH(unsure.run(needy, unsure.picture<std::uint8_t>({2, 2}, {1, 2, 3, 4})),
                    ContainsSubstring("set 'pattern' to RGGB"));
}

TEST_CASE("operators refuse pictures with the wrong channels", "[image]") {
  Rig rig;
  auto& mosaic = rig.add<BayerMosaic>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}});
  CHECK_THROWS_WITH(rig.run(mosaic, rig.picture<std::uint8_t>({2, 2}, {1, 2, 3, 4})),
                    "tensor 'image' on 'in': wanted an RGB picture (3 channels), got [2, 2] uint8");
  Rig rgb;
  auto& demosaic = rgb.add<DemosaicBilinear>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}});
  CHECK_THROWS_WITH(
      rgb.run(demosaic, rgb.picture<std::uint8_t>({2, 2, 3}, kSquare)),
      ContainsSubstring("wanted a raw sensor picture (1 channel), got [2, 2, 3] uint8"));
  Rig grey;
  auto& balance = grey.add<WhiteBalance>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}});
  CHECK_THROWS_WITH(grey.run(balance, grey.picture<float>({1, 1}, {1})),
                    ContainsSubstring("wanted an RGB or RGBA picture"));
}

TEST_CASE("WhiteBalance multiplies by its gains or finds them", "[image]") {
  Rig rig;
  auto& fixed = rig.add<WhiteBalance>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"gains", "[2, 1, 0.5]"}});
  CHECK(result_of<std::uint8_t>(
            rig.run(fixed, rig.picture<std::uint8_t>({1, 2, 3}, {10, 20, 30, 200, 0, 8}))) ==
        Bytes{20, 20, 15, 255, 0, 4});
  Rig world;
  auto& grey = world.add<WhiteBalance>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"method", "grey_world"}});
  CHECK(result_of<float>(world.run(grey, world.picture<float>({1, 1, 3}, {0.25F, 0.5F, 1.0F}))) ==
        Floats{0.5F, 0.5F, 0.5F});
}

TEST_CASE("BrightnessClass says how many thresholds the mean luminance reaches", "[image]") {
  Rig rig;
  auto& brightness = rig.add<BrightnessClass>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"thresholds", "[0.1, 0.35]"}});
  const auto class_of = [&](const Shape& shape, const Floats& samples) {
    const Message message = rig.run(brightness, rig.picture<float>(shape, samples));
    const Tensor& tensor = message.get<Tensor>("brightness_class");
    CHECK(tensor.shape() == Shape{1});
    return values<std::int32_t>(tensor).front();
  };
  CHECK(class_of({1, 1, 3}, {0.1F, 0.05F, 0.3F}) == 0);
  CHECK(class_of({1, 2, 3}, {0.0F, 0.2F, 0.0F, 0.0F, 0.2F, 0.0F}) == 1);
  CHECK(class_of({1, 2}, {0.3F, 0.4F}) == 2);
}

TEST_CASE("BrightnessClass: thresholds ascend, and are 16 at most", "[image]") {
  const auto add = [](const std::string& thresholds) {
    Rig rig;
    rig.add<BrightnessClass>(
        {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"thresholds", thresholds}});
  };
  CHECK_NOTHROW(add("[]"));
  CHECK_THROWS_WITH(add("[0.1, 0.3, 0.3]"),
                    ContainsSubstring("do not ascend: number 3 is not above the one before"));
  CHECK_THROWS_WITH(add("[0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11, 0.12, "
                        "0.13, 0.14, 0.15, 0.16, 0.17]"),
                    ContainsSubstring("more than 16"));
}

TEST_CASE("ToneCurve: gamma there and back, srgb, linear", "[image]") {
  const auto run = [](const Rig::Parameters& parameters, std::uint16_t value) {
    Rig rig;
    auto& curve = rig.add<ToneCurve>(parameters);
    return result_of<std::uint16_t>(rig.run(curve, rig.picture<std::uint16_t>({1, 1, 1}, {value})))
        .front();
  };
  const auto up = run(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"curve", "gamma"}, {"gamma", "2"}}, 16384);
  CHECK(up == 32768);
  CHECK(run({{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"curve", "gamma"}, {"gamma", "0.5"}},
            up) == 16384);
  CHECK(run({{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"curve", "linear"}}, 12345) == 12345);
  // IEC 61966-2-1: 0.5 of full light is 0.735357 of full signal.
  CHECK(run({{"in", "in"}, {"out", "out"}, {"pool", "pool"}}, 32768) == 48192);
}

TEST_CASE("ToneCurve works on all element types and keeps the Bayer pattern", "[image]") {
  Rig rig;
  auto& curve = rig.add<ToneCurve>({{"in", "in"},
                                    {"out", "out"},
                                    {"pool", "pool"},
                                    {"curve", "gamma"},
                                    {"gamma", "2"},
                                    {"out_tensor_name", "t"}});
  Message raw = rig.picture<float>({1, 2, 1}, {0.25F, 2.0F});
  raw.add<BayerPattern>({}, BayerPattern{});
  const Message out = rig.run(curve, std::move(raw));
  CHECK(values<float>(out.get<Tensor>("t")) == Floats{0.5F, 1.0F});
  CHECK(out.find<BayerPattern>() != nullptr);
  CHECK(result_of<std::uint8_t>(rig.run(curve, rig.picture<std::uint8_t>({1, 1, 1}, {64}))) ==
        Bytes{128});
}

TEST_CASE("the Bayer pattern of a message enters a CUDA graph as content, and leaves it as a part",
          "[image]") {
  Rig rig;
  const auto& curve = rig.add<ToneCurve>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}});
  Message in = rig.harness().new_message();
  TensorSpec spec;
  curve.read_content(in, spec);
  CHECK(spec.content.empty());
  spec.content = "Bayer RGGB";
  curve.read_content(in, spec);
  CHECK(spec.content == "Bayer RGGB");
  in.add<BayerPattern>({}, BayerPattern{kernels::BayerPattern::kBggr});
  curve.read_content(in, spec);
  CHECK(spec.content == "Bayer BGGR");

  Message out = rig.harness().new_message();
  curve.write_content(spec, out);
  CHECK(out.get<BayerPattern>().layout == kernels::BayerPattern::kBggr);
  Message without = rig.harness().new_message();
  spec.content = "depth in mm";
  curve.write_content(spec, without);
  CHECK(without.size() == 0);
}

TEST_CASE("scaled_shape keeps the aspect ratio where a side is 0", "[image]") {
  CHECK(scaled_shape({480, 640, 3}, 320, 0) == ImageShape{240, 320, 3});
  CHECK(scaled_shape({480, 640, 3}, 0, 120) == ImageShape{120, 160, 3});
  CHECK(scaled_shape({480, 640, 3}, 0, 0) == ImageShape{480, 640, 3});
  CHECK(scaled_shape({480, 640, 1}, 10, 20) == ImageShape{20, 10, 1});
  CHECK(scaled_shape({1, 65535, 1}, 10, 0) == ImageShape{1, 10, 1});
}

TEST_CASE("Resize scales and refuses raw pictures", "[image]") {
  Rig rig;
  auto& resize = rig.add<Resize>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"width", "1"}, {"mode", "area"}});
  const Message out = rig.run(resize, rig.picture<std::uint8_t>({2, 2, 3}, kSquare));
  CHECK(out.get<Tensor>().shape() == Shape{1, 1, 3});
  CHECK(result_of<std::uint8_t>(out) == Bytes{55, 65, 75});
  Message raw = rig.picture<std::uint8_t>({2, 2}, {1, 2, 3, 4});
  raw.add<BayerPattern>({}, BayerPattern{});
  CHECK_THROWS_WITH(rig.run(resize, std::move(raw)), ContainsSubstring("demosaic it first"));
}

TEST_CASE("Histogram publishes counts and a picture", "[image]") {
  harness::Harness harness;
  auto& in = harness.add<DoubleBufferReceiver>("op/in");
  auto& out = harness.add<DoubleBufferTransmitter>("op/out");
  auto& picture = harness.add<DoubleBufferTransmitter>("op/picture");
  auto& pool = harness.add<UnboundedAllocator>("op/pool");
  auto& sink = harness.add<DoubleBufferReceiver>("sink/in", {{"capacity", "2"}});
  EngineAccess::connect(out, sink);
  EngineAccess::connect(picture, sink);
  auto& histogram = harness.add<Histogram>("op/op", {{"in", "in"},
                                                     {"out", "out"},
                                                     {"picture", "picture"},
                                                     {"pool", "pool"},
                                                     {"picture_width", "256"},
                                                     {"picture_height", "10"}});
  harness.initialize();
  Message message = harness.new_message();
  message.add<Tensor>("x").allocate<std::uint8_t>(pool, {1, 3, 1});
  const Bytes samples{7, 7, 255};
  std::copy(samples.begin(), samples.end(), message.make_writable<Tensor>().data<std::uint8_t>());
  message.set_sequence(4);
  in.push(std::move(message));
  harness.tick(histogram);
  sink.sync();

  const Message counts = sink.pop();
  const Tensor& tensor = counts.get<Tensor>("histogram");
  CHECK(tensor.shape() == Shape{1, 256});
  CHECK(tensor.data<std::uint32_t>()[7] == 2);
  CHECK(tensor.data<std::uint32_t>()[255] == 1);
  CHECK(counts.sequence() == 4);
  const Message drawn = sink.pop();
  const Tensor& chart = drawn.get<Tensor>("histogram");
  CHECK(chart.shape() == Shape{10, 256, 3});
  CHECK(chart.data<std::uint8_t>()[7 * 3] == 255);
  CHECK(chart.data<std::uint8_t>()[255 * 3] == 0);
  CHECK(chart.data<std::uint8_t>()[(9 * 256 + 255) * 3] == 255);
}

TEST_CASE("Histogram without an output is a mistake", "[image]") {
  Rig rig;
  CHECK_THROWS_WITH(rig.add<Histogram>({{"in", "in"}, {"pool", "pool"}}),
                    ContainsSubstring("neither 'out' nor 'picture'"));
}

TEST_CASE("FormatConverter: element types and range", "[image]") {
  Rig rig;
  auto& up = rig.add<FormatConverter>({{"in", "in"},
                                       {"out", "out"},
                                       {"pool", "pool"},
                                       {"out_tensor_name", "source_video"},
                                       {"out_dtype", "float32"},
                                       {"scale_min", "0.0"},
                                       {"scale_max", "255.0"}});
  const Message out = rig.run(up, rig.picture<std::uint8_t>({1, 3, 1}, {0, 128, 255}));
  CHECK(values<float>(out.get<Tensor>("source_video")) == Floats{0, 128, 255});
  Rig down;
  auto& back = down.add<FormatConverter>({{"in", "in"},
                                          {"out", "out"},
                                          {"pool", "pool"},
                                          {"out_dtype", "uint8"},
                                          {"scale_max", "255"}});
  const Message bytes = down.run(back, down.picture<float>({1, 4, 1}, {-3, 128, 255, 300}));
  CHECK(values<std::uint8_t>(bytes.get<Tensor>("")) == Bytes{0, 128, 255, 255});
  Rig words;
  auto& wide = words.add<FormatConverter>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"out_dtype", "uint16"}});
  CHECK(result_of<std::uint16_t>(words.run(
            wide, words.picture<std::uint8_t>({1, 2, 1}, {1, 255}))) == Words{257, 65535});
}

TEST_CASE("FormatConverter: alpha and channel order", "[image]") {
  Rig rig;
  auto& rgba = rig.add<FormatConverter>({{"in", "in"},
                                         {"out", "out"},
                                         {"pool", "pool"},
                                         {"out_dtype", "rgba8888"},
                                         {"alpha_value", "200"},
                                         {"out_channel_order", "[2, 1, 0, 3]"}});
  const Message out = rig.run(rgba, rig.picture<float>({1, 1, 3}, {1.0F, 0.0F, 0.6F}));
  CHECK(out.get<Tensor>().shape() == Shape{1, 1, 4});
  CHECK(result_of<std::uint8_t>(out) == Bytes{153, 0, 255, 200});
  Rig drop;
  auto& rgb = drop.add<FormatConverter>({{"in", "in"},
                                         {"out", "out"},
                                         {"pool", "pool"},
                                         {"in_dtype", "rgba8888"},
                                         {"out_dtype", "rgb888"}});
  CHECK(result_of<std::uint8_t>(
            drop.run(rgb, drop.picture<std::uint8_t>({1, 1, 4}, {1, 2, 3, 4}))) == Bytes{1, 2, 3});
}

TEST_CASE("FormatConverter: all steps in one, and none", "[image]") {
  Rig rig;
  auto& all = rig.add<FormatConverter>({{"in", "in"},
                                        {"out", "out"},
                                        {"pool", "pool"},
                                        {"out_dtype", "rgba8888"},
                                        {"resize_width", "1"},
                                        {"resize_height", "1"},
                                        {"out_channel_order", "[3, 0, 1, 2]"}});
  const Message out =
      rig.run(all, rig.picture<std::uint16_t>(
                       {2, 2, 3}, {257, 514, 771, 257, 514, 771, 257, 514, 771, 257, 514, 771}));
  CHECK(result_of<std::uint8_t>(out) == Bytes{255, 1, 2, 3});
  Rig none;
  auto& copy = none.add<FormatConverter>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"out_dtype", "uint8"}});
  CHECK(result_of<std::uint8_t>(none.run(copy, none.picture<std::uint8_t>({2, 2, 3}, kSquare))) ==
        kSquare);
}

TEST_CASE("FormatConverter: resize modes", "[image]") {
  const auto run = [](const Rig::Parameters& parameters) {
    Rig rig;
    auto& codelet = rig.add<FormatConverter>(parameters);
    return result_of<std::uint8_t>(
        rig.run(codelet, rig.picture<std::uint8_t>({1, 4, 1}, {0, 100, 200, 40})));
  };
  CHECK(run({{"in", "in"},
             {"out", "out"},
             {"pool", "pool"},
             {"out_dtype", "uint8"},
             {"resize_width", "2"},
             {"resize_height", "1"}}) == Bytes{50, 120});
  CHECK(run({{"in", "in"},
             {"out", "out"},
             {"pool", "pool"},
             {"out_dtype", "uint8"},
             {"resize_width", "2"},
             {"resize_height", "1"},
             {"resize_mode", "1"}}) == Bytes{100, 40});
  CHECK(run({{"in", "in"},
             {"out", "out"},
             {"pool", "pool"},
             {"out_dtype", "uint8"},
             {"resize_width", "8"},
             {"resize_height", "1"},
             {"resize_mode", "2"}})[1] == 25);
}

TEST_CASE("FormatConverter: mistakes", "[image]") {
  Rig rig;
  auto& strict = rig.add<FormatConverter>({{"in", "in"},
                                           {"out", "out"},
                                           {"pool", "pool"},
                                           {"in_dtype", "rgb888"},
                                           {"out_dtype", "float32"}});
  CHECK_THROWS_WITH(rig.run(strict, rig.picture<float>({1, 1, 3}, {1, 2, 3})),
                    "tensor 'image' on 'in': wanted rgb888 (in_dtype), got [1, 1, 3] float32");
  Rig grey;
  auto& colour = grey.add<FormatConverter>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"out_dtype", "rgb888"}});
  CHECK_THROWS_WITH(grey.run(colour, grey.picture<std::uint8_t>({1, 1, 1}, {1})),
                    ContainsSubstring("wanted 3 or 4 channels for out_dtype rgb888"));
  Rig order;
  auto& swap = order.add<FormatConverter>({{"in", "in"},
                                           {"out", "out"},
                                           {"pool", "pool"},
                                           {"out_dtype", "uint8"},
                                           {"out_channel_order", "[2, 1]"}});
  CHECK_THROWS_WITH(order.run(swap, order.picture<std::uint8_t>({1, 1, 3}, {1, 2, 3})),
                    "out_channel_order [2, 1] does not fit a result of 3 channels");
  Rig video;
  auto& nv12 = video.add<FormatConverter>(
      {{"in", "in"}, {"out", "out"}, {"pool", "pool"}, {"out_dtype", "nv12"}});
  CHECK_THROWS_WITH(video.run(nv12, video.picture<std::uint8_t>({1, 1, 3}, {1, 2, 3})),
                    ContainsSubstring("data type 'nv12' is not supported"));
  Rig range;
  CHECK_THROWS_WITH(range.add<FormatConverter>({{"in", "in"},
                                                {"out", "out"},
                                                {"pool", "pool"},
                                                {"out_dtype", "float32"},
                                                {"scale_min", "1"},
                                                {"scale_max", "1"}}),
                    "scale_min must be less than scale_max");
}

TEST_CASE("FormatConverter warns when only one side is to be resized", "[image]") {
  Rig rig;
  auto& half = rig.add<FormatConverter>({{"in", "in"},
                                         {"out", "out"},
                                         {"pool", "pool"},
                                         {"out_dtype", "uint8"},
                                         {"resize_width", "1"}});
  REQUIRE(rig.harness().logged().size() == 1);
  CHECK(rig.harness().logged().front().level == LogLevel::Warn);
  CHECK(result_of<std::uint8_t>(rig.run(half, rig.picture<std::uint8_t>({2, 2, 3}, kSquare))) ==
        kSquare);
}
