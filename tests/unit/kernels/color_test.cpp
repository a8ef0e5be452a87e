#include <limits>

#include "catch.hpp"
#include "gxr/kernels/tone_curve.hpp"
#include "gxr/kernels/white_balance.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

TEMPLATE_TEST_CASE("gains multiply colours and leave alpha", "[kernels][white_balance]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  const float gains[] = {1.75F, 1.0F, 0.625F};  // exact in binary
  for (const std::int64_t channels : {3, 4}) {
    for (const std::int64_t width : {1, 31, 32, 33, 101}) {
      Image<T> in = random_image<T>(width, 3, channels);
      Image<T> out(width, 3, channels, 1);
      apply_gains(in.view(), out.view(), gains);
      CHECK(distance(out, [&](auto x, auto y, auto c) {
              const double gain = c < 3 ? static_cast<double>(gains[c]) : 1.0;
              return expected<T>(static_cast<double>(in.at(x, y, c)) * gain);
            }) <= float_error<T>());
      CHECK(out.padding_untouched());
      apply_gains(in.view(), in.view(), gains);
      CHECK(distance(in, [&](auto x, auto y, auto c) {
              return static_cast<double>(out.at(x, y, c));
            }) == 0.0);
    }
  }
}

TEMPLATE_TEST_CASE("grey-world gains level the means", "[kernels][white_balance]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  Image<T> image(7, 5, 4);
  const double unit = full_scale<T>() == 1.0F ? 0.01 : 1.0;
  image.fill([&](auto x, auto, auto c) {
    const double level[] = {10.0, 20.0, 40.0, 99.0};
    return unit * (level[c] + static_cast<double>(x) - 3.0);
  });
  float gains[3] = {};
  grey_world_gains(image.view(), gains);
  CHECK(gains[0] == Catch::Approx(2.0).epsilon(1e-6));
  CHECK(gains[1] == 1.0F);
  CHECK(gains[2] == Catch::Approx(0.5).epsilon(1e-6));
}

TEST_CASE("grey-world gains are 1 where they cannot be formed", "[kernels][white_balance]") {
  Image<float> image(2, 2, 3);
  float gains[3] = {};
  const auto gains_of = [&](float red, float green, float blue) {
    image.fill([&](auto, auto, auto c) { return c == 0 ? red : c == 1 ? green : blue; });
    grey_world_gains(image.view(), gains);
    return std::vector<float>(gains, gains + 3);
  };
  CHECK(gains_of(0.0F, 0.5F, 0.25F) == std::vector<float>{1.0F, 1.0F, 2.0F});
  CHECK(gains_of(0.5F, 0.0F, 0.25F) == std::vector<float>{1.0F, 1.0F, 1.0F});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(gains_of(nan, 0.5F, -0.25F) == std::vector<float>{1.0F, 1.0F, 1.0F});
  CHECK(gains_of(0.25F, nan, 0.25F) == std::vector<float>{1.0F, 1.0F, 1.0F});
  CHECK(gains_of(1e-44F, 0.5F, 1.0F) == std::vector<float>{1.0F, 1.0F, 0.5F});
}

TEST_CASE("white balance refuses broken arguments", "[kernels][white_balance]") {
  Image<float> rgb(2, 2, 3);
  Image<float> rgba(2, 2, 4);
  Image<float> grey(2, 2, 1);
  float gains[] = {1.0F, 1.0F, 1.0F};
  CHECK_NOTHROW(apply_gains(rgb.view(), rgb.view(), gains));
  CHECK_THROWS_AS(apply_gains(rgb.view(), rgba.view(), gains), std::invalid_argument);
  CHECK_THROWS_AS(apply_gains(grey.view(), grey.view(), gains), std::invalid_argument);
  CHECK_THROWS_AS(apply_gains(rgb.view(), rgb.view(), nullptr), std::invalid_argument);
  CHECK_THROWS_AS(grey_world_gains(grey.view(), gains), std::invalid_argument);
  CHECK_THROWS_AS(grey_world_gains(rgb.view(), nullptr), std::invalid_argument);
  gains[2] = -1.0F;
  CHECK_THROWS_AS(apply_gains(rgb.view(), rgb.view(), gains), std::invalid_argument);
  gains[2] = std::numeric_limits<float>::infinity();
  CHECK_THROWS_AS(apply_gains(rgb.view(), rgb.view(), gains), std::invalid_argument);
}

TEST_CASE("sRGB has the standard's values", "[kernels][tone]") {
  // From the formula of IEC 61966-2-1 with ten digits.
  CHECK(evaluate(srgb_curve(), 0.0) == 0.0);
  CHECK(evaluate(srgb_curve(), 0.001) == Catch::Approx(0.01292).epsilon(1e-9));
  CHECK(evaluate(srgb_curve(), 0.0031308) == Catch::Approx(0.040449936).epsilon(1e-9));
  CHECK(evaluate(srgb_curve(), 0.18) == Catch::Approx(0.4613561295).epsilon(1e-9));
  CHECK(evaluate(srgb_curve(), 0.5) == Catch::Approx(0.7353569831).epsilon(1e-9));
  CHECK(evaluate(srgb_curve(), 1.0) == Catch::Approx(1.0).epsilon(1e-12));
}

TEST_CASE("curves clip their input", "[kernels][tone]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const ToneCurve curve : {srgb_curve(), gamma_curve(2.2F)}) {
    CHECK(evaluate(curve, -0.5) == 0.0);
    CHECK(evaluate(curve, nan) == 0.0);
    CHECK(evaluate(curve, 7.0) == Catch::Approx(1.0).epsilon(1e-12));
  }
}

TEMPLATE_TEST_CASE("tone tables hold the rounded curve", "[kernels][tone]", std::uint8_t,
                   std::uint16_t) {
  using T = TestType;
  const double top = static_cast<double>(full_scale<T>());
  const ToneTable<T> gamma(gamma_curve(2.0F));
  const ToneTable<T> srgb(srgb_curve());
  REQUIRE(gamma.size() == static_cast<std::int64_t>(top) + 1);
  int wrong = 0;
  for (std::int64_t i = 0; i < gamma.size(); ++i) {
    const double root = std::sqrt(static_cast<double>(i) / top) * top;
    wrong += std::abs(static_cast<double>(gamma.data()[i]) - root) <= 0.5000001 ? 0 : 1;
    // The inverse curve leads back to within half a step of the encoded value.
    const double encoded = (static_cast<double>(srgb.data()[i])) / top;
    const double low = encoded - 0.5000001 / top;
    const double high = encoded + 0.5000001 / top;
    const auto decode = [](double v) {
      return v <= 0.040449936 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    const double linear = static_cast<double>(i) / top;
    wrong += decode(low) <= linear && linear <= decode(high) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("tone tables apply to colours and leave alpha", "[kernels][tone]", std::uint8_t,
                   std::uint16_t) {
  using T = TestType;
  const ToneTable<T> table(gamma_curve(2.2F));
  for (const std::int64_t channels : {1, 2, 3, 4}) {
    Image<T> in = random_image<T>(13, 5, channels);
    Image<T> out(13, 5, channels);
    apply_tone_table(in.view(), out.view(), table.data());
    CHECK(distance(out, [&](auto x, auto y, auto c) {
            return static_cast<double>(c < 3 ? table.data()[in.at(x, y, c)] : in.at(x, y, c));
          }) == 0.0);
    CHECK(out.padding_untouched());
    apply_tone_table(in.view(), in.view(), table.data());
    CHECK(distance(in, [&](auto x, auto y, auto c) {
            return static_cast<double>(out.at(x, y, c));
          }) == 0.0);
  }
}

TEMPLATE_TEST_CASE("tone tables that grow have the entries of whole ones", "[kernels][tone]",
                   std::uint8_t, std::uint16_t) {
  using T = TestType;
  GrowingToneTable<T> growing;
  for (const ToneCurve curve : {gamma_curve(2.2F), srgb_curve(), gamma_curve(0.4F)}) {
    const ToneTable<T> table(curve);
    growing.begin(curve);
    for (int picture = 0; picture < 3; ++picture) {
      Image<T> in = random_image<T>(13, 5, 4);
      Image<T> out(13, 5, 4);
      Image<T> wanted(13, 5, 4);
      apply_tone_table(in.view(), out.view(), growing);
      apply_tone_table(in.view(), wanted.view(), table.data());
      CHECK(distance(out, [&](auto x, auto y, auto c) {
              return static_cast<double>(wanted.at(x, y, c));
            }) == 0.0);
    }
    int wrong = 0;
    for (std::int64_t i = 0; i < table.size(); ++i) {
      wrong += growing.at(static_cast<T>(i)) == table.data()[i] ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("tone curves apply to float colours and leave alpha", "[kernels][tone]") {
  for (const std::int64_t channels : {1, 2, 3, 4}) {
    Image<float> in = random_image<float>(13, 5, channels);
    Image<float> out(13, 5, channels);
    apply_tone_curve(in.view(), out.view(), gamma_curve(3.0F));
    CHECK(distance(out, [&](auto x, auto y, auto c) {
            const double value = static_cast<double>(in.at(x, y, c));
            return c < 3 ? std::cbrt(value) : value;
          }) <= 1e-6);
    CHECK(out.padding_untouched());
  }
}

TEST_CASE("tone curves refuse broken arguments", "[kernels][tone]") {
  Image<std::uint8_t> image(2, 2, 3);
  Image<std::uint8_t> other(2, 2, 1);
  const ToneTable<std::uint8_t> table(srgb_curve());
  CHECK_THROWS_AS(gamma_curve(0.0F), std::invalid_argument);
  CHECK_THROWS_AS(gamma_curve(std::numeric_limits<float>::infinity()), std::invalid_argument);
  CHECK_THROWS_AS(apply_tone_table<std::uint8_t>(image.view(), image.view(), nullptr),
                  std::invalid_argument);
  CHECK_THROWS_AS(apply_tone_table(image.view(), other.view(), table.data()),
                  std::invalid_argument);
}
