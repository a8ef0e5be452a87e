#include "image/pnm_reader.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "image/limits.hpp"

namespace gxr::image {
namespace {

constexpr const char* kTruncated = "truncated: the file ends inside the picture";

/// Of characters as std::getc gives them; the format knows ASCII only.
bool is_white_space(int c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_decimal_digit(int c) noexcept { return c >= '0' && c <= '9'; }

class PnmReader final : public PictureReader {
 public:
  explicit PnmReader(InputFile file) : file_(std::move(file)) { read_header(); }

  [[nodiscard]] const PictureFormat& format() const override { return format_; }
  void read(void* first_row, std::ptrdiff_t row_stride) override;

 private:
  void read_header();
  void check_header() const;
  int next_character() { return std::getc(file_.stream.get()); }
  int skip_space_and_comments();
  int skip_line();
  void end_number(int c, const char* what);
  std::int64_t read_number(const char* what, std::int64_t most);
  void read_plain_row(std::vector<std::uint16_t>& samples);
  void read_raw_row(std::vector<std::uint16_t>& samples);
  template <class T>
  void store_row(const std::vector<std::uint16_t>& samples, T* row) const;

  InputFile file_;
  PictureFormat format_;
  std::int64_t maximum_ = 0;  ///< the sample that stands for full intensity
  bool plain_ = false;
  std::vector<std::uint8_t> bytes_;
};

void PnmReader::read_header() {
  next_character();  // 'P', as the caller saw
  const int kind = next_character();
  plain_ = kind == '2' || kind == '3';
  format_.channels = kind == '2' || kind == '5' ? 1 : 3;
  format_.width = read_number("width", kMaxSide);
  format_.height = read_number("height", kMaxSide);
  maximum_ = read_number("greatest value", 65535);
  format_.type = maximum_ > 255 ? ElementType::UInt16 : ElementType::UInt8;
  check_header();
}

void PnmReader::check_header() const {
  if (format_.width == 0 || format_.height == 0 || maximum_ == 0) {
    file_.fail("damaged PNM header: width, height and greatest value must not be 0");
  }
  if (format_.width * format_.height > kMaxPixels) {
    file_.fail("too large: " + std::to_string(format_.width) + " x " +
                   std::to_string(format_.height) + " pixels",
               ErrorCode::NotSupported);
  }
}

/// The first character that is neither.
int PnmReader::skip_space_and_comments() {
  int c = next_character();
  while (c == '#' || (is_white_space(c))) {
    c = c == '#' ? skip_line() : next_character();
  }
  return c;
}

int PnmReader::skip_line() {
  int c = next_character();
  while (c != '\n' && c != '\r' && c != EOF) {
    c = next_character();
  }
  return c;
}

/// `c` is what stands behind a number: white space, or a comment, whose line end takes its place.
void PnmReader::end_number(int c, const char* what) {
  if (c == '#') {
    skip_line();
  } else if (c != EOF && !is_white_space(c)) {
    file_.fail(std::string("damaged PNM file: unexpected character behind a number (") + what +
               ")");
  }
}

/// A decimal number and the white space that ends it.
std::int64_t PnmReader::read_number(const char* what, std::int64_t most) {
  int c = skip_space_and_comments();
  if (c == EOF) {
    file_.fail(kTruncated);
  }
  if (!is_decimal_digit(c)) {
    file_.fail(std::string("damaged PNM file: expected a number (") + what + ")");
  }
  std::int64_t value = 0;
  for (; is_decimal_digit(c); c = next_character()) {
    value = value * 10 + (c - '0');
    if (value > most) {
      file_.fail(std::string("damaged PNM file: ") + what + " above " + std::to_string(most));
    }
  }
  end_number(c, what);
  return value;
}

void PnmReader::read_plain_row(std::vector<std::uint16_t>& samples) {
  for (std::uint16_t& sample : samples) {
    sample = static_cast<std::uint16_t>(read_number("sample", maximum_));
  }
}

void PnmReader::read_raw_row(std::vector<std::uint16_t>& samples) {
  const std::size_t width = format_.type == ElementType::UInt16 ? 2 : 1;
  bytes_.resize(samples.size() * width);
  if (std::fread(bytes_.data(), 1, bytes_.size(), file_.stream.get()) != bytes_.size()) {
    file_.fail(kTruncated);
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const int value = width == 1 ? bytes_[i] : bytes_[2 * i] * 256 + bytes_[2 * i + 1];
    if (value > maximum_) {
      file_.fail("damaged PNM file: sample above " + std::to_string(maximum_));
    }
    samples[i] = static_cast<std::uint16_t>(value);
  }
}

template <class T>
void PnmReader::store_row(const std::vector<std::uint16_t>& samples, T* row) const {
  const auto full = static_cast<std::uint32_t>(static_cast<T>(~T{0}));
  const auto maximum = static_cast<std::uint32_t>(maximum_);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    row[i] = static_cast<T>((samples[i] * full + maximum / 2) / maximum);
  }
}

void PnmReader::read(void* first_row, std::ptrdiff_t row_stride) {
  std::vector<std::uint16_t> samples(static_cast<std::size_t>(format_.width * format_.channels));
  auto* row = static_cast<std::byte*>(first_row);
  for (std::int64_t y = 0; y < format_.height; ++y, row += row_stride) {
    plain_ ? read_plain_row(samples) : read_raw_row(samples);
    if (format_.type == ElementType::UInt8) {
      store_row(samples, reinterpret_cast<std::uint8_t*>(row));
    } else {
      store_row(samples, reinterpret_cast<std::uint16_t*>(row));
    }
  }
}

}  // namespace

std::unique_ptr<PictureReader> read_pnm(InputFile file) {
  return std::make_unique<PnmReader>(std::move(file));
}

}  // namespace gxr::image
