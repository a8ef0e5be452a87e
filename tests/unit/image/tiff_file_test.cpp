#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <tiffio.h>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "image/page_file.hpp"
#include "image/picture_reader.hpp"
#include "tests/unit/image/file_size_limit.hpp"
#include "tests/unit/image/picture_samples.hpp"
#include "tests/unit/image/scratch_folder.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

template <class T>
void check_tiff(const std::string& path, std::int64_t channels, TiffCompression compression) {
  CAPTURE(channels, static_cast<int>(compression), sizeof(T));
  const std::vector<T> samples = ramp<T>(channels);
  PageFile file(path);
  file.add(view(samples, channels), {.tiff_compression = compression});
  file.commit();
  CHECK(open_picture(path)->format().channels == channels);
  CHECK(read<T>(path) == samples);
}

struct TiffVariant {
  int bits = 8;
  int samples = 3;
  int photometric = PHOTOMETRIC_RGB;
  int compression = COMPRESSION_NONE;
  int planar = PLANARCONFIG_CONTIG;
  bool tiled = false;
  int orientation = ORIENTATION_TOPLEFT;
  const char* mode = "w";
  int sample_format = SAMPLEFORMAT_UINT;
};

constexpr std::uint32_t kTiffWidth = 40;
constexpr std::uint32_t kTiffHeight = 20;
constexpr std::uint32_t kBlockSide = 16;  // of tiles, and rows of strips

/// Sample `c` of a pixel of the test picture.
int tiff_sample(const TiffVariant& variant, std::uint32_t x, std::uint32_t y, int c) {
  return static_cast<int>(x * 5 + y * 3) % 200 + 10 * c + (variant.bits == 16 ? 256 * 77 : 0);
}

void set_tags(TIFF* tiff, const TiffVariant& variant) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kTiffWidth);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kTiffHeight);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, variant.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, variant.samples);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, variant.photometric);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, variant.compression);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, variant.planar);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, variant.orientation);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, variant.sample_format);
  if (variant.tiled) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, kBlockSide);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, kBlockSide);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kBlockSide);
  }
  if (variant.photometric == PHOTOMETRIC_PALETTE) {
    std::vector<std::uint16_t> map(256);
    std::iota(map.begin(), map.end(), std::uint16_t{0});
    for (std::uint16_t& value : map) {
      value = static_cast<std::uint16_t>(value * 257);
    }
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map.data(), map.data(), map.data());
  }
}

/// Rows `y` to `y + rows` and columns `x` to `x + columns` as libtiff wants them.
std::vector<std::uint8_t> block_of(const TiffVariant& variant, std::uint32_t x, std::uint32_t y,
                                   std::uint32_t columns, std::uint32_t rows, int plane) {
  std::vector<std::uint8_t> bytes;
  const bool planes = variant.planar == PLANARCONFIG_SEPARATE;
  for (std::uint32_t row = y; row < y + rows; ++row) {
    for (std::uint32_t column = x; column < x + columns; ++column) {
      for (int c = planes ? plane : 0; c < (planes ? plane + 1 : variant.samples); ++c) {
        const int sample = tiff_sample(variant, column, row, c);
        bytes.push_back(static_cast<std::uint8_t>(sample));
        if (variant.bits == 16) {
          bytes.push_back(static_cast<std::uint8_t>(sample >> 8));  // little-endian machines
        }
      }
    }
  }
  return bytes;
}

void write_tiles(TIFF* tiff, const TiffVariant& variant, int plane) {
  for (std::uint32_t y = 0; y < kTiffHeight; y += kBlockSide) {
    for (std::uint32_t x = 0; x < kTiffWidth; x += kBlockSide) {
      auto tile = block_of(variant, x, y, kBlockSide, kBlockSide, plane);
      TIFFWriteTile(tiff, tile.data(), x, y, 0, static_cast<std::uint16_t>(plane));
    }
  }
}

void write_strips(TIFF* tiff, const TiffVariant& variant, int plane) {
  for (std::uint32_t y = 0; y < kTiffHeight; y += kBlockSide) {
    const std::uint32_t rows = std::min(kBlockSide, kTiffHeight - y);
    auto strip = block_of(variant, 0, y, kTiffWidth, rows, plane);
    TIFFWriteEncodedStrip(tiff, TIFFComputeStrip(tiff, y, static_cast<std::uint16_t>(plane)),
                          strip.data(), static_cast<tmsize_t>(strip.size()));
  }
}

/// A file that libtiff makes by itself.
std::string make_tiff(const std::string& path, const TiffVariant& variant) {
  TIFF* const tiff = TIFFOpen(path.c_str(), variant.mode);
  set_tags(tiff, variant);
  const int planes = variant.planar == PLANARCONFIG_SEPARATE ? variant.samples : 1;
  for (int plane = 0; plane < planes; ++plane) {
    variant.tiled ? write_tiles(tiff, variant, plane) : write_strips(tiff, variant, plane);
  }
  TIFFClose(tiff);
  return path;
}

template <class T>
void check_variant(const std::string& path, const TiffVariant& variant) {
  CAPTURE(variant.samples, variant.compression, variant.planar, variant.tiled);
  const auto found = read<T>(make_tiff(path, variant));
  std::vector<T> expected;
  for (std::uint32_t y = 0; y < kTiffHeight; ++y) {
    for (std::uint32_t x = 0; x < kTiffWidth; ++x) {
      for (int c = 0; c < variant.samples; ++c) {
        expected.push_back(static_cast<T>(tiff_sample(variant, x, y, c)));
      }
    }
  }
  CHECK(found == expected);
}

}  // namespace

TEST_CASE("TIFF files read back as they were written", "[image]") {
  const ScratchFolder folder;
  for (const auto compression :
       {TiffCompression::None, TiffCompression::Lzw, TiffCompression::Deflate}) {
    for (const std::int64_t channels : {1, 2, 3, 4}) {
      check_tiff<std::uint8_t>(folder / "a.tif", channels, compression);
      check_tiff<std::uint16_t>(folder / "b.tif", channels, compression);
    }
  }
}

TEST_CASE("TIFF: compression changes the size, not the picture", "[image]") {
  const ScratchFolder folder;
  const std::vector<std::uint16_t> grey(256 * 256, 1234);
  const auto size_with = [&](const FileOptions& options) {
    PageFile file(folder / "a.tif");
    file.add(kernels::packed_view(grey.data(), 256, 256, 1), options);
    file.commit();
    CHECK(read<std::uint16_t>(folder / "a.tif") == grey);
    return std::filesystem::file_size(folder / "a.tif");
  };
  const auto none = size_with({.tiff_compression = TiffCompression::None});
  CHECK(none > 2 * grey.size());
  CHECK(size_with({.tiff_compression = TiffCompression::Lzw}) < none / 10);
  CHECK(size_with({.compression = 9, .tiff_compression = TiffCompression::Deflate}) < none / 20);
  CHECK(size_with({.compression = 0, .tiff_compression = TiffCompression::Deflate}) > none);
}

TEST_CASE("TIFF: strips, tiles, planes, compressions and both byte orders are read", "[image]") {
  const ScratchFolder folder;
  for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                COMPRESSION_PACKBITS, COMPRESSION_ZSTD}) {
    for (const bool tiled : {false, true}) {
      for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
        TiffVariant variant{.compression = compression, .planar = planar, .tiled = tiled};
        check_variant<std::uint8_t>(folder / "a.tif", variant);
        variant.bits = 16;
        variant.mode = "wb";  // big endian
        check_variant<std::uint16_t>(folder / "b.tif", variant);
        variant.mode = "w8";  // BigTIFF
        check_variant<std::uint16_t>(folder / "c.tif", variant);
      }
    }
  }
}

TEST_CASE("TIFF: white may be 0", "[image]") {
  const ScratchFolder folder;
  const TiffVariant white{.bits = 16, .samples = 1, .photometric = PHOTOMETRIC_MINISWHITE};
  const auto samples = read<std::uint16_t>(make_tiff(folder / "a.tif", white));
  CHECK(samples[1] == 65535 - tiff_sample(white, 1, 0, 0));
}

TEST_CASE("TIFF: a palette becomes RGB", "[image]") {
  const ScratchFolder folder;
  const TiffVariant palette{.samples = 1, .photometric = PHOTOMETRIC_PALETTE};
  const std::string path = make_tiff(folder / "a.tif", palette);
  CHECK(open_picture(path)->format().channels == 3);
  const auto samples = read<std::uint8_t>(path);
  CHECK(samples[3] == tiff_sample(palette, 1, 0, 0));
  CHECK(samples[kTiffWidth * 3] == tiff_sample(palette, 0, 1, 0));
}

TEST_CASE("TIFF: YCbCr compressed as JPEG becomes RGB", "[image]") {
  const ScratchFolder folder;
  const TiffVariant jpeg{.photometric = PHOTOMETRIC_YCBCR, .compression = COMPRESSION_JPEG};
  // libtiff makes YCbCr of RGB.
  TIFF* const tiff = TIFFOpen((folder / "a.tif").c_str(), "w");
  set_tags(tiff, jpeg);
  TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  write_strips(tiff, jpeg, 0);
  TIFFClose(tiff);
  const auto samples = read<std::uint8_t>(folder / "a.tif");
  for (const int c : {0, 1, 2}) {
    const int found = samples[(2 * kTiffWidth + 3) * 3 + static_cast<std::size_t>(c)];
    CHECK(std::abs(found - tiff_sample(jpeg, 3, 2, c)) < 12);
  }
}

TEST_CASE("TIFF: the tag tells how the picture stands", "[image]") {
  const ScratchFolder folder;
  const TiffVariant upright{.samples = 1, .photometric = PHOTOMETRIC_MINISBLACK};
  TiffVariant turned = upright;
  turned.orientation = ORIENTATION_RIGHTTOP;  // 6
  const std::string path = make_tiff(folder / "a.tif", turned);
  CHECK(open_picture(path)->format().width == kTiffHeight);
  const auto samples = read<std::uint8_t>(path);
  CHECK(samples[0] == tiff_sample(upright, 0, kTiffHeight - 1, 0));
  CHECK(samples[kTiffHeight - 1] == tiff_sample(upright, 0, 0, 0));
  CHECK(samples.back() == tiff_sample(upright, kTiffWidth - 1, 0, 0));
}

TEST_CASE("TIFF: pages are pictures of their own", "[image]") {
  const ScratchFolder folder;
  const std::vector<std::uint8_t> colour = ramp<std::uint8_t>(3);
  const std::vector<std::uint16_t> grey = ramp<std::uint16_t>(1);
  PageFile file(folder / "a.tif");
  file.add(view(colour, 3), {});
  file.add(view(grey, 1), {});
  CHECK_FALSE(std::filesystem::exists(folder / "a.tif"));
  file.commit();

  const auto reader = open_picture(folder / "a.tif");
  std::vector<std::uint8_t> first(colour.size());
  reader->read(first.data(), kWidth * 3);
  CHECK(first == colour);
  REQUIRE(reader->has_next());
  reader->next();
  CHECK(reader->format().channels == 1);
  CHECK(reader->format().type == ElementType::UInt16);
  std::vector<std::uint16_t> second(grey.size());
  reader->read(second.data(), kWidth * 2);
  CHECK(second == grey);
  CHECK_FALSE(reader->has_next());
}

TEST_CASE("TIFF: what gxr does not read is named", "[image]") {
  const ScratchFolder folder;
  CHECK_THROWS_WITH(open_picture(make_tiff(folder / "a.tif",
                                           {.samples = 4, .photometric = PHOTOMETRIC_SEPARATED})),
                    EndsWith("is a TIFF file in CMYK; gxr reads grey and RGB: convert it first"));
  CHECK_THROWS_WITH(
      open_picture(make_tiff(folder / "b.tif", {.bits = 32,
                                                .samples = 1,
                                                .photometric = PHOTOMETRIC_MINISBLACK,
                                                .sample_format = SAMPLEFORMAT_IEEEFP})),
      ContainsSubstring("is a TIFF file of 1 samples of 32 bits"));
}

TEST_CASE("every cut of a TIFF file is an error", "[image]") {
  const ScratchFolder folder;
  for (const auto compression : {TiffCompression::None, TiffCompression::Lzw}) {
    PageFile file(folder / "whole.tif");
    const auto samples = ramp<std::uint8_t>(3);
    file.add(view(samples, 3), {.tiff_compression = compression});
    file.commit();
    const std::string whole = content_of(folder / "whole.tif");
    for (std::size_t size = 4; size < whole.size(); ++size) {
      CAPTURE(static_cast<int>(compression), size);
      const std::string cut = folder.file("cut", whole.substr(0, size));
      CHECK_THROWS_WITH(decode(cut), StartsWith(cut + ": damaged TIFF file: "));
    }
  }
}

TEST_CASE("a flipped bit anywhere in a TIFF is found or harmless, never a crash", "[image]") {
  const ScratchFolder folder;
  for (const auto& variant :
       {TiffVariant{.compression = COMPRESSION_LZW}, {.tiled = true}, {.bits = 16}}) {
    const std::string whole = content_of(make_tiff(folder / "whole.tif", variant));
    for (std::size_t i = 0; i < whole.size() * 8; i += 23) {
      std::string damaged = whole;
      damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
      const std::string path = folder.file("damaged.tif", damaged);
      try {
        decode(path);
      } catch (const Error& error) {
        CHECK(error.message().find(path) == 0);
      }
    }
  }
}

TEST_CASE("a TIFF that does not fit on the disk is an error of the system", "[image]") {
  const ScratchFolder folder;
  const std::vector<std::uint16_t> grey(256 * 256, 1);
  const FileSizeLimit limit(4096);
  {
    PageFile file(folder / "a.tif");
    CHECK_THROWS_WITH(file.add(kernels::packed_view(grey.data(), 256, 256, 1),
                               {.tiff_compression = TiffCompression::None}),
                      EndsWith("a.tif: cannot write: File too large"));
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}
