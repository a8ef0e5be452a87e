#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "internal_api.hpp"

namespace gxr {

/// A node of an iteration that was measured, in ns of the steady clock, to which the
/// GPU's is set to within some microseconds.
struct MeasuredPart {
  std::int64_t begin_ns = 0;  ///< when all in front of it had ended; 0: it was not reached
  std::int64_t end_ns = 0;    ///< 0: it did not run, or has not ended. In a While: of its last run
};

/// For "as many as there are".
inline constexpr std::size_t kAllMeasured = ~std::size_t{0};

/// An iteration of a DeviceGraph or a DeviceLoop that measures.
struct MeasuredIteration {
  std::uint64_t number = 0;  ///< from 0
  std::int64_t begin_ns = 0;
  std::vector<MeasuredPart> parts;  ///< by NodeId

  /// When the last of them ended; its begin if none has.
  [[nodiscard]] GXR_INTERNAL_API std::int64_t end_ns() const noexcept;
};

}  // namespace gxr
