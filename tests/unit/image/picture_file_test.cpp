#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <png.h>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "gxr/kernels/image_view.hpp"
#include "image/picture_reader.hpp"
#include "image/picture_writer.hpp"
#include "tests/unit/image/file_size_limit.hpp"
#include "tests/unit/image/picture_samples.hpp"
#include "tests/unit/image/scratch_folder.hpp"

using namespace gxr;
using namespace gxr::image;
using namespace std::string_view_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

namespace {

template <class T>
void check_round_trip(const std::string& path, FileFormat format, std::int64_t channels) {
  CAPTURE(path, channels);
  const std::vector<T> samples = ramp<T>(channels);
  write_picture(path, format, view(samples, channels), 6);
  CHECK(read<T>(path) == samples);
  CHECK_FALSE(std::filesystem::exists(path + ".part"));
}

struct PngOptions {
  int color_type = PNG_COLOR_TYPE_RGB;
  int bit_depth = 8;
  int interlace = PNG_INTERLACE_NONE;
};

void append(png_structp png, png_bytep data, std::size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<char*>(data), size);
}

/// A 4 x 2 PNG of packed `rows`, made by libpng directly; `palette` and its transparency are used
/// for palette files.
std::string make_png(const PngOptions& options, std::vector<std::string> rows,
                     std::vector<png_color> palette = {}, std::vector<png_byte> transparency = {}) {
  std::string bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &bytes, append, [](png_structp) {});
  png_set_IHDR(png, info, 4, 2, options.bit_depth, options.color_type, options.interlace,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!palette.empty()) {
    png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  }
  if (!transparency.empty()) {
    png_set_tRNS(png, info, transparency.data(), static_cast<int>(transparency.size()), nullptr);
  }
  png_write_info(png, info);
  std::vector<png_bytep> pointers;
  for (std::string& row : rows) {
    pointers.push_back(reinterpret_cast<png_bytep>(row.data()));
  }
  png_write_image(png, pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

}  // namespace

TEST_CASE("PNG files read back as they were written", "[image]") {
  const ScratchFolder folder;
  for (const std::int64_t channels : {1, 2, 3, 4}) {
    check_round_trip<std::uint8_t>(folder / "a.png", FileFormat::Png, channels);
    check_round_trip<std::uint16_t>(folder / "b.png", FileFormat::Png, channels);
  }
}

TEST_CASE("PPM and PGM files read back as they were written", "[image]") {
  const ScratchFolder folder;
  check_round_trip<std::uint8_t>(folder / "a.pgm", FileFormat::Pgm, 1);
  check_round_trip<std::uint16_t>(folder / "b.pgm", FileFormat::Pgm, 1);
  check_round_trip<std::uint8_t>(folder / "a.ppm", FileFormat::Ppm, 3);
  check_round_trip<std::uint16_t>(folder / "b.pnm", FileFormat::Pnm, 3);
}

TEST_CASE("rows may have gaps between them", "[image]") {
  const ScratchFolder folder;
  const std::vector<std::uint8_t> wide = ramp<std::uint8_t>(3);
  const kernels::ImageView<const std::uint8_t> left{wide.data(), 2, kHeight, 3, kWidth * 3};
  write_picture(folder / "left.png", FileFormat::Png, left, 6);
  const std::vector<std::uint8_t> samples = read<std::uint8_t>(folder / "left.png");
  CHECK(samples[0] == wide[0]);
  CHECK(samples[6] == wide[15]);
  CHECK(samples[17] == wide[35]);

  std::vector<std::uint8_t> spread(3 * 10, 99);
  open_picture(folder / "left.png")->read(spread.data(), 10);
  CHECK(spread[5] == samples[5]);
  CHECK(spread[6] == 99);
  CHECK(spread[10] == samples[6]);
}

TEST_CASE("PNG: palette, transparency, few bits and interlacing are expanded", "[image]") {
  const ScratchFolder folder;
  const std::vector<png_color> colours{{1, 2, 3}, {40, 50, 60}, {255, 0, 9}};
  const std::vector<std::string> indices{std::string("\0\1\2\1"sv), std::string("\2\2\0\0"sv)};
  const PngOptions palette{PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_NONE};

  const auto opaque = read<std::uint8_t>(folder.file("p.png", make_png(palette, indices, colours)));
  CHECK(opaque == std::vector<std::uint8_t>{1,   2, 3, 40,  50, 60, 255, 0, 9, 40, 50, 60,
                                            255, 0, 9, 255, 0,  9,  1,   2, 3, 1,  2,  3});

  const auto clear =
      read<std::uint8_t>(folder.file("t.png", make_png(palette, indices, colours, {0, 128})));
  CHECK(std::vector<std::uint8_t>(clear.begin(), clear.begin() + 12) ==
        std::vector<std::uint8_t>{1, 2, 3, 0, 40, 50, 60, 128, 255, 0, 9, 255});

  const PngOptions bits{PNG_COLOR_TYPE_GRAY, 1, PNG_INTERLACE_NONE};
  const auto bilevel = read<std::uint8_t>(folder.file("b.png", make_png(bits, {"\xa0", "\x30"})));
  CHECK(bilevel == std::vector<std::uint8_t>{255, 0, 255, 0, 0, 0, 255, 255});

  const PngOptions interlaced{PNG_COLOR_TYPE_GRAY, 8, PNG_INTERLACE_ADAM7};
  const auto grey =
      read<std::uint8_t>(folder.file("i.png", make_png(interlaced, {"abcd", "efgh"})));
  CHECK(std::string(grey.begin(), grey.end()) == "abcdefgh");
}

TEST_CASE("PNM: plain files, comments and other greatest values", "[image]") {
  const ScratchFolder folder;
  CHECK(
      read<std::uint8_t>(folder.file("a.pgm", "P2 # grey\n# size follows\n3 1\n255\n0 7\n255\n")) ==
      std::vector<std::uint8_t>{0, 7, 255});
  CHECK(read<std::uint8_t>(folder.file("b.ppm", "P3\n1 1 1\n1 0 1\n")) ==
        std::vector<std::uint8_t>{255, 0, 255});
  CHECK(read<std::uint8_t>(folder.file("c.pgm", "P5#c\n2 1#w\r15\n\x0f\x07"sv)) ==
        std::vector<std::uint8_t>{255, 119});
  CHECK(read<std::uint16_t>(folder.file("d.pgm", "P5 2 1 1023\n\x03\xff\x00\x01"sv)) ==
        std::vector<std::uint16_t>{65535, 64});
  CHECK(read<std::uint16_t>(folder.file("e.pgm", "P5 1 1 65535 \x12\x34"sv)) ==
        std::vector<std::uint16_t>{0x1234});
}

TEST_CASE("every cut of a picture file is an error that says so", "[image]") {
  const ScratchFolder folder;
  const auto samples = ramp<std::uint8_t>(3);
  write_picture(folder / "whole.png", FileFormat::Png, view(samples, 3), 0);
  write_picture(folder / "whole.ppm", FileFormat::Ppm, view(samples, 3), 0);
  for (const char* name : {"whole.png", "whole.ppm"}) {
    const std::string whole = content_of(folder / name);
    for (std::size_t size = 3; size < whole.size(); ++size) {
      CAPTURE(name, size);
      const std::string cut = folder.file("cut", whole.substr(0, size));
      CHECK_THROWS_WITH(decode(cut),
                        ContainsSubstring(cut + ": ") && ContainsSubstring("truncated"));
    }
  }
}

TEST_CASE("a flipped bit anywhere in a PNG is found or harmless, never a crash", "[image]") {
  const ScratchFolder folder;
  const auto samples = ramp<std::uint8_t>(3);
  write_picture(folder / "whole.png", FileFormat::Png, view(samples, 3), 6);
  const std::string whole = content_of(folder / "whole.png");
  int found = 0;
  for (std::size_t i = 0; i < whole.size() * 8; ++i) {
    std::string damaged = whole;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
    const std::string path = folder.file("damaged.png", damaged);
    try {
      decode(path);
    } catch (const Error& error) {
      ++found;
      CHECK(error.message().find(path) == 0);
    }
  }
  CHECK(found > static_cast<int>(whole.size() * 7));
}

TEST_CASE("files that are no pictures say what is wrong", "[image]") {
  const ScratchFolder folder;
  CHECK_THROWS_WITH(open_picture(folder / "none.png"),
                    EndsWith("none.png: No such file or directory"));
  CHECK_THROWS_WITH(open_picture(folder.path()), EndsWith(": is a folder"));
  CHECK_THROWS_WITH(open_picture(folder.file("a", "")), EndsWith("the file is empty"));
  CHECK_THROWS_WITH(open_picture(folder.file("a", "hello world")),
                    EndsWith("not a picture that gxr reads (PNG, JPEG, TIFF, PPM, PGM)"));
  CHECK_THROWS_WITH(open_picture(folder.file("a", "GIF89a....")),
                    ContainsSubstring("is a GIF file; gxr reads PNG, JPEG, TIFF, PPM and PGM"));
  CHECK_THROWS_WITH(open_picture(folder.file("a", "P4 1 1\n0")), ContainsSubstring("is a PBM"));
}

TEST_CASE("PNM headers and samples are checked", "[image]") {
  const ScratchFolder folder;
  const auto reason = [&](std::string_view content) {
    const std::string path = folder.file("a.pgm", content);
    try {
      decode(path);
    } catch (const Error& error) {
      return error.message().substr(path.size() + 2);
    }
    return std::string("none");
  };
  CHECK(reason("P5 0 1 255\n") ==
        "damaged PNM header: width, height and greatest value must not be 0");
  CHECK(reason("P5 1 1 0\n") ==
        "damaged PNM header: width, height and greatest value must not be 0");
  CHECK(reason("P5 x 1 255\n") == "damaged PNM file: expected a number (width)");
  CHECK(reason("P5 99999999999999999999999 1 255\n") == "damaged PNM file: width above 65535");
  CHECK(reason("P5 1 1 65536\n") == "damaged PNM file: greatest value above 65535");
  CHECK(reason("P5 65535 65535 255\n") == "too large: 65535 x 65535 pixels");
  CHECK(reason("P5 1 1 100\n\x65") == "damaged PNM file: sample above 100");
  CHECK(reason("P2 2 1 100\n1 101") == "damaged PNM file: sample above 100");
  CHECK(reason("P2 2 1 100x1 1") ==
        "damaged PNM file: unexpected character behind a number (greatest value)");
  CHECK(reason("P2 2 1 100\n1 -1") == "damaged PNM file: expected a number (sample)");
}

TEST_CASE("the suffix decides what is written", "[image]") {
  CHECK(format_of_path("a/b.PNG") == FileFormat::Png);
  CHECK(format_of_path("b.ppm") == FileFormat::Ppm);
  CHECK(format_of_path("b.JPEG") == FileFormat::Jpeg);
  CHECK(format_of_path("b.tiff") == FileFormat::Tiff);
  CHECK_THROWS_WITH(format_of_path("b.gif"),
                    "b.gif: pictures are written as .png, .jpg, .tif, .ppm, .pgm or .pnm");
  CHECK_THROWS_WITH(format_of_path("png"), ContainsSubstring("pictures are written as"));
  CHECK(holds_channels(FileFormat::Png, 4));
  CHECK_FALSE(holds_channels(FileFormat::Ppm, 4));
  CHECK_FALSE(holds_channels(FileFormat::Pgm, 3));
}

TEST_CASE("a write that fails leaves no file and keeps the old one", "[image]") {
  const ScratchFolder folder;
  const std::vector<std::uint16_t> noise(64 * 1024, 0x1234);
  const auto picture = kernels::packed_view(noise.data(), 256, 256, 1);
  for (const auto& [name, format] :
       {std::pair("a.png", FileFormat::Png), {"a.pgm", FileFormat::Pgm}}) {
    const std::string path = folder.file(name, "old");
    {
      const FileSizeLimit limit(4096);
      CHECK_THROWS_WITH(write_picture(path, format, picture, 0),
                        path + ": cannot write: File too large");
    }
    CHECK(content_of(path) == "old");
    CHECK_FALSE(std::filesystem::exists(path + ".part"));
  }
  CHECK_THROWS_WITH(write_picture(folder / "no/a.png", FileFormat::Png, picture, 0),
                    EndsWith("no/a.png: cannot write: No such file or directory"));
}
