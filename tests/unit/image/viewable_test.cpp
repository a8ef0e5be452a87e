#include "image/viewable.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
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
using Words = std::vector<std::uint16_t>;

struct Shown {
  Shown() : viewable(rig.add<Viewable>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}})) {}

  template <class T>
  Message run(const Shape& shape, const std::vector<T>& pixels) {
    return rig.run(viewable, rig.picture<T>(shape, pixels));
  }
  /// A VideoBuffer whose single plane has these bytes in each row.
  Message run(VideoFormat format, const std::vector<Bytes>& rows, std::uint32_t width) {
    Message message = rig.harness().new_message();
    auto& buffer = message.add<VideoBuffer>("camera");
    buffer.resize(pool, format, width, static_cast<std::uint32_t>(rows.size()));
    const ColorPlane& plane = buffer.info().color_planes[0];
    for (std::size_t y = 0; y < rows.size(); ++y) {
      std::copy(rows[y].begin(), rows[y].end(),
                static_cast<std::uint8_t*>(buffer.pointer()) + plane.offset + y * plane.stride);
    }
    return rig.run(viewable, std::move(message));
  }
  /// The warning about a picture that it drops.
  template <class T>
  std::string dropped(const Shape& shape, const std::vector<T>& pixels) {
    viewable.start();
    return run(shape, pixels) ? "" : rig.harness().logged().back().text;
  }

  Rig rig;
  Viewable& viewable;
  UnboundedAllocator& pool = rig.harness().add<UnboundedAllocator>("op/pictures");
};

}  // namespace

TEST_CASE("Pictures that files hold stay as they are, with all parts") {
  Shown shown;
  Message message = shown.rig.picture<std::uint16_t>({1, 2}, {7, 65535});
  message.add<Timestamp>("timestamp", Timestamp{5, 4});
  const void* const memory = message.get<Tensor>("image").pointer();
  const Message result = shown.rig.run(shown.viewable, std::move(message));
  CHECK(result.get<Tensor>("image").pointer() == memory);
  CHECK(result.get<Timestamp>("timestamp").acqtime == 4);

  CHECK(
      values<std::uint8_t>(shown.run<std::uint8_t>({1, 1, 4}, {1, 2, 3, 4}).get<Tensor>("image")) ==
      Bytes{1, 2, 3, 4});
  CHECK(values<float>(shown.run<float>({1, 1, 3}, {0.5F, 0, 1}).get<Tensor>("image")) ==
        std::vector<float>{0.5F, 0, 1});
}

TEST_CASE("YUV becomes red, green and blue") {
  Shown shown;
  const Message packed = shown.run<std::uint8_t>({1, 2, 2}, {235, 128, 16, 128});
  CHECK(packed.get<Tensor>("image").shape() == Shape{1, 2, 3});
  CHECK(values<std::uint8_t>(packed.get<Tensor>("image")) == Bytes{255, 255, 255, 0, 0, 0});

  Message message = shown.rig.harness().new_message();
  auto& buffer = message.add<VideoBuffer>("camera");
  buffer.resize(shown.pool, VideoFormat::Nv12Er, 2, 2);
  std::fill_n(static_cast<std::uint8_t*>(buffer.pointer()), buffer.size(), std::uint8_t{128});
  const Message planes = shown.rig.run(shown.viewable, std::move(message));
  CHECK(values<std::uint8_t>(planes.get<Tensor>("camera")) == Bytes(12, 128));
  CHECK(planes.find<VideoBuffer>("camera") == nullptr);
}

TEST_CASE("Other elements are stretched from the least value to the greatest") {
  Shown shown;
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  constexpr float kFar = std::numeric_limits<float>::infinity();
  CHECK(values<std::uint16_t>(
            shown.run<float>({1, 5}, {0.5F, 4.5F, kNone, kFar, 2.5F}).get<Tensor>("image")) ==
        Words{0, 65535, 0, 65535, 32768});
  constexpr double kMost = std::numeric_limits<double>::max();
  CHECK(
      values<std::uint16_t>(shown.run<double>({1, 3}, {-kMost, 0.0, kMost}).get<Tensor>("image")) ==
      Words{0, 32768, 65535});
  CHECK(values<std::uint16_t>(shown.run<std::int32_t>({2, 1}, {-1, 3}).get<Tensor>("image")) ==
        Words{0, 65535});
  CHECK(values<std::uint16_t>(shown.run<std::int8_t>({1, 2}, {4, 4}).get<Tensor>("image")) ==
        Words{0, 0});
  CHECK(values<std::uint16_t>(shown.run<float>({1, 2}, {kNone, kNone}).get<Tensor>("image")) ==
        Words{0, 0});
}

TEST_CASE("VideoBuffers of one plane become tensors with red first") {
  Shown shown;
  CHECK(values<std::uint8_t>(
            shown.run(VideoFormat::Bgr, {{1, 2, 3}, {4, 5, 6}}, 1).get<Tensor>("camera")) ==
        Bytes{3, 2, 1, 6, 5, 4});
  CHECK(
      values<std::uint8_t>(shown.run(VideoFormat::Bgra, {{1, 2, 3, 4}}, 1).get<Tensor>("camera")) ==
      Bytes{3, 2, 1, 4});
  CHECK(values<std::uint16_t>(
            shown.run(VideoFormat::Gray16, {{1, 0, 2, 0}}, 2).get<Tensor>("camera")) ==
        Words{1, 2});
  CHECK(values<std::uint16_t>(shown.run(VideoFormat::Gray32F, {{0, 0, 0, 0, 0, 0, 128, 63}}, 2)
                                  .get<Tensor>("camera")) == Words{0, 65535});
}

TEST_CASE("What nobody can show says so") {
  Shown shown;
  CHECK_THAT(
      shown.dropped<float>({1, 1, 2}, {1, 2}),
      ContainsSubstring("wanted 1, 3 or 4 channels, or a YUY2 picture, got [1, 1, 2] float32"));
  CHECK_THAT(shown.dropped<std::uint8_t>({1, 3, 2}, Bytes(6)),
             ContainsSubstring("or a YUY2 picture, got [1, 3, 2] uint8"));
  CHECK_THAT(shown.dropped<double>({4}, {1, 2, 3, 4}), ContainsSubstring("wanted a picture"));
  CHECK_THAT(shown.dropped<std::complex<float>>({1, 1}, {{1, 2}}),
             ContainsSubstring("elements of complex64 cannot be shown"));
  CHECK(values<std::uint8_t>(shown.run<std::uint8_t>({1, 1}, {9}).get<Tensor>("image")) ==
        Bytes{9});
}
