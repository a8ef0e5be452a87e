#include "image/message_parts.hpp"

#include <memory>

#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::image {
namespace {

/// A tensor over the memory of one in `input`, which lives until the last such tensor is gone.
void share_tensor(const Message& input, const detail::Part& part, Message& output) {
  auto owner = std::make_unique<Message>(input);
  output.add<Tensor>(part.name).share(
      *static_cast<Tensor*>(part.data), owner.get(),
      [](void* message, void*) noexcept { delete static_cast<Message*>(message); });
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
