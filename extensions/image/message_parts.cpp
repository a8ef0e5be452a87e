#include "image/message_parts.hpp"

#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::image {

void pass_on(const Message& input, const Tensor& processed, Geometry geometry, Message& output) {
  output.set_source_time(input.source_time());
  output.set_sequence(input.sequence());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const detail::Part& part = input.begin()[i];
    const bool is_kept = part.id == TypeIdOf<Timestamp>::value ||
                         (part.id == TypeIdOf<BayerPattern>::value && geometry == Geometry::Kept) ||
                         (part.id == TypeIdOf<Tensor>::value && part.data != &processed);
    if (is_kept) {
      output.share_part(input, i);
    }
  }
}

}  // namespace gxr::image
