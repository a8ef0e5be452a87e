#pragma once

#include <cstdint>
#include <type_traits>

#include "gxr/kernels/image_view.hpp"

/// The arithmetic of the demosaicers, which host and device share.

namespace gxr::kernels {

/// The narrowest type that holds all intermediate sums exactly: Malvar's reach from -12 to 28 times
/// full scale in sixteenths, that is -3,060..7,140 for uint8_t.
template <class T>
using Sum = std::conditional_t<
    std::is_same_v<T, float>, float,
    std::conditional_t<std::is_same_v<T, std::uint8_t>, std::int16_t, std::int32_t>>;

/// What a sum in a part of a word has on top, so that it is not negative and leaves the other parts
/// alone; nothing where a sum has a variable of its own.
template <int Lift, class S>
[[gnu::always_inline]] GXR_HOST_DEVICE inline S lifted(S sum) {
  return sum;
}

/// (sum - Lift) / 2^Shift, rounded half up and clipped for integers. S is Sum<T>; the casts keep
/// the arithmetic in S, so that a vector register holds as many elements as it can.
template <class T, int Shift, int Lift, class S>
struct ScaleDown {
  [[gnu::always_inline]] GXR_HOST_DEVICE static T apply(S sum) {
    if constexpr (std::is_same_v<T, float>) {
      return sum * (1.0F / static_cast<float>(1 << Shift));
    } else {
      constexpr S top = static_cast<S>(full_scale<T>());
      const S rounded = static_cast<S>(static_cast<S>(sum + (1 << (Shift - 1))) >> Shift);
      const S above = rounded > 0 ? rounded : S{0};
      return static_cast<T>(above < top ? above : top);
    }
  }
};

template <class T, int Shift, int Lift, class S>
[[gnu::always_inline]] GXR_HOST_DEVICE inline auto scale_down(S sum) {
  return ScaleDown<T, Shift, Lift, S>::apply(sum);
}

/// The same for a sum of 2^Shift samples, which needs no clipping.
template <class T, int Shift, class S>
struct Mean {
  [[gnu::always_inline]] GXR_HOST_DEVICE static T apply(S sum) {
    if constexpr (std::is_same_v<T, float>) {
      return sum * (1.0F / static_cast<float>(1 << Shift));
    } else {
      return static_cast<T>(static_cast<S>(sum + (1 << (Shift - 1))) >> Shift);
    }
  }
};

template <class T, int Shift, class S>
[[gnu::always_inline]] GXR_HOST_DEVICE inline auto mean(S sum) {
  return Mean<T, Shift, S>::apply(sum);
}

/// What an interpolation looks at: the sample itself and sums of two neighbours (of four for
/// `diagonal`), at a distance of one, or two where it says far.
template <class S>
struct Neighbors {
  S center;
  S horizontal;
  S vertical;
  S diagonal;
  S far_horizontal;
  S far_vertical;
};

/// An interpolation estimates the two colours that a pixel lacks. `own` is the colour of its row's
/// sites (red in a row of red and green), `other` that of the neighbouring rows' sites: at a site
/// green and `other` are missing, at green `own` and `other`.
struct Bilinear {
  template <class T, class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static auto green_at_site(const Neighbors<S>& n) {
    return mean<T, 2>(static_cast<S>(n.horizontal + n.vertical));
  }
  template <class T, class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static auto other_at_site(const Neighbors<S>& n) {
    return mean<T, 2>(n.diagonal);
  }
  template <class T, class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static auto own_at_green(const Neighbors<S>& n) {
    return mean<T, 1>(n.horizontal);
  }
  template <class T, class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static auto other_at_green(const Neighbors<S>& n) {
    return mean<T, 1>(n.vertical);
  }
};

/// Figure 2 of the paper, times two: sixteenths, or eighths where all are even.
struct Malvar {
  template <class T, class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static auto green_at_site(const Neighbors<S>& n) {
    const S near = static_cast<S>(n.horizontal + n.vertical);
    return scale_down<T, 3, kSiteLift>(static_cast<S>(curvature(n) + 2 * near));
  }
  template <class T, class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static auto other_at_site(const Neighbors<S>& n) {
    return scale_down<T, 4, 3 * kSiteLift>(static_cast<S>(3 * curvature(n) + 4 * n.diagonal));
  }
  template <class T, class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static auto own_at_green(const Neighbors<S>& n) {
    return scale_down<T, 4, kGreenLift>(
        static_cast<S>(around_green(n) + 8 * n.horizontal - 3 * n.far_horizontal));
  }
  template <class T, class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static auto other_at_green(const Neighbors<S>& n) {
    return scale_down<T, 4, kGreenLift>(
        static_cast<S>(around_green(n) + 8 * n.vertical - 3 * n.far_vertical));
  }

 private:
  static constexpr int kSiteLift = 1366;   ///< no 8-bit curvature is below -1,020
  static constexpr int kGreenLift = 4096;  ///< no estimate at green, in sixteenths, below -3,060

  template <class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static S curvature(const Neighbors<S>& n) {
    return static_cast<S>(lifted<kSiteLift>(static_cast<S>(4 * n.center)) -
                          (n.far_horizontal + n.far_vertical));
  }
  template <class S>
  [[gnu::always_inline]] GXR_HOST_DEVICE static S around_green(const Neighbors<S>& n) {
    return static_cast<S>(lifted<kGreenLift>(static_cast<S>(10 * n.center)) - 2 * n.diagonal +
                          (n.far_horizontal + n.far_vertical));
  }
};

/// Index of the mirrored line, the edge not repeated, for indices from -2 to length + 1; others
/// give some line inside.
GXR_HOST_DEVICE inline std::int64_t mirror(std::int64_t index, std::int64_t length) {
  const std::int64_t right = index < 0 ? -index : index;
  const std::int64_t folded = right < length ? right : 2 * (length - 1) - right;
  const std::int64_t inside = folded < 0 ? -folded : folded;
  return inside < length ? inside : length - 1;
}

}  // namespace gxr::kernels
