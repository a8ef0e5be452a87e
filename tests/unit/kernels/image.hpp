#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gxr/kernels/image_view.hpp"

/// Pictures for tests: rows end in padding that must stay as it was.

namespace gxr::kernels::testing {

constexpr unsigned char kGuard = 0xa5;

template <class T>
class Image {
 public:
  Image(std::int64_t width, std::int64_t height, std::int64_t channels, std::int64_t padding = 3)
      : width_(width),
        height_(height),
        channels_(channels),
        row_(width * channels + padding),
        storage_(static_cast<std::size_t>(row_ * height)) {
    std::memset(storage_.data(), kGuard, storage_.size() * sizeof(T));
  }

  ImageView<T> view() {
    const auto stride = row_ * static_cast<std::int64_t>(sizeof(T));
    return {storage_.data(), width_, height_, channels_, static_cast<std::ptrdiff_t>(stride)};
  }

  /// The same memory read from the last row to the first.
  ImageView<T> upside_down() {
    ImageView<T> flipped = view();
    flipped.data = flipped.row(height_ - 1);
    flipped.row_stride = -flipped.row_stride;
    return flipped;
  }

  T& at(std::int64_t x, std::int64_t y, std::int64_t c = 0) {
    return storage_[static_cast<std::size_t>(y * row_ + x * channels_ + c)];
  }

  std::int64_t width() const { return width_; }
  std::int64_t height() const { return height_; }
  std::int64_t channels() const { return channels_; }

  bool padding_untouched() const {
    for (std::int64_t y = 0; y < height_; ++y) {
      for (std::int64_t i = width_ * channels_; i < row_; ++i) {
        T guard;
        std::memset(&guard, kGuard, sizeof(T));
        const T& found = storage_[static_cast<std::size_t>(y * row_ + i)];
        if (std::memcmp(&found, &guard, sizeof(T)) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  template <class Function>
  void fill(Function value) {
    for (std::int64_t y = 0; y < height_; ++y) {
      for (std::int64_t x = 0; x < width_; ++x) {
        for (std::int64_t c = 0; c < channels_; ++c) {
          at(x, y, c) = static_cast<T>(value(x, y, c));
        }
      }
    }
  }

 private:
  std::int64_t width_;
  std::int64_t height_;
  std::int64_t channels_;
  std::int64_t row_;
  std::vector<T> storage_;
};

/// A linear congruential generator, so that test data does not come from the code under test.
class Random {
 public:
  double unit() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 40U) / 16777216.0;
  }

 private:
  std::uint64_t state_ = 12345;
};

/// Values over the whole range with many at its two ends, where clipping shows.
template <class T>
Image<T> random_image(std::int64_t width, std::int64_t height, std::int64_t channels,
                      std::int64_t padding = 3) {
  Image<T> image(width, height, channels, padding);
  Random random;
  image.fill([&](auto...) {
    const double wide = random.unit() * 1.6 - 0.3;
    const double unit = wide < 0.0 ? 0.0 : wide > 1.0 ? 1.0 : wide;
    return unit * static_cast<double>(full_scale<T>());
  });
  return image;
}

/// The number that an exact result becomes in T: rounded half up and clipped, or itself.
template <class T>
double expected(double exact) {
  if (full_scale<T>() == 1.0F) {
    return exact;
  }
  const double rounded = std::floor(exact + 0.5);
  const double top = static_cast<double>(full_scale<T>());
  return rounded < 0.0 ? 0.0 : rounded > top ? top : rounded;
}

/// Largest difference between an image and a function (x, y, c) -> double.
template <class T, class Function>
double distance(Image<T>& image, Function oracle) {
  double largest = 0.0;
  for (std::int64_t y = 0; y < image.height(); ++y) {
    for (std::int64_t x = 0; x < image.width(); ++x) {
      for (std::int64_t c = 0; c < image.channels(); ++c) {
        const double difference = static_cast<double>(image.at(x, y, c)) - oracle(x, y, c);
        largest = std::max(largest, std::isnan(difference) ? 1e300 : std::abs(difference));
      }
    }
  }
  return largest;
}

/// What float arithmetic may add to an exact result: nothing for integers.
template <class T>
constexpr double float_error() {
  return full_scale<T>() == 1.0F ? 2e-6 : 0.0;
}

}  // namespace gxr::kernels::testing
