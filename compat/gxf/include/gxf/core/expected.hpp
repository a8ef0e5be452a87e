#pragma once

#include <type_traits>
#include <utility>

#include "common/expected.hpp"
#include "gxf/core/gxf.h"

namespace nvidia {
namespace gxf {

template <typename T>
using Expected = nvidia::Expected<T, gxf_result_t>;

using Unexpected = nvidia::Unexpected<gxf_result_t>;

const Expected<void> Success{};

/// The error of one Expected on its way into another.
template <typename T>
Unexpected ForwardError(const Expected<T>& expected) {
  return Unexpected{expected.error()};
}

template <typename T>
gxf_result_t ToResultCode(const Expected<T>& expected) {
  return expected.has_value() ? GXF_SUCCESS : expected.error();
}

inline Expected<void> ExpectedOrCode(gxf_result_t code) {
  if (code == GXF_SUCCESS) {
    return Success;
  }
  return Unexpected{code};
}

/// The value, if the code is that of success.
template <typename T>
Expected<std::decay_t<T>> ExpectedOrCode(gxf_result_t code, T&& value) {
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return Expected<std::decay_t<T>>(std::forward<T>(value));
}

/// The value, if there is no error.
template <typename S, typename T>
Expected<std::decay_t<T>> ExpectedOrError(const Expected<S>& expected, T&& value) {
  if (!expected.has_value()) {
    return ForwardError(expected);
  }
  return Expected<std::decay_t<T>>(std::forward<T>(value));
}

/// The later of two errors.
inline gxf_result_t AccumulateError(gxf_result_t previous, gxf_result_t current) {
  return current == GXF_SUCCESS ? previous : current;
}
inline Expected<void> AccumulateError(Expected<void> previous, Expected<void> current) {
  return current.has_value() ? previous : current;
}

}  // namespace gxf
}  // namespace nvidia
