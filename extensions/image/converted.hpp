#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "gxr/kernels/convert.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// The picture with elements of T: itself where it has them, else a copy in `scratch`.
template <class T>
kernels::ImageView<const T> converted(const InputImage& image, std::vector<std::byte>& scratch) {
  return visit_image(image, [&](auto in) -> kernels::ImageView<const T> {
    if constexpr (std::is_same_v<ElementOf<decltype(in)>, T>) {
      return in;
    } else {
      scratch.resize(static_cast<std::size_t>(in.row_elements() * in.height) * sizeof(T));
      const auto out = kernels::packed_view(reinterpret_cast<T*>(scratch.data()), in.width,
                                            in.height, in.channels);
      kernels::convert_elements(in, out);
      return kernels::ImageView<const T>(out);
    }
  });
}

}  // namespace gxr::image
