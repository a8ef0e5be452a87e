#include "image/message_parts.hpp"

#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::image {

namespace {

template <class T>
void copy_small(const detail::Part& part, Message& output) {
  output.add<T>(part.name, *static_cast<const T*>(part.data));
}

}  // namespace

void pass_on(const Message& input, const Tensor& processed, Geometry geometry, Message& output) {
  output.set_source_time(input.source_time());
  output.set_sequence(input.sequence());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const detail::Part& part = input.begin()[i];
    if (part.id == TypeIdOf<Timestamp>::value) {
      copy_small<Timestamp>(part, output);
    } else if (part.id == TypeIdOf<BayerPattern>::value && geometry == Geometry::Kept) {
      copy_small<BayerPattern>(part, output);
    } else if (part.id == TypeIdOf<Tensor>::value && part.data != &processed) {
      output.share_part(input, i);
    }
  }
}

}  // namespace gxr::image
