#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gxr/kernels/image_view.hpp"
#include "image/output_file.hpp"
#include "image/picture_reader.hpp"
#include "image/picture_writer.hpp"

namespace gxr::image {

inline constexpr std::int64_t kWidth = 5;
inline constexpr std::int64_t kHeight = 3;

template <class T>
std::vector<T> ramp(std::int64_t channels) {
  std::vector<T> samples(static_cast<std::size_t>(kWidth * kHeight * channels));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<T>(i * 1021 + 7);
  }
  return samples;
}

template <class T>
kernels::ImageView<const T> view(const std::vector<T>& samples, std::int64_t channels) {
  return kernels::packed_view(samples.data(), kWidth, kHeight, channels);
}

/// Writes a complete file or none.
template <class T>
void write_picture(const std::string& path, FileFormat format, kernels::ImageView<const T> picture,
                   int compression) {
  OutputFile file(path);
  write_picture(file, format, picture, FileOptions{.compression = compression});
  file.commit();
}

template <class T>
std::vector<T> read(const std::string& path) {
  const auto reader = open_picture(path);
  const PictureFormat& format = reader->format();
  REQUIRE(format.type == ElementTypeOf<T>::value);
  const auto row = static_cast<std::size_t>(format.width * format.channels);
  std::vector<T> samples(row * static_cast<std::size_t>(format.height));
  reader->read(samples.data(), static_cast<std::ptrdiff_t>(row * sizeof(T)));
  return samples;
}

/// Decodes a file whose samples nobody looks at.
inline void decode(const std::string& path) {
  const auto reader = open_picture(path);
  const PictureFormat& format = reader->format();
  const auto row = static_cast<std::size_t>(format.width * format.channels) * 2;
  std::vector<std::uint16_t> memory(row * static_cast<std::size_t>(format.height));
  reader->read(memory.data(), static_cast<std::ptrdiff_t>(row));
}

}  // namespace gxr::image
