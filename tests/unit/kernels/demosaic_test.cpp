#include "gxr/kernels/demosaic.hpp"

#include <limits>

#include "catch.hpp"
#include "gxr/kernels/compare.hpp"
#include "image.hpp"
#include "photo.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

constexpr BayerPattern kPatterns[] = {BayerPattern::kRggb, BayerPattern::kBggr, BayerPattern::kGrbg,
                                      BayerPattern::kGbrg};

/// The pattern from its name, written down apart from the library's arithmetic.
char color_at(BayerPattern pattern, std::int64_t x, std::int64_t y) {
  static constexpr const char* names[] = {"RGGB", "BGGR", "GRBG", "GBRG"};
  const auto cell = ((y % 2 + 2) % 2) * 2 + (x % 2 + 2) % 2;
  return names[static_cast<int>(pattern)][cell];
}

/// Reflects step by step until the index is inside.
std::int64_t reflect(std::int64_t i, std::int64_t length) {
  while (length > 1 && (i < 0 || i >= length)) {
    i = i < 0 ? -i : 2 * (length - 1) - i;
  }
  return length == 1 ? 0 : i;
}

template <class T>
double sample(Image<T>& bayer, std::int64_t x, std::int64_t y) {
  return static_cast<double>(bayer.at(reflect(x, bayer.width()), reflect(y, bayer.height())));
}

/// Mean of all samples of the wanted colour in the 3 x 3 neighbourhood.
template <class T>
double bilinear_oracle(Image<T>& bayer, BayerPattern p, char want, std::int64_t x, std::int64_t y) {
  if (color_at(p, x, y) == want) {
    return sample(bayer, x, y);
  }
  double sum = 0.0;
  int count = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (color_at(p, x + dx, y + dy) == want) {
        sum += sample(bayer, x + dx, y + dy);
        ++count;
      }
    }
  }
  return sum / count;
}

using Filter = double[5][5];

constexpr Filter kGreen = {
    {0, 0, -1, 0, 0}, {0, 0, 2, 0, 0}, {-1, 2, 4, 2, -1}, {0, 0, 2, 0, 0}, {0, 0, -1, 0, 0}};
constexpr Filter kSameRow = {
    {0, 0, .5, 0, 0}, {0, -1, 0, -1, 0}, {-1, 4, 5, 4, -1}, {0, -1, 0, -1, 0}, {0, 0, .5, 0, 0}};
constexpr Filter kSameColumn = {
    {0, 0, -1, 0, 0}, {0, -1, 4, -1, 0}, {.5, 0, 5, 0, .5}, {0, -1, 4, -1, 0}, {0, 0, -1, 0, 0}};
constexpr Filter kDiagonal = {{0, 0, -1.5, 0, 0},
                              {0, 2, 0, 2, 0},
                              {-1.5, 0, 6, 0, -1.5},
                              {0, 2, 0, 2, 0},
                              {0, 0, -1.5, 0, 0}};

const Filter& malvar_filter(BayerPattern p, char want, std::int64_t x, std::int64_t y) {
  if (want == 'G') {
    return kGreen;
  }
  if (color_at(p, x, y) != 'G') {
    return kDiagonal;
  }
  return color_at(p, x + 1, y) == want ? kSameRow : kSameColumn;
}

template <class T>
double malvar_oracle(Image<T>& bayer, BayerPattern p, char want, std::int64_t x, std::int64_t y) {
  if (color_at(p, x, y) == want) {
    return sample(bayer, x, y);
  }
  const Filter& filter = malvar_filter(p, want, x, y);
  double sum = 0.0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      sum += filter[dy + 2][dx + 2] * sample(bayer, x + dx, y + dy);
    }
  }
  return sum / 8.0;
}

constexpr std::int64_t kSizes[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2},  {3, 3},
                                      {1, 7}, {7, 1}, {5, 4}, {33, 9}, {70, 6}};

template <class T, class Function>
void check_all_shapes(Function check) {
  for (const auto& size : kSizes) {
    for (const BayerPattern pattern : kPatterns) {
      INFO(size[0] << " x " << size[1] << ", pattern " << static_cast<int>(pattern));
      Image<T> bayer = random_image<T>(size[0], size[1], 1);
      Image<T> rgb(size[0], size[1], 3, 5);
      check(bayer, rgb, pattern);
      CHECK(rgb.padding_untouched());
    }
  }
}

/// A smooth picture in which the channels differ.
Image<std::uint8_t> waves() {
  Image<std::uint8_t> image(160, 120, 3);
  image.fill([](auto x, auto y, auto c) {
    const double dx = static_cast<double>(x) - 80.0;
    const double dy = static_cast<double>(y) - 60.0;
    const double wave = std::cos((dx * dx + dy * dy) / 200.0 + 0.15 * static_cast<double>(c));
    return 127.5 + (90.0 - 10.0 * static_cast<double>(c)) * wave;
  });
  return image;
}

struct Quality {
  double bilinear;
  double malvar;
};

Quality quality(Image<std::uint8_t>& photo) {
  Image<std::uint8_t> bayer(photo.width(), photo.height(), 1);
  Image<std::uint8_t> rgb(photo.width(), photo.height(), 3);
  mosaic_bayer(photo.view(), bayer.view(), BayerPattern::kRggb);
  Quality result{};
  demosaic_bilinear(bayer.view(), rgb.view(), BayerPattern::kRggb);
  result.bilinear = psnr(photo.view(), rgb.view(), 4);
  demosaic_malvar(bayer.view(), rgb.view(), BayerPattern::kRggb);
  result.malvar = psnr(photo.view(), rgb.view(), 4);
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("bilinear demosaic equals the mean of neighbours", "[kernels][demosaic]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  check_all_shapes<T>([](Image<T>& bayer, Image<T>& rgb, BayerPattern pattern) {
    demosaic_bilinear(bayer.view(), rgb.view(), pattern);
    CHECK(distance(rgb, [&](auto x, auto y, auto c) {
            return expected<T>(bilinear_oracle(bayer, pattern, "RGB"[c], x, y));
          }) <= float_error<T>());
  });
}

TEMPLATE_TEST_CASE("Malvar demosaic equals the paper's filters", "[kernels][demosaic]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  check_all_shapes<T>([](Image<T>& bayer, Image<T>& rgb, BayerPattern pattern) {
    demosaic_malvar(bayer.view(), rgb.view(), pattern);
    CHECK(distance(rgb, [&](auto x, auto y, auto c) {
            return expected<T>(malvar_oracle(bayer, pattern, "RGB"[c], x, y));
          }) <= float_error<T>());
  });
}

TEMPLATE_TEST_CASE("demosaic of one pixel is grey", "[kernels][demosaic]", std::uint8_t,
                   std::uint16_t, float) {
  for (const BayerPattern pattern : kPatterns) {
    Image<TestType> bayer(1, 1, 1);
    bayer.at(0, 0) = TestType{1};
    Image<TestType> rgb(1, 1, 3);
    demosaic_malvar(bayer.view(), rgb.view(), pattern);
    CHECK(distance(rgb, [](auto...) { return 1.0; }) == 0.0);
    demosaic_bilinear(bayer.view(), rgb.view(), pattern);
    CHECK(distance(rgb, [](auto...) { return 1.0; }) == 0.0);
  }
}

TEMPLATE_TEST_CASE("Malvar's extreme sums do not overflow", "[kernels][demosaic]", std::uint8_t,
                   std::uint16_t) {
  using T = TestType;
  constexpr T top = std::numeric_limits<T>::max();
  // Each filter's positive, then its negative coefficients on full scale.
  for (int turn = 0; turn < 64; ++turn) {
    Image<T> bayer(9, 9, 1);
    bayer.fill([&](auto x, auto y, auto) {
      const auto distance = std::abs(x - 4) + std::abs(y - 4);
      return ((turn >> (distance < 5 ? distance : 5)) & 1) != 0 ? top : T{0};
    });
    Image<T> rgb(9, 9, 3);
    demosaic_malvar(bayer.view(), rgb.view(), BayerPattern::kGrbg);
    CHECK(distance(rgb, [&](auto x, auto y, auto c) {
            return expected<T>(malvar_oracle(bayer, BayerPattern::kGrbg, "RGB"[c], x, y));
          }) == 0.0);
  }
}

TEST_CASE("float demosaic does not clip", "[kernels][demosaic]") {
  Image<float> bayer(9, 9, 1);
  bayer.fill([](auto x, auto y, auto) { return x == 4 && y == 4 ? 8.0F : 0.0F; });
  Image<float> rgb(9, 9, 3);
  demosaic_malvar(bayer.view(), rgb.view(), BayerPattern::kRggb);
  CHECK(rgb.at(4, 4, 0) == 8.0F);
  CHECK(rgb.at(4, 4, 1) == 4.0F);
  CHECK(rgb.at(4, 4, 2) == 6.0F);
  CHECK(rgb.at(2, 4, 1) == -1.0F);
}

TEST_CASE("demosaic reads and writes bottom-up rows", "[kernels][demosaic]") {
  Image<std::uint8_t> bayer = random_image<std::uint8_t>(8, 6, 1);
  Image<std::uint8_t> rgb(8, 6, 3);
  Image<std::uint8_t> flipped(8, 6, 3);
  demosaic_malvar(bayer.upside_down(), rgb.view(), BayerPattern::kRggb);
  demosaic_malvar(bayer.view(), flipped.view(), BayerPattern::kGbrg);
  CHECK(max_abs_difference(rgb.upside_down(), flipped.view()) == 0.0);
}

TEST_CASE("demosaic quality on a generated picture", "[kernels][demosaic]") {
  Image<std::uint8_t> picture = waves();
  const Quality found = quality(picture);
  CHECK(found.bilinear == Catch::Approx(33.33).margin(0.1));
  CHECK(found.malvar == Catch::Approx(37.43).margin(0.1));
}

TEST_CASE("demosaic quality on photographs", "[.photos]") {
  auto astronaut = load_photo("astronaut.png");
  auto coffee = load_photo("coffee.png");
  if (!astronaut || !coffee) {
    WARN("skipped: no photographs in " GXR_TEST_DATA_DIR);
    return;
  }
  const Quality first = quality(*astronaut);
  CHECK(first.bilinear == Catch::Approx(30.55).margin(0.1));
  CHECK(first.malvar == Catch::Approx(34.59).margin(0.1));
  const Quality second = quality(*coffee);
  CHECK(second.bilinear == Catch::Approx(29.43).margin(0.1));
  CHECK(second.malvar == Catch::Approx(33.16).margin(0.1));
  INFO(first.bilinear << " " << first.malvar << " " << second.bilinear << " " << second.malvar);
  CHECK(first.malvar - first.bilinear > 3.0);
}

TEST_CASE("demosaic refuses broken arguments", "[kernels][demosaic]") {
  Image<std::uint8_t> bayer(4, 4, 1);
  Image<std::uint8_t> rgb(4, 4, 3);
  Image<std::uint8_t> narrow(3, 4, 3);
  const auto run = [](ImageView<std::uint8_t> in, ImageView<std::uint8_t> out) {
    demosaic_malvar(in, out, BayerPattern::kRggb);
  };
  CHECK_NOTHROW(run(bayer.view(), rgb.view()));
  CHECK_THROWS_AS(run(bayer.view(), narrow.view()), std::invalid_argument);
  CHECK_THROWS_AS(run(rgb.view(), rgb.view()), std::invalid_argument);
  CHECK_THROWS_AS(run(bayer.view(), bayer.view()), std::invalid_argument);
  ImageView<std::uint8_t> broken = bayer.view();
  broken.data = nullptr;
  CHECK_THROWS_AS(run(broken, rgb.view()), std::invalid_argument);
  broken = bayer.view();
  broken.row_stride = 3;
  CHECK_THROWS_AS(run(broken, rgb.view()), std::invalid_argument);
  broken = bayer.view();
  broken.height = 0;
  CHECK_THROWS_AS(run(broken, rgb.view()), std::invalid_argument);
}

TEST_CASE("views of wider elements must be aligned", "[kernels]") {
  Image<std::uint16_t> bayer(4, 4, 1);
  Image<std::uint16_t> rgb(4, 4, 3);
  ImageView<std::uint16_t> broken = bayer.view();
  broken.row_stride = 9;
  CHECK_THROWS_WITH(demosaic_malvar(broken, rgb.view(), BayerPattern::kRggb),
                    "image 'bayer': data and row_stride must be aligned for the element type");
}
