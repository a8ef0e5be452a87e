#include "gxr/kernels/bayer.hpp"

#include "check.hpp"
#include "gxr/kernels/demosaic.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {
constexpr BayerPattern kPatterns[] = {BayerPattern::kRggb, BayerPattern::kBggr, BayerPattern::kGrbg,
                                      BayerPattern::kGbrg};
}  // namespace

TEMPLATE_TEST_CASE("mosaic samples as on the host", "[gpu][bayer]", std::uint8_t, std::uint16_t,
                   float) {
  using T = TestType;
  for (const BayerPattern pattern : kPatterns) {
    for (const SensorNoise noise : {SensorNoise{}, SensorNoise{0.02F, 9, 4}}) {
      check_transform<T, T>(
          3, 1, [=](auto in, auto out) { mosaic_bayer(in, out, pattern, noise); },
          [=](auto in, auto out, Stream stream) { mosaic_bayer(in, out, pattern, noise, stream); });
    }
  }
}

TEMPLATE_TEST_CASE("bilinear demosaicing as on the host", "[gpu][demosaic]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  for (const BayerPattern pattern : kPatterns) {
    check_transform<T, T>(
        1, 3, [=](auto in, auto out) { demosaic_bilinear(in, out, pattern); },
        [=](auto in, auto out, Stream stream) { demosaic_bilinear(in, out, pattern, stream); });
  }
}

TEMPLATE_TEST_CASE("Malvar demosaicing as on the host", "[gpu][demosaic]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  for (const BayerPattern pattern : kPatterns) {
    check_transform<T, T>(
        1, 3, [=](auto in, auto out) { demosaic_malvar(in, out, pattern); },
        [=](auto in, auto out, Stream stream) { demosaic_malvar(in, out, pattern, stream); });
  }
}

TEMPLATE_TEST_CASE("demosaicing meets the ends of the range", "[gpu][demosaic]", std::uint8_t,
                   std::uint16_t) {
  using T = TestType;
  // All 0 and full scale in every arrangement of small blocks: the largest and smallest sums.
  Image<T> bayer(512, 64, 1);
  Random random;
  bayer.fill([&](auto...) { return random.unit() < 0.5 ? 0.0F : full_scale<T>(); });
  DeviceImage<T> device_bayer(bayer, {});
  for (const BayerPattern pattern : kPatterns) {
    Image<T> wanted(512, 64, 3);
    demosaic_malvar(bayer.view(), wanted.view(), pattern);
    DeviceImage<T> found(512, 64, 3, {});
    demosaic_malvar(device_bayer.view(), found.view(), pattern, TestStream());
    CHECK(found.difference(wanted) == "");
  }
}

TEST_CASE("bayer kernels refuse broken arguments on the device", "[gpu][bayer]") {
  const TestStream stream;
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceImage<float> bayer(4, 4, 1, {});
  DeviceImage<float> smaller(3, 4, 1, {});
  constexpr auto pattern = BayerPattern::kRggb;
  CHECK_THROWS_AS(mosaic_bayer(rgb.view(), rgb.view(), pattern, {}, stream), std::invalid_argument);
  CHECK_THROWS_AS(mosaic_bayer(rgb.view(), bayer.view(), pattern, {-1.0F, 0, 0}, stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(demosaic_bilinear(smaller.view(), rgb.view(), pattern, stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(demosaic_malvar(bayer.view(), bayer.view(), pattern, stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(demosaic_malvar(bayer.view(), rgb.view(), pattern, nullptr),
                  std::invalid_argument);
}

TEST_CASE("two streams at once give the same pictures", "[gpu][demosaic]") {
  const TestStream first;
  const TestStream second;
  Image<std::uint16_t> bayer = random_image<std::uint16_t>(1931, 1087, 1);
  Image<std::uint16_t> wanted(1931, 1087, 3);
  demosaic_malvar(bayer.view(), wanted.view(), BayerPattern::kGrbg);
  DeviceImage<std::uint16_t> device_bayer(bayer, {48, 16, false});
  DeviceImage<std::uint16_t> one(1931, 1087, 3, {});
  DeviceImage<std::uint16_t> other(1931, 1087, 3, {});
  for (int i = 0; i < 20; ++i) {
    demosaic_malvar(device_bayer.view(), one.view(), BayerPattern::kGrbg, first);
    demosaic_malvar(device_bayer.view(), other.view(), BayerPattern::kGrbg, second);
  }
  CHECK(one.difference(wanted) == "");
  CHECK(other.difference(wanted) == "");
}
