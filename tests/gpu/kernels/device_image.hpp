#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "gxr/kernels/stream.hpp"
#include "image.hpp"

/// Pictures in device memory, and their way there and back.

namespace gxr::kernels::testing {

inline void require_success(cudaError_t error) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(cudaGetErrorName(error)) + ": " +
                             cudaGetErrorString(error));
  }
}

/// A memset and a copy from pageable memory return before the device has written, and the streams
/// of the tests do not wait for the legacy stream.
inline void finish_copies() { require_success(cudaDeviceSynchronize()); }

/// Bytes in device memory.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t size) { require_success(cudaMalloc(&data_, size + 1)); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  ~DeviceBytes() { cudaFree(data_); }

  void* data() { return data_; }

 private:
  void* data_ = nullptr;
};

/// Numbers in device memory, filled with a guard or a copy of host numbers.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size), bytes_(size * sizeof(T)) {
    require_success(cudaMemset(bytes_.data(), kGuard, size * sizeof(T)));
    finish_copies();
  }
  DeviceArray(const T* numbers, std::size_t size) : DeviceArray(size) {
    require_success(cudaMemcpy(data(), numbers, size * sizeof(T), cudaMemcpyHostToDevice));
    finish_copies();
  }

  T* data() { return static_cast<T*>(bytes_.data()); }

  /// After all work of the device.
  std::vector<T> read() {
    std::vector<T> numbers(size_);
    require_success(cudaDeviceSynchronize());
    require_success(cudaMemcpy(numbers.data(), data(), size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return numbers;
  }

 private:
  std::size_t size_;
  DeviceBytes bytes_;
};

class TestStream {
 public:
  TestStream() { require_success(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;
  ~TestStream() { cudaStreamDestroy(stream_); }

  operator Stream() const { return stream_; }  // NOLINT(google-explicit-constructor)

 private:
  cudaStream_t stream_ = nullptr;
};

/// How a picture lies in memory.
struct Layout {
  std::int64_t padding = 0;  ///< elements behind each row
  std::int64_t offset = 0;   ///< elements before the first
  bool bottom_up = false;

  bool operator==(const Layout&) const = default;
};

/// Packed, padded rows that stay aligned, padding and offsets that do not, rows from below.
constexpr Layout kLayouts[] = {{0, 0, false}, {48, 16, false}, {5, 0, false},
                               {3, 1, false}, {0, 3, true},    {32, 0, true}};

inline std::string text_of(const Layout& layout) {
  return "padding " + std::to_string(layout.padding) + " offset " + std::to_string(layout.offset) +
         (layout.bottom_up ? " bottom up" : "");
}

/// A picture in device memory with guards all around it.
template <class T>
class DeviceImage {
 public:
  DeviceImage(std::int64_t width, std::int64_t height, std::int64_t channels, Layout layout)
      : width_(width),
        height_(height),
        channels_(channels),
        layout_(layout),
        row_((width * channels + layout.padding)),
        memory_(static_cast<std::size_t>(row_ * height + layout.offset + 64)) {}

  DeviceImage(Image<T>& pixels, Layout layout)
      : DeviceImage(pixels.width(), pixels.height(), pixels.channels(), layout) {
    std::vector<T> elements = memory_.read();
    for (std::int64_t y = 0; y < height_; ++y) {
      for (std::int64_t i = 0; i < width_ * channels_; ++i) {
        elements[index(y, i)] = pixels.view().row(y)[i];
      }
    }
    require_success(cudaMemcpy(memory_.data(), elements.data(), elements.size() * sizeof(T),
                               cudaMemcpyHostToDevice));
    finish_copies();
  }

  ImageView<T> view() {
    const std::int64_t bytes = row_ * static_cast<std::int64_t>(sizeof(T));
    return {memory_.data() + index(0, 0), width_, height_, channels_,
            static_cast<std::ptrdiff_t>(layout_.bottom_up ? -bytes : bytes)};
  }

  /// Empty if every pixel is the expected one, bit for bit, and nothing else was written; else the
  /// first difference. `compare(found, wanted)` says whether two elements agree.
  template <class Agree>
  std::string difference(Image<T>& wanted, Agree agree) {
    std::vector<T> elements = memory_.read();
    for (std::int64_t y = 0; y < height_; ++y) {
      for (std::int64_t i = 0; i < width_ * channels_; ++i) {
        T& found = elements[index(y, i)];
        const T expected = wanted.view().row(y)[i];
        if (!agree(found, expected)) {
          return "row " + std::to_string(y) + " element " + std::to_string(i) + ": found " +
                 std::to_string(found) + ", wanted " + std::to_string(expected);
        }
        std::memset(&found, kGuard, sizeof(T));
      }
    }
    return guards_are_whole(elements) ? "" : "written outside the picture";
  }

  std::string difference(Image<T>& wanted) {
    return difference(wanted, [](T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0; });
  }

  /// Within `tolerance` for float, one step for integers.
  std::string difference_beyond(Image<T>& wanted, double tolerance) {
    const double allowed = full_scale<T>() == 1.0F ? tolerance : 1.0;
    return difference(wanted, [=](T a, T b) {
      return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= allowed;
    });
  }

 private:
  std::size_t index(std::int64_t y, std::int64_t i) const {
    const std::int64_t line = layout_.bottom_up ? height_ - 1 - y : y;
    return static_cast<std::size_t>(layout_.offset + line * row_ + i);
  }

  static bool guards_are_whole(const std::vector<T>& elements) {
    T guard;
    std::memset(&guard, kGuard, sizeof(T));
    for (const T& element : elements) {
      if (std::memcmp(&element, &guard, sizeof(T)) != 0) {
        return false;
      }
    }
    return true;
  }

  std::int64_t width_;
  std::int64_t height_;
  std::int64_t channels_;
  Layout layout_;
  std::int64_t row_;
  DeviceArray<T> memory_;
};

struct Size {
  std::int64_t width;
  std::int64_t height;
};

/// One pixel, a row, a column, odd ones, widths around the 16 bytes of a thread and the 512 of a
/// warp, more rows than a block has warps, rows of whole runs.
constexpr Size kSizes[] = {{1, 1},   {2, 1},   {1, 2},    {3, 2},     {7, 5},    {15, 3},  {16, 4},
                           {17, 9},  {31, 3},  {33, 2},   {1, 300},   {127, 5},  {128, 4}, {129, 7},
                           {511, 3}, {512, 2}, {1023, 3}, {1300, 21}, {1040, 37}};

inline std::string text_of(Size size) {
  return std::to_string(size.width) + " x " + std::to_string(size.height);
}

/// Calls check(size, in layout, out layout) for every size with some pairs of layouts; with
/// GXR_TEST_FEW in the environment only for some sizes, for sanitizers.
template <class Check>
void for_each_shape(Check check) {
  constexpr std::size_t layouts = sizeof kLayouts / sizeof kLayouts[0];
  const bool few = std::getenv("GXR_TEST_FEW") != nullptr;
  for (const Size size : kSizes) {
    if (few && size.width != 33 && size.width != 129 && size.width != 1040) {
      continue;
    }
    for (std::size_t i = 0; i < (few ? std::size_t{1} : layouts); ++i) {
      check(size, kLayouts[i], kLayouts[i]);
      check(size, kLayouts[i], kLayouts[(i + 1) % layouts]);
    }
  }
}

}  // namespace gxr::kernels::testing
