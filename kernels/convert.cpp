#include "gxr/kernels/convert.hpp"

#include <cmath>

#include "contract.hpp"
#include "element.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

/// out = in * scale + offset, made once per picture.
struct Affine {
  float scale = 1.0F;
  float offset = 0.0F;
};

template <class In, class Out>
Affine affine_between(ScaleRange range) {
  const float span = range.scale_max - range.scale_min;
  if constexpr (std::is_same_v<Out, float>) {
    return {span / full_scale<In>(), range.scale_min};
  } else {
    return {full_scale<Out>() / span, -range.scale_min};
  }
}

template <class In, class Out>
Out convert_element(In in, Affine affine) {
  if constexpr (std::is_same_v<In, Out>) {
    return in;
  } else if constexpr (std::is_same_v<Out, float>) {
    return static_cast<float>(in) * affine.scale + affine.offset;
  } else if constexpr (std::is_same_v<In, float>) {
    return quantize<Out>((in + affine.offset) * affine.scale);
  } else if constexpr (sizeof(In) < sizeof(Out)) {
    return static_cast<Out>(in * 257U);
  } else {
    return static_cast<Out>((in + 128U) / 257U);
  }
}

template <class In, class Out>
void convert_row(const In* __restrict in, Out* __restrict out, std::int64_t count, Affine affine) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = convert_element<In, Out>(in[i], affine);
  }
}

template <class In, class Out>
void convert_image(ImageView<const In> in, ImageView<Out> out, ScaleRange range) {
  require_same_shape(in, out);
  require(std::isfinite(range.scale_min) && std::isfinite(range.scale_max) &&
              range.scale_min < range.scale_max,
          "scale_min must be below scale_max, both finite");
  const Affine affine = affine_between<In, Out>(range);
  for (std::int64_t y = 0; y < in.height; ++y) {
    run_vectorized<&convert_row<In, Out>>(in.row(y), out.row(y), in.row_elements(), affine);
  }
}

}  // namespace

template <class Out>
void convert_elements(ImageView<const std::uint8_t> in, ImageView<Out> out, ScaleRange range) {
  convert_image(in, out, range);
}

template <class Out>
void convert_elements(ImageView<const std::uint16_t> in, ImageView<Out> out, ScaleRange range) {
  convert_image(in, out, range);
}

template <class Out>
void convert_elements(ImageView<const float> in, ImageView<Out> out, ScaleRange range) {
  convert_image(in, out, range);
}

template void convert_elements(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, ScaleRange);
template void convert_elements(ImageView<const std::uint8_t>, ImageView<std::uint16_t>, ScaleRange);
template void convert_elements(ImageView<const std::uint8_t>, ImageView<float>, ScaleRange);
template void convert_elements(ImageView<const std::uint16_t>, ImageView<std::uint8_t>, ScaleRange);
template void convert_elements(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                               ScaleRange);
template void convert_elements(ImageView<const std::uint16_t>, ImageView<float>, ScaleRange);
template void convert_elements(ImageView<const float>, ImageView<std::uint8_t>, ScaleRange);
template void convert_elements(ImageView<const float>, ImageView<std::uint16_t>, ScaleRange);
template void convert_elements(ImageView<const float>, ImageView<float>, ScaleRange);

}  // namespace gxr::kernels
