#include "arguments.hpp"
#include "gxr/kernels/resize.hpp"
#include "resize_few.cuh"
#include "resize_march.cuh"

namespace gxr::kernels {
namespace {

/// Calls one of four functions, by the number of channels.
template <class T, class... Arguments>
void call_by_channels(void (*const (&functions)[4])(const char*, ImageView<const T>, ImageView<T>,
                                                    bool, Stream),
                      const char* function, ImageView<const T> in, ImageView<T> out, bool choice,
                      Stream stream) {
  functions[in.channels - 1](function, in, out, choice, stream);
}

template <template <class, int, bool> class Method, class T>
void march_any(const char* function, ImageView<const T> in, ImageView<T> out, bool skips_rows,
               Stream stream) {
  call_by_channels<T>(
      {march<Method, T, 1>, march<Method, T, 2>, march<Method, T, 3>, march<Method, T, 4>},
      function, in, out, skips_rows, stream);
}

template <class T>
void resize_boxes_any(const char* function, ImageView<const T> in, ImageView<T> out, bool area,
                      Stream stream) {
  call_by_channels<T>(
      {resize_boxes<T, 1>, resize_boxes<T, 2>, resize_boxes<T, 3>, resize_boxes<T, 4>}, function,
      in, out, area, stream);
}

template <class T>
void interpolate(const char* function, ImageView<const T> in, ImageView<T> out, Stream stream) {
  if (columns_come_first(in.width, in.height)) {
    march_any<BilinearMarch>(function, in, out, in.height > 2 * out.height, stream);
  } else {
    resize_boxes_any(function, in, out, false, stream);
  }
}

template <class T>
void require_work(ImageView<const T> in, ImageView<T> out, Stream stream) {
  require_resizable(in, out);
  require_stream(stream);
}

}  // namespace

template <class T>
void resize_nearest(ImageInput<T> in, ImageView<T> out, Stream stream) {
  require_work<T>(in, out, stream);
  march_any<NearestMarch, T>("resize_nearest", in, out, false, stream);
}

template <class T>
void resize_bilinear(ImageInput<T> in, ImageView<T> out, Stream stream) {
  require_work<T>(in, out, stream);
  interpolate<T>("resize_bilinear", in, out, stream);
}

template <class T>
void resize_area(ImageInput<T> in, ImageView<T> out, Stream stream) {
  require_work<T>(in, out, stream);
  if (shrinks_nowhere(in.width, in.height, out.width, out.height)) {
    interpolate<T>("resize_area", in, out, stream);
  } else {
    resize_boxes_any<T>("resize_area", in, out, true, stream);
  }
}

template void resize_nearest(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, Stream);
template void resize_nearest(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, Stream);
template void resize_nearest(ImageView<const float>, ImageView<float>, Stream);
template void resize_bilinear(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, Stream);
template void resize_bilinear(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, Stream);
template void resize_bilinear(ImageView<const float>, ImageView<float>, Stream);
template void resize_area(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, Stream);
template void resize_area(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, Stream);
template void resize_area(ImageView<const float>, ImageView<float>, Stream);

}  // namespace gxr::kernels
