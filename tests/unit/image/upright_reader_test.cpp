#include "image/upright_reader.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "image/exif.hpp"

using namespace gxr;
using namespace gxr::image;

namespace {

/// Two rows of three pixels: "abc" and "def", each channel the letter and what follows it.
class Letters final : public PictureReader {
 public:
  Letters(int orientation, std::int64_t channels, ElementType type)
      : orientation_(orientation), format_{3, 2, channels, type} {}

  [[nodiscard]] const PictureFormat& format() const override { return format_; }
  [[nodiscard]] int orientation() const override { return orientation_; }
  void read(void* first_row, std::ptrdiff_t row_stride) override {
    const std::size_t pixel = static_cast<std::size_t>(format_.channels) * size_of(format_.type);
    for (std::ptrdiff_t i = 0; i < 6; ++i) {
      auto* const to = static_cast<char*>(first_row) + i / 3 * row_stride +
                       i % 3 * static_cast<std::ptrdiff_t>(pixel);
      std::memset(to, static_cast<int>('a' + i), pixel);
    }
  }

 private:
  int orientation_;
  PictureFormat format_;
};

/// The rows of the upright picture, a letter for each pixel, with '/' between them.
std::string upright(int orientation, std::int64_t channels = 1,
                    ElementType type = ElementType::UInt8) {
  UprightReader reader(std::make_unique<Letters>(orientation, channels, type));
  const PictureFormat& format = reader.format();
  const std::size_t pixel = static_cast<std::size_t>(channels) * size_of(type);
  const std::size_t row = static_cast<std::size_t>(format.width) * pixel + 2;
  std::vector<char> memory(row * static_cast<std::size_t>(format.height), '.');
  reader.read(memory.data(), static_cast<std::ptrdiff_t>(row));
  std::string text;
  for (std::size_t y = 0; y < static_cast<std::size_t>(format.height); ++y) {
    for (std::size_t x = 0; x < static_cast<std::size_t>(format.width); ++x) {
      const char* const letters = &memory[y * row + x * pixel];
      CHECK(std::string(letters, pixel) == std::string(pixel, letters[0]));
      text += letters[0];
    }
    CHECK(memory[(y + 1) * row - 1] == '.');
    text += '/';
  }
  return text;
}

std::vector<std::uint8_t> bytes(const std::string& text) { return {text.begin(), text.end()}; }

/// An EXIF segment with one other entry, then the orientation.
std::vector<std::uint8_t> little_endian_exif(char orientation) {
  using namespace std::string_literals;
  return bytes("Exif\0\0II*\0\x08\0\0\0\x02\0"s + "\x0f\x01\x02\0\x04\0\0\0abc\0"s +
               "\x12\x01\x03\0\x01\0\0\0"s + orientation + "\0\0\0\0\0\0\0"s);
}

}  // namespace

TEST_CASE("each orientation puts the stored pixels where EXIF says", "[image]") {
  CHECK(upright(1) == "abc/def/");
  CHECK(upright(2) == "cba/fed/");
  CHECK(upright(3) == "fed/cba/");
  CHECK(upright(4) == "def/abc/");
  CHECK(upright(5) == "ad/be/cf/");
  CHECK(upright(6) == "da/eb/fc/");
  CHECK(upright(7) == "fc/eb/da/");
  CHECK(upright(8) == "cf/be/ad/");
}

TEST_CASE("pixels of all sizes are turned as a whole", "[image]") {
  for (const std::int64_t channels : {1, 2, 3, 4}) {
    CHECK(upright(6, channels) == "da/eb/fc/");
    CHECK(upright(6, channels, ElementType::UInt16) == "da/eb/fc/");
  }
}

TEST_CASE("the orientation is found in EXIF of both byte orders", "[image]") {
  using namespace std::string_literals;
  CHECK(exif_orientation(little_endian_exif(6)) == 6);
  CHECK(exif_orientation(bytes("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08"s)) ==
        8);
}

TEST_CASE("EXIF that is damaged or tells nothing means upright", "[image]") {
  using namespace std::string_literals;
  CHECK(exif_orientation({}) == 1);
  CHECK(exif_orientation(bytes("http://ns.adobe.com/xap/1.0/"s)) == 1);
  CHECK(exif_orientation(little_endian_exif(0)) == 1);
  CHECK(exif_orientation(little_endian_exif(9)) == 1);
  CHECK(exif_orientation(bytes("Exif\0\0II*\0\xff\xff\xff\xff\xff\xff"s)) == 1);
  const std::vector<std::uint8_t> whole = little_endian_exif(6);
  for (std::size_t size = 0; size + 8 < whole.size(); ++size) {
    CHECK(exif_orientation({whole.data(), size}) == 1);
  }
}
