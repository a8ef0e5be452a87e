#include <algorithm>

#include "filter_kernel.hpp"

namespace acme {
namespace filter {

nvidia::gxf::Expected<void> FilterOnHost(const FilterArguments& arguments,
                                         nvidia::Span<const float> in, nvidia::Span<float> out) {
  const size_t columns = static_cast<size_t>(arguments.columns);
  if (in.size() != out.size() || in.size() != columns * static_cast<size_t>(arguments.rows)) {
    return nvidia::gxf::Unexpected{GXF_ARGUMENT_INVALID};
  }
  for (size_t row = 0; row < static_cast<size_t>(arguments.rows); ++row) {
    const auto from = in.subspan(row * columns, columns);
    const auto to = out.subspan(row * columns, columns);
    if (!from || !to) {
      return nvidia::gxf::Unexpected{GXF_ARGUMENT_OUT_OF_RANGE};
    }
    const float* source = from.value().data();
    for (int32_t column = 0; column < arguments.columns; ++column) {
      float sum = 0.0f;
      for (int32_t tap = 0; tap < arguments.tap_count; ++tap) {
        const int32_t at = column + tap - arguments.tap_count / 2;
        const bool outside = at < 0 || at >= arguments.columns;
        const float value = outside && !arguments.repeat_edges
                                ? arguments.fill
                                : source[std::clamp(at, 0, arguments.columns - 1)];
        sum += arguments.taps[tap] * value;
      }
      to.value().data()[column] =
          std::min(sum * arguments.gain + arguments.offset, arguments.highest);
    }
  }
  return nvidia::gxf::Success;
}

}  // namespace filter
}  // namespace acme
