#include "gxr/kernels/yuv.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "contract.hpp"
#include "vector_dispatch.hpp"
#include "yuv_factors.hpp"

namespace gxr::kernels {
namespace {

using Byte = std::uint8_t;

constexpr std::int32_t kHalf = 1 << (kYuvBits - 1);

std::int32_t limited(std::int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

template <class T>
T* moved(T* pointer, std::ptrdiff_t rows, std::ptrdiff_t stride) {
  return pointer + rows * stride;
}

// --- rows of a layout to and from plain rows -------------------------------------------------

/// Every `Step`th sample.
template <int Step>
void pick(const Byte* __restrict from, Byte* __restrict to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = from[Step * i];
  }
}

void split_pairs(const Byte* __restrict uv, Byte* __restrict u, Byte* __restrict v,
                 std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    u[i] = uv[2 * i];
    v[i] = uv[2 * i + 1];
  }
}

void join_pairs(const Byte* __restrict u, const Byte* __restrict v, Byte* __restrict uv,
                std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    uv[2 * i] = u[i];
    uv[2 * i + 1] = v[i];
  }
}

void join_packed(const Byte* __restrict y, const Byte* __restrict u, const Byte* __restrict v,
                 Byte* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[4 * i] = y[2 * i];
    out[4 * i + 1] = u[i];
    out[4 * i + 2] = y[2 * i + 1];
    out[4 * i + 3] = v[i];
  }
}

void mean_rows(const Byte* __restrict a, const Byte* __restrict b, Byte* __restrict out,
               std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = static_cast<Byte>((a[i] + b[i] + 1) >> 1);
  }
}

/// For both columns.
void widen(const Byte* __restrict from, Byte* __restrict to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[2 * i] = from[i];
    to[2 * i + 1] = from[i];
  }
}

std::int64_t halved(std::int64_t count) { return (count + 1) / 2; }

/// Plain rows of a picture, read from any layout.
class YuvReader {
 public:
  explicit YuvReader(const YuvView<const Byte>& view) : view_(view) {
    for (std::vector<Byte>* row : {&y_, &u_, &v_}) {
      row->resize(static_cast<std::size_t>(view.width) + 1);
    }
  }
  /// Valid until the next call.
  const Byte* luma(std::int64_t row) {
    const Byte* const from = moved(view_.y, row, view_.y_stride);
    if (view_.layout != YuvLayout::kPacked) {
      return from;
    }
    run_vectorized<&pick<2>>(from, y_.data(), view_.width);
    return y_.data();
  }
  struct Chroma {
    const Byte* u;
    const Byte* v;
  };
  /// For a row of differences.
  Chroma chroma(std::int64_t row) {
    const Byte* const u = moved(view_.u, row, view_.chroma_stride);
    const Byte* const v = moved(view_.v, row, view_.chroma_stride);
    const std::int64_t count = halved(view_.width);
    switch (view_.layout) {
      case YuvLayout::kPlanes:
        return {u, v};
      case YuvLayout::kPairs:
        run_vectorized<&split_pairs>(u, u_.data(), v_.data(), count);
        break;
      case YuvLayout::kPacked:
        run_vectorized<&pick<4>>(u, u_.data(), count);
        run_vectorized<&pick<4>>(v, v_.data(), count);
        break;
    }
    return {u_.data(), v_.data()};
  }

 private:
  YuvView<const Byte> view_;
  std::vector<Byte> y_, u_, v_;
};

void write_luma(const YuvView<Byte>& view, std::int64_t row, const Byte* y) {
  std::memcpy(moved(view.y, row, view.y_stride), y, static_cast<std::size_t>(view.width));
}

void write_chroma(const YuvView<Byte>& view, std::int64_t row, const Byte* u, const Byte* v) {
  const std::int64_t count = halved(view.width);
  Byte* const to = moved(view.u, row, view.chroma_stride);
  if (view.layout == YuvLayout::kPairs) {
    run_vectorized<&join_pairs>(u, v, to, count);
    return;
  }
  std::memcpy(to, u, static_cast<std::size_t>(count));
  std::memcpy(moved(view.v, row, view.chroma_stride), v, static_cast<std::size_t>(count));
}

void write_packed(const YuvView<Byte>& view, std::int64_t row, const Byte* y, const Byte* u,
                  const Byte* v) {
  run_vectorized<&join_packed>(y, u, v, moved(view.y, row, view.y_stride), view.width / 2);
}

// --- colours -----------------------------------------------------------------------------------

template <int Channels, bool Reversed>
void decode_row(const Byte* __restrict y, const Byte* __restrict u, const Byte* __restrict v,
                Byte* __restrict out, std::int64_t width, DecodeFactors f) {
  for (std::int64_t x = 0; x < width; ++x) {
    const std::int32_t luma = (y[x] - f.black) * f.luma + kHalf;
    const std::int32_t du = u[x] - 128;
    const std::int32_t dv = v[x] - 128;
    const auto red = static_cast<Byte>(limited((luma + f.red_v * dv) >> kYuvBits));
    const auto green =
        static_cast<Byte>(limited((luma + f.green_u * du + f.green_v * dv) >> kYuvBits));
    const auto blue = static_cast<Byte>(limited((luma + f.blue_u * du) >> kYuvBits));
    const Byte first = Reversed ? blue : red;
    const Byte third = Reversed ? red : blue;
    if constexpr (Channels == 4) {
      // One word, which compilers store as a vector.
      static_assert(std::endian::native == std::endian::little);
      const std::uint32_t pixel = first | std::uint32_t{green} << 8U | std::uint32_t{third} << 16U |
                                  std::uint32_t{255} << 24U;
      std::memcpy(out + 4 * x, &pixel, sizeof(pixel));
    } else {
      out[3 * x] = first;
      out[3 * x + 1] = green;
      out[3 * x + 2] = third;
    }
  }
}

void decode_grey_row(const Byte* __restrict y, Byte* __restrict out, std::int64_t width,
                     DecodeFactors f) {
  for (std::int64_t x = 0; x < width; ++x) {
    out[x] = static_cast<Byte>(limited(((y[x] - f.black) * f.luma + kHalf) >> kYuvBits));
  }
}

/// Plain rows of red, green and blue.
struct Colors {
  Byte* red;
  Byte* green;
  Byte* blue;
};

template <int Channels, bool Reversed>
void split_colors(const Byte* __restrict in, Byte* __restrict red, Byte* __restrict green,
                  Byte* __restrict blue, std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x) {
    red[x] = in[Channels * x + (Reversed ? 2 : 0)];
    green[x] = in[Channels * x + 1];
    blue[x] = in[Channels * x + (Reversed ? 0 : 2)];
  }
}

void encode_luma(const Byte* __restrict red, const Byte* __restrict green,
                 const Byte* __restrict blue, Byte* __restrict out, std::int64_t width,
                 EncodeFactors f) {
  for (std::int64_t x = 0; x < width; ++x) {
    const std::int32_t sum = f.y_red * red[x] + f.y_green * green[x] + f.y_blue * blue[x];
    out[x] = static_cast<Byte>((sum + (f.black << kYuvBits) + kHalf) >> kYuvBits);
  }
}

/// Sums of two columns and two rows.
void sum_squares(const Byte* __restrict above, const Byte* __restrict below,
                 std::int32_t* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = above[2 * i] + above[2 * i + 1] + below[2 * i] + below[2 * i + 1];
  }
}

void encode_difference(const std::int32_t* __restrict red, const std::int32_t* __restrict green,
                       const std::int32_t* __restrict blue, Byte* __restrict out,
                       std::int64_t count, std::int32_t of_red, std::int32_t of_green,
                       std::int32_t of_blue) {
  constexpr int kShift = kYuvBits + 2;  // sums of four
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t sum = of_red * red[i] + of_green * green[i] + of_blue * blue[i];
    out[i] = static_cast<Byte>(limited((sum + (128 << kShift) + (1 << (kShift - 1))) >> kShift));
  }
}

template <class T>
void require_yuv(const YuvView<T>& view) {
  require(view.y != nullptr && view.u != nullptr && view.v != nullptr, "yuv: null planes");
  require(view.width >= 1 && view.height >= 1, "yuv: width and height must be at least 1");
  require(view.layout != YuvLayout::kPacked || (view.width % 2 == 0 && !view.halved_rows),
          "yuv: packed pictures have an even width, and differences for each row");
}

template <class A, class B>
void require_sizes(const A& a, const B& b) {
  require(a.width == b.width && a.height == b.height, "images differ in size");
}

void require_colors(const ImageView<const Byte>& image) {
  require_image(image, "colors");
  require(image.channels != 2, "colors have 1, 3 or 4 channels");
}

template <bool Reversed>
void decode(YuvView<const Byte> in, ImageView<Byte> out, const DecodeFactors& factors) {
  YuvReader reader(in);
  std::vector<Byte> u(static_cast<std::size_t>(in.width) + 1);
  std::vector<Byte> v(u.size());
  for (std::int64_t row = 0; row < in.height; ++row) {
    if (!in.halved_rows || row % 2 == 0) {
      const YuvReader::Chroma chroma = reader.chroma(in.halved_rows ? row / 2 : row);
      run_vectorized<&widen>(chroma.u, u.data(), halved(in.width));
      run_vectorized<&widen>(chroma.v, v.data(), halved(in.width));
    }
    const Byte* const y = reader.luma(row);
    if (out.channels == 3) {
      run_vectorized<&decode_row<3, Reversed>>(y, u.data(), v.data(), out.row(row), in.width,
                                               factors);
    } else {
      run_vectorized<&decode_row<4, Reversed>>(y, u.data(), v.data(), out.row(row), in.width,
                                               factors);
    }
  }
}

/// Two rows of colours at a time, in planes whose width is even.
class ColorRows {
 public:
  ColorRows(const ImageView<const Byte>& image, ColorOrder order)
      : image_(image), reversed_(order == ColorOrder::kBgr) {
    const auto width = static_cast<std::size_t>(image.width) + 1;
    for (std::vector<Byte>& plane : planes_) {
      plane.resize(width);
    }
  }
  Colors read(std::int64_t row, std::size_t slot) {
    const Colors to{planes_[3 * slot].data(), planes_[3 * slot + 1].data(),
                    planes_[3 * slot + 2].data()};
    if (image_.channels == 3) {
      reversed_ ? split<3, true>(row, to) : split<3, false>(row, to);
    } else {
      reversed_ ? split<4, true>(row, to) : split<4, false>(row, to);
    }
    for (Byte* const plane : {to.red, to.green, to.blue}) {
      plane[image_.width] = plane[image_.width - 1];
    }
    return to;
  }

 private:
  template <int Channels, bool Reversed>
  void split(std::int64_t row, const Colors& to) {
    run_vectorized<&split_colors<Channels, Reversed>>(image_.row(row), to.red, to.green, to.blue,
                                                      image_.width);
  }

  ImageView<const Byte> image_;
  bool reversed_;
  std::vector<Byte> planes_[6];
};

/// Writes the differences of rows of colours.
class DifferenceWriter {
 public:
  DifferenceWriter(std::int64_t width, const EncodeFactors& factors)
      : factors_(factors), count_(halved(width)) {
    for (std::vector<std::int32_t>& sums : sums_) {
      sums.resize(static_cast<std::size_t>(count_));
    }
    u.resize(static_cast<std::size_t>(count_));
    v.resize(static_cast<std::size_t>(count_));
  }
  void encode(const Colors& above, const Colors& below) {
    run_vectorized<&sum_squares>(above.red, below.red, sums_[0].data(), count_);
    run_vectorized<&sum_squares>(above.green, below.green, sums_[1].data(), count_);
    run_vectorized<&sum_squares>(above.blue, below.blue, sums_[2].data(), count_);
    encode(u, factors_.u_red, factors_.u_green, factors_.u_blue);
    encode(v, factors_.v_red, factors_.v_green, factors_.v_blue);
  }

  std::vector<Byte> u, v;

 private:
  void encode(std::vector<Byte>& out, std::int32_t red, std::int32_t green, std::int32_t blue) {
    run_vectorized<&encode_difference>(sums_[0].data(), sums_[1].data(), sums_[2].data(),
                                       out.data(), count_, red, green, blue);
  }

  EncodeFactors factors_;
  std::int64_t count_;
  std::vector<std::int32_t> sums_[3];
};

void encode_grey(ImageView<const Byte> in, const YuvView<Byte>& out, const EncodeFactors& f) {
  std::vector<Byte> y(static_cast<std::size_t>(in.width));
  const std::vector<Byte> none(static_cast<std::size_t>(halved(in.width)), 128);
  for (std::int64_t row = 0; row < in.height; ++row) {
    const Byte* const grey = in.row(row);
    run_vectorized<&encode_luma>(grey, grey, grey, y.data(), in.width, f);
    if (out.layout == YuvLayout::kPacked) {
      write_packed(out, row, y.data(), none.data(), none.data());
      continue;
    }
    write_luma(out, row, y.data());
    if (!out.halved_rows || row % 2 == 0) {
      write_chroma(out, out.halved_rows ? row / 2 : row, none.data(), none.data());
    }
  }
}

void encode_colors(ImageView<const Byte> in, const YuvView<Byte>& out, const EncodeFactors& f,
                   ColorOrder order) {
  ColorRows rows(in, order);
  DifferenceWriter differences(in.width, f);
  std::vector<Byte> y(static_cast<std::size_t>(in.width));
  Colors above{};
  for (std::int64_t row = 0; row < in.height; ++row) {
    const bool is_second = out.halved_rows && row % 2 == 1;
    const Colors colors = rows.read(row, is_second ? 1 : 0);
    run_vectorized<&encode_luma>(colors.red, colors.green, colors.blue, y.data(), in.width, f);
    above = is_second ? above : colors;
    const bool is_last = row + 1 == in.height;
    if (!out.halved_rows || is_second || is_last) {
      differences.encode(above, colors);
    }
    if (out.layout == YuvLayout::kPacked) {
      write_packed(out, row, y.data(), differences.u.data(), differences.v.data());
      continue;
    }
    write_luma(out, row, y.data());
    if (!out.halved_rows || is_second || is_last) {
      write_chroma(out, out.halved_rows ? row / 2 : row, differences.u.data(),
                   differences.v.data());
    }
  }
}

}  // namespace

void yuv_to_color(YuvView<const Byte> in, ImageView<Byte> out, YuvCoding coding, ColorOrder order) {
  require_yuv(in);
  require_colors(out);
  require_sizes(in, out);
  const DecodeFactors factors(coding);
  if (out.channels == 1) {
    YuvReader reader(in);
    for (std::int64_t row = 0; row < in.height; ++row) {
      run_vectorized<&decode_grey_row>(reader.luma(row), out.row(row), in.width, factors);
    }
  } else if (order == ColorOrder::kBgr) {
    decode<true>(in, out, factors);
  } else {
    decode<false>(in, out, factors);
  }
}

void color_to_yuv(ImageView<const Byte> in, YuvView<Byte> out, YuvCoding coding, ColorOrder order) {
  require_colors(in);
  require_yuv(out);
  require_sizes(in, out);
  const EncodeFactors factors(coding);
  if (in.channels == 1) {
    encode_grey(in, out, factors);
  } else {
    encode_colors(in, out, factors, order);
  }
}

void copy_yuv(YuvView<const Byte> in, YuvView<Byte> out) {
  require_yuv(in);
  require_yuv(out);
  require_sizes(in, out);
  YuvReader reader(in);
  YuvReader below(in);
  const std::int64_t count = halved(in.width);
  std::vector<Byte> u(static_cast<std::size_t>(count));
  std::vector<Byte> v(u.size());
  YuvReader::Chroma chroma{};
  for (std::int64_t row = 0; row < in.height; ++row) {
    const bool begins = !out.halved_rows || row % 2 == 0;
    if (begins) {
      chroma = reader.chroma(in.halved_rows ? row / 2 : row);
    }
    if (begins && out.halved_rows && !in.halved_rows) {
      const YuvReader::Chroma next = below.chroma(std::min(row + 1, in.height - 1));
      run_vectorized<&mean_rows>(chroma.u, next.u, u.data(), count);
      run_vectorized<&mean_rows>(chroma.v, next.v, v.data(), count);
      chroma = {u.data(), v.data()};
    }
    const Byte* const y = reader.luma(row);
    if (out.layout == YuvLayout::kPacked) {
      write_packed(out, row, y, chroma.u, chroma.v);
      continue;
    }
    write_luma(out, row, y);
    if (begins) {
      write_chroma(out, out.halved_rows ? row / 2 : row, chroma.u, chroma.v);
    }
  }
}

}  // namespace gxr::kernels
