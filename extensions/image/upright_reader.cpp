#include "image/upright_reader.hpp"

#include <utility>

#include "gxr/kernels/orient.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

UprightReader::UprightReader(std::unique_ptr<PictureReader> stored) : stored_(std::move(stored)) {
  take_format();
}

void UprightReader::take_format() {
  format_ = stored_->format();
  if (kernels::exchanges_sides(kernels::Orientation(stored_->orientation()))) {
    std::swap(format_.width, format_.height);
  }
}

void UprightReader::next() {
  stored_->next();
  take_format();
}

void UprightReader::read(void* first_row, std::ptrdiff_t row_stride) {
  const auto orientation = kernels::Orientation(stored_->orientation());
  if (orientation == kernels::Orientation::kUpright) {
    return stored_->read(first_row, row_stride);
  }
  const PictureFormat& stored = stored_->format();
  const std::size_t row = static_cast<std::size_t>(stored.width) *
                          static_cast<std::size_t>(stored.channels) * size_of(stored.type);
  scratch_.resize(row * static_cast<std::size_t>(stored.height));
  stored_->read(scratch_.data(), static_cast<std::ptrdiff_t>(row));
  visit_type(stored.type, [&](auto sample) {
    using T = decltype(sample);
    // Memory of std::vector<std::byte> comes from operator new and is aligned for every type.
    const auto from = kernels::packed_view(reinterpret_cast<const T*>(scratch_.data()),
                                           stored.width, stored.height, stored.channels);
    kernels::orient<T>(
        from,
        {static_cast<T*>(first_row), format_.width, format_.height, format_.channels, row_stride},
        orientation);
  });
}

}  // namespace gxr::image
