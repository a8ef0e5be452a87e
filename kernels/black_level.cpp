#include "gxr/kernels/black_level.hpp"

#include "black_sample.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

/// Levels and gains of one row, of even and odd columns.
struct RowLevels {
  float level[2];
  float gain[2];
};

template <class T>
void without_black_row(const T* in, T* out, std::int64_t width, RowLevels row) {
  for (std::int64_t x = 0; x + 1 < width; x += 2) {
    out[x] = without_black(in[x], row.level[0], row.gain[0]);
    out[x + 1] = without_black(in[x + 1], row.level[1], row.gain[1]);
  }
  if (width % 2 != 0) {
    out[width - 1] = without_black(in[width - 1], row.level[0], row.gain[0]);
  }
}

}  // namespace

template <class T>
void subtract_black(ImageInput<T> in, ImageView<T> out, const BlackLevels& levels) {
  require_black<T>(in, out, &levels);
  for (std::int64_t y = 0; y < in.height; ++y) {
    const int first = y % 2 == 0 ? 0 : 2;
    const RowLevels row{{levels.level[first], levels.level[first + 1]},
                        {levels.gain[first], levels.gain[first + 1]}};
    run_vectorized<&without_black_row<T>>(in.row(y), out.row(y), in.width, row);
  }
}

template <class T>
void measure_black(ImageView<const T> image, PixelArea masked, float white, BlackLevels* levels) {
  require_masked(image, masked, levels);
  std::uint64_t sums[4] = {};
  for (std::int64_t y = masked.top; y < masked.top + masked.height; ++y) {
    const T* const row = image.row(y);
    for (std::int64_t x = masked.left; x < masked.left + masked.width; ++x) {
      sums[(y & 1) * 2 + (x & 1)] += black_count(row[x]);
    }
  }
  set_black_levels<T>(sums, masked, white, *levels);
}

template void subtract_black(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                             const BlackLevels&);
template void subtract_black(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                             const BlackLevels&);
template void subtract_black(ImageView<const float>, ImageView<float>, const BlackLevels&);
template void measure_black(ImageView<const std::uint8_t>, PixelArea, float, BlackLevels*);
template void measure_black(ImageView<const std::uint16_t>, PixelArea, float, BlackLevels*);
template void measure_black(ImageView<const float>, PixelArea, float, BlackLevels*);

}  // namespace gxr::kernels
