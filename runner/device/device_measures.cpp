#include "device/device_measures.hpp"

#include <algorithm>

namespace gxr {

std::int64_t MeasuredIteration::end_ns() const noexcept {
  std::int64_t end = begin_ns;
  for (const MeasuredPart& part : parts) {
    end = std::max(end, part.end_ns);
  }
  return end;
}

}  // namespace gxr
