#include "gxr/kernels/convert.hpp"

#include "arguments.hpp"
#include "element_conversion.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <class In, class Out>
void convert_row(const In* __restrict in, Out* __restrict out, std::int64_t count, Affine affine) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = convert_element<In, Out>(in[i], affine);
  }
}

template <class In, class Out>
void convert_image(ImageView<const In> in, ImageView<Out> out, ScaleRange range) {
  require_same_shape(in, out);
  require_range(range);
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
