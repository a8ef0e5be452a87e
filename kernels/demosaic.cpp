#include "gxr/kernels/demosaic.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "arguments.hpp"
#include "demosaic_estimate.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

/// The rows y - 2 to y + 2; each may be read from column -2 to width + 1.
template <class S>
struct Window {
  const S* above2;
  const S* above;
  const S* center;
  const S* below;
  const S* below2;
};

/// Always inlined: the caller's restricted pointers count only for what is inlined early.
template <class S>
[[gnu::always_inline]] inline Neighbors<S> neighbors_of(const Window<S>& w, std::int64_t x) {
  return {w.center[x],
          static_cast<S>(w.center[x - 1] + w.center[x + 1]),
          static_cast<S>(w.above[x] + w.below[x]),
          static_cast<S>(w.above[x - 1] + w.above[x + 1] + w.below[x - 1] + w.below[x + 1]),
          static_cast<S>(w.center[x - 2] + w.center[x + 2]),
          static_cast<S>(w.above2[x] + w.below2[x])};
}

/// All bits set or none, as wide as T.
template <class T>
using Mask = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, T>;

/// `a` where the mask is set, else `b`. Bit operations, because the compiler turns a conditional
/// into branches around the arithmetic, and then does not vectorise.
template <class T>
T select(Mask<T> mask, T a, T b) {
  const auto bits_a = std::bit_cast<Mask<T>>(a);
  const auto bits_b = std::bit_cast<Mask<T>>(b);
  return std::bit_cast<T>(static_cast<Mask<T>>((bits_a & mask) | (bits_b & ~mask)));
}

/// One row of all colours; the mask is set where the row's own colour was sampled. All estimates
/// are formed everywhere and selected: no branches, only contiguous reads. Writing the colours
/// apart and interleaving afterwards vectorises better than writing interleaved.
template <class Method, class T>
void interpolate_row(Window<Sum<T>> window, const Mask<T>* __restrict sites, T* __restrict own,
                     T* __restrict green, T* __restrict other, std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x) {
    const T seen = static_cast<T>(window.center[x]);
    const Neighbors<Sum<T>> n = neighbors_of(window, x);
    own[x] = select<T>(sites[x], seen, Method::template own_at_green<T>(n));
    green[x] = select<T>(sites[x], Method::template green_at_site<T>(n), seen);
    other[x] = select<T>(sites[x], Method::template other_at_site<T>(n),
                         Method::template other_at_green<T>(n));
  }
}

template <class T>
void interleave_row(const T* __restrict red, const T* __restrict green, const T* __restrict blue,
                    T* __restrict rgb, std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x) {
    rgb[3 * x] = red[x];
    rgb[3 * x + 1] = green[x];
    rgb[3 * x + 2] = blue[x];
  }
}

template <class T>
void widen_row(const T* __restrict in, Sum<T>* __restrict out, std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x) {
    out[x] = static_cast<Sum<T>>(in[x]);
  }
}

/// The five rows around the current one in the wide type, with mirrored margins of two columns.
template <class T>
class RowRing {
 public:
  explicit RowRing(ImageView<const T> image)
      : image_(image),
        pitch_(image.width + 2 * kMargin),
        storage_(static_cast<std::size_t>(kRows * pitch_)) {}

  /// Calls must come with y = 0, 1, 2, ... The rows stay until the next call.
  Window<Sum<T>> window(std::int64_t y) {
    for (; loaded_ < image_.height && loaded_ <= y + kMargin; ++loaded_) {
      load(loaded_);
    }
    return {line(y - 2), line(y - 1), line(y), line(y + 1), line(y + 2)};
  }

 private:
  static constexpr std::int64_t kRows = 5;
  static constexpr std::int64_t kMargin = 2;

  Sum<T>* slot(std::int64_t y) { return storage_.data() + (y % kRows) * pitch_ + kMargin; }
  const Sum<T>* line(std::int64_t y) { return slot(mirror(y, image_.height)); }

  void load(std::int64_t y) {
    Sum<T>* out = slot(y);
    const std::int64_t width = image_.width;
    run_vectorized<&widen_row<T>>(image_.row(y), out, width);
    for (const std::int64_t x : {std::int64_t{-2}, std::int64_t{-1}, width, width + 1}) {
      out[x] = out[mirror(x, width)];
    }
  }

  ImageView<const T> image_;
  std::int64_t pitch_;
  std::vector<Sum<T>> storage_;
  std::int64_t loaded_ = 0;
};

/// Set at columns of the given parity.
template <class T>
std::vector<Mask<T>> site_mask(std::int64_t width, int parity) {
  std::vector<Mask<T>> mask(static_cast<std::size_t>(width));
  for (std::size_t x = static_cast<std::size_t>(parity); x < mask.size(); x += 2) {
    mask[x] = static_cast<Mask<T>>(~Mask<T>{0});
  }
  return mask;
}

template <class Method, class T>
void demosaic(ImageView<const T> bayer, ImageView<T> rgb, BayerPattern pattern) {
  require_demosaic(bayer, rgb);
  const std::int64_t width = bayer.width;
  const auto red_sites = site_mask<T>(width, red_column(pattern));
  const auto blue_sites = site_mask<T>(width, 1 - red_column(pattern));
  std::vector<T> colors(static_cast<std::size_t>(3 * width));
  T* own = colors.data();
  T* green = own + width;
  T* other = green + width;
  RowRing<T> ring(bayer);
  for (std::int64_t y = 0; y < bayer.height; ++y) {
    const bool has_red = (y & 1) == red_row(pattern);
    const Mask<T>* sites = has_red ? red_sites.data() : blue_sites.data();
    run_vectorized<&interpolate_row<Method, T>>(ring.window(y), sites, own, green, other, width);
    run_vectorized<&interleave_row<T>>(has_red ? own : other, green, has_red ? other : own,
                                       rgb.row(y), width);
  }
}

}  // namespace

template <class T>
void demosaic_bilinear(ImageInput<T> bayer, ImageView<T> rgb, BayerPattern pattern) {
  demosaic<Bilinear, T>(bayer, rgb, pattern);
}

template <class T>
void demosaic_malvar(ImageInput<T> bayer, ImageView<T> rgb, BayerPattern pattern) {
  demosaic<Malvar, T>(bayer, rgb, pattern);
}

template void demosaic_bilinear(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                                BayerPattern);
template void demosaic_bilinear(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                                BayerPattern);
template void demosaic_bilinear(ImageView<const float>, ImageView<float>, BayerPattern);
template void demosaic_malvar(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, BayerPattern);
template void demosaic_malvar(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                              BayerPattern);
template void demosaic_malvar(ImageView<const float>, ImageView<float>, BayerPattern);

}  // namespace gxr::kernels
