#include "image/message_parts.hpp"

#include <memory>

#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::image {
namespace {

Strides strides_of(const Tensor& tensor) {
  Strides strides{};
  for (std::uint32_t i = 0; i < tensor.rank(); ++i) {
    strides[i] = tensor.stride(i);
  }
  return strides;
}

/// A tensor over the memory of one in `input`, which lives until the last such tensor is gone.
void share_tensor(const Message& input, const detail::Part& part, Message& output) {
  const auto& tensor = *static_cast<const Tensor*>(part.data);
  const Strides strides = strides_of(tensor);
  auto owner = std::make_unique<Message>(input);
  output.add<Tensor>(part.name).wrap(
      tensor.pointer(), tensor.shape(), tensor.element_type(), tensor.storage_type(), owner.get(),
      [](void* message, void*) noexcept { delete static_cast<Message*>(message); },
      tensor.bytes_per_element(), &strides);
  static_cast<void>(owner.release());
}

template <class T>
void copy_part(const detail::Part& part, Message& output) {
  output.add<T>(part.name, *static_cast<const T*>(part.data));
}

}  // namespace

void pass_on(const Message& input, const Tensor& processed, Geometry geometry, Message& output) {
  output.set_source_time(input.source_time());
  output.set_sequence(input.sequence());
  for (const detail::Part& part : input) {
    if (part.id == TypeIdOf<Timestamp>::value) {
      copy_part<Timestamp>(part, output);
    } else if (part.id == TypeIdOf<BayerPattern>::value && geometry == Geometry::Kept) {
      copy_part<BayerPattern>(part, output);
    } else if (part.id == TypeIdOf<Tensor>::value && part.data != &processed) {
      share_tensor(input, part, output);
    }
  }
}

}  // namespace gxr::image
