#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <jpeglib.h>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "image/jpeg_writer.hpp"
#include "image/picture_reader.hpp"
#include "tests/unit/image/file_size_limit.hpp"
#include "tests/unit/image/picture_samples.hpp"
#include "tests/unit/image/scratch_folder.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

namespace {

constexpr std::int64_t kJpegSide = 32;

/// Brighter to the right and downwards, so that JPEG keeps it nearly as it is.
std::vector<std::uint8_t> smooth(std::int64_t channels) {
  std::vector<std::uint8_t> samples;
  for (std::int64_t y = 0; y < kJpegSide; ++y) {
    for (std::int64_t x = 0; x < kJpegSide; ++x) {
      for (std::int64_t c = 0; c < channels; ++c) {
        samples.push_back(static_cast<std::uint8_t>(40 + 2 * x + 3 * y + 10 * c));
      }
    }
  }
  return samples;
}

std::string write_smooth(const std::string& path, std::int64_t channels, int quality = 95) {
  const std::vector<std::uint8_t> samples = smooth(channels);
  OutputFile file(path);
  write_jpeg(
      file,
      kernels::packed_view<const std::uint8_t>(samples.data(), kJpegSide, kJpegSide, channels),
      quality);
  file.commit();
  return content_of(path);
}

int greatest_difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  REQUIRE(a.size() == b.size());
  int greatest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    greatest = std::max(greatest, std::abs(a[i] - b[i]));
  }
  return greatest;
}

struct Variant {
  int components = 3;
  J_COLOR_SPACE colours = JCS_RGB;
  bool progressive = false;
  std::string exif = {};
};

/// A grey 32 x 16 picture whose left half is black, as libjpeg writes it by itself.
std::string make_jpeg(const Variant& variant) {
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &memory, &size);
  jpeg.image_width = 32;
  jpeg.image_height = 16;
  jpeg.input_components = variant.components;
  jpeg.in_color_space = variant.colours;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 100, TRUE);
  if (variant.progressive) {
    jpeg_simple_progression(&jpeg);
  }
  jpeg_start_compress(&jpeg, TRUE);
  if (!variant.exif.empty()) {
    jpeg_write_marker(&jpeg, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(variant.exif.data()),
                      static_cast<unsigned>(variant.exif.size()));
  }
  const auto half = static_cast<std::size_t>(16 * variant.components);
  std::string samples(half, '\0');
  samples.append(half, '\xff');
  for (int y = 0; y < 16; ++y) {
    auto* row = reinterpret_cast<JSAMPROW>(samples.data());
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  std::string bytes(reinterpret_cast<char*>(memory), size);
  jpeg_destroy_compress(&jpeg);
  std::free(memory);
  return bytes;
}

std::string exif_with(char orientation) {
  using namespace std::string_literals;
  return "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"s + orientation + "\0\0"s;
}

}  // namespace

TEST_CASE("JPEG files read back nearly as they were written", "[image]") {
  const ScratchFolder folder;
  for (const std::int64_t channels : {1, 3}) {
    write_smooth(folder / "a.jpg", channels);
    CHECK(open_picture(folder / "a.jpg")->format().channels == channels);
    CHECK(greatest_difference(read<std::uint8_t>(folder / "a.jpg"), smooth(channels)) <= 3);
  }
}

TEST_CASE("JPEG: a better quality takes more bytes", "[image]") {
  const ScratchFolder folder;
  const std::size_t least = write_smooth(folder / "a.jpg", 3, 1).size();
  const std::size_t usual = write_smooth(folder / "b.jpg", 3, 90).size();
  const std::size_t most = write_smooth(folder / "c.jpg", 3, 100).size();
  CHECK(least < usual);
  CHECK(usual < most);
}

TEST_CASE("JPEG: progressive files and files in RGB are read", "[image]") {
  const ScratchFolder folder;
  const std::string plain = folder.file("a.jpg", make_jpeg({}));
  const std::string progressive = folder.file("b.jpg", make_jpeg({.progressive = true}));
  CHECK(read<std::uint8_t>(plain) == read<std::uint8_t>(progressive));
}

TEST_CASE("JPEG: EXIF tells how the picture stands", "[image]") {
  const ScratchFolder folder;
  // The corners of the upright picture: top left and bottom right.
  const auto corners = [&](char orientation) {
    const std::string path = folder.file(
        "a.jpg",
        make_jpeg({.components = 1, .colours = JCS_GRAYSCALE, .exif = exif_with(orientation)}));
    const PictureFormat format = open_picture(path)->format();
    const auto samples = read<std::uint8_t>(path);
    return std::vector<int>{static_cast<int>(format.width), static_cast<int>(format.height),
                            samples.front() / 128, samples.back() / 128};
  };
  CHECK(corners(1) == std::vector<int>{32, 16, 0, 1});
  CHECK(corners(2) == std::vector<int>{32, 16, 1, 0});
  CHECK(corners(3) == std::vector<int>{32, 16, 1, 0});
  CHECK(corners(4) == std::vector<int>{32, 16, 0, 1});
  CHECK(corners(5) == std::vector<int>{16, 32, 0, 1});
  CHECK(corners(6) == std::vector<int>{16, 32, 0, 1});
  CHECK(corners(7) == std::vector<int>{16, 32, 1, 0});
  CHECK(corners(8) == std::vector<int>{16, 32, 1, 0});
}

TEST_CASE("JPEG: what gxr does not read is named", "[image]") {
  const ScratchFolder folder;
  CHECK_THROWS_WITH(
      open_picture(folder.file("a.jpg", make_jpeg({.components = 4, .colours = JCS_CMYK}))),
      EndsWith("a.jpg: is a JPEG file in CMYK; gxr reads grey and RGB: convert it first"));
  CHECK_THROWS_WITH(
      open_picture(folder.file("b.jpg", make_jpeg({.components = 2, .colours = JCS_UNKNOWN}))),
      ContainsSubstring("is a JPEG file of 2 components"));
  std::string deep = make_jpeg({});
  deep[deep.find("\xff\xc0") + 4] = 12;  // bits per sample
  CHECK_THROWS_WITH(open_picture(folder.file("c.jpg", deep)),
                    EndsWith("is a JPEG file that gxr does not read: Unsupported JPEG data "
                             "precision 12: convert it first"));
}

TEST_CASE("every cut of a JPEG file is an error that says so", "[image]") {
  const ScratchFolder folder;
  for (const bool progressive : {false, true}) {
    const std::string whole = make_jpeg({.progressive = progressive});
    for (std::size_t size = 3; size < whole.size(); ++size) {
      CAPTURE(progressive, size);
      const std::string cut = folder.file("cut", whole.substr(0, size));
      CHECK_THROWS_WITH(decode(cut), ContainsSubstring(cut + ": damaged JPEG file: "));
    }
  }
}

TEST_CASE("JPEG: damaged data is an error in libjpeg's words", "[image]") {
  const ScratchFolder folder;
  std::string damaged = write_smooth(folder / "whole.jpg", 3);
  const std::size_t data = damaged.find("\xff\xda") + 14;
  damaged.replace(data, 40, 40, '\x7f');
  CHECK_THROWS_WITH(decode(folder.file("a.jpg", damaged)),
                    ContainsSubstring("a.jpg: damaged JPEG file: Corrupt JPEG data: "));
}

TEST_CASE("a flipped bit anywhere in a JPEG is found or harmless, never a crash", "[image]") {
  const ScratchFolder folder;
  const std::string whole = make_jpeg({.exif = exif_with(6)});
  int found = 0;
  for (std::size_t i = 0; i < whole.size() * 8; i += 5) {
    std::string damaged = whole;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
    const std::string path = folder.file("damaged.jpg", damaged);
    try {
      decode(path);
    } catch (const Error& error) {
      ++found;
      CHECK(error.message().find(path) == 0);
    }
  }
  CHECK(found > 100);
}

TEST_CASE("a JPEG that does not fit on the disk is an error of the system", "[image]") {
  const ScratchFolder folder;
  const FileSizeLimit limit(100);
  CHECK_THROWS_WITH(write_smooth(folder / "a.jpg", 3),
                    EndsWith("a.jpg: cannot write: File too large"));
  CHECK(std::filesystem::is_empty(folder.path()));
}
