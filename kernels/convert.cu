#include "arguments.hpp"
#include "element_conversion.hpp"
#include "map.cuh"

namespace gxr::kernels {
namespace {

template <class In, class Out>
struct ConvertRun {
  Affine affine;

  template <int InChunks, int OutChunks>
  __device__ void operator()(const Run<In, InChunks>& in, Run<Out, OutChunks>& out, Place) const {
#pragma unroll
    for (int i = 0; i < in.kCount; ++i) {
      out.append(i, convert_element<In, Out>(in.get(i), affine));
    }
  }
};

template <class In, class Out>
void convert_image(ImageView<const In> in, ImageView<Out> out, ScaleRange range, Stream stream) {
  require_same_shape(in, out);
  require_range(range);
  require_stream(stream);
  map_anywhere<1, 1>("convert_elements", in, out, stream,
                     ConvertRun<In, Out>{affine_between<In, Out>(range)});
}

}  // namespace

template <class Out>
void convert_elements(ImageView<const std::uint8_t> in, ImageView<Out> out, ScaleRange range,
                      Stream stream) {
  convert_image(in, out, range, stream);
}

template <class Out>
void convert_elements(ImageView<const std::uint16_t> in, ImageView<Out> out, ScaleRange range,
                      Stream stream) {
  convert_image(in, out, range, stream);
}

template <class Out>
void convert_elements(ImageView<const float> in, ImageView<Out> out, ScaleRange range,
                      Stream stream) {
  convert_image(in, out, range, stream);
}

template void convert_elements(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, ScaleRange,
                               Stream);
template void convert_elements(ImageView<const std::uint8_t>, ImageView<std::uint16_t>, ScaleRange,
                               Stream);
template void convert_elements(ImageView<const std::uint8_t>, ImageView<float>, ScaleRange, Stream);
template void convert_elements(ImageView<const std::uint16_t>, ImageView<std::uint8_t>, ScaleRange,
                               Stream);
template void convert_elements(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, ScaleRange,
                               Stream);
template void convert_elements(ImageView<const std::uint16_t>, ImageView<float>, ScaleRange,
                               Stream);
template void convert_elements(ImageView<const float>, ImageView<std::uint8_t>, ScaleRange, Stream);
template void convert_elements(ImageView<const float>, ImageView<std::uint16_t>, ScaleRange,
                               Stream);
template void convert_elements(ImageView<const float>, ImageView<float>, ScaleRange, Stream);

}  // namespace gxr::kernels
