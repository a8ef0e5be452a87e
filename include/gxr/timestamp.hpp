#pragma once

#include <cstdint>

#include "gxr/type_id.hpp"

namespace gxr {

/// When a message was published and when its data was acquired, ns. Part name "timestamp".
struct Timestamp {
  std::int64_t pubtime = 0;  ///< when it was published; 0: not told
  std::int64_t acqtime = 0;  ///< when its data was acquired
};

template <>
struct TypeIdOf<Timestamp> {
  static constexpr TypeId value{0xd1095b105c904bbcULL, 0xbc89601134cb4e03ULL};
};

}  // namespace gxr
