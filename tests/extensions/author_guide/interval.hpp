#pragma once

#include <gxr/gxr.hpp>

namespace guide {

/// Written as `[low, high]`.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};

}  // namespace guide

template <>
struct gxr::ParameterTraits<guide::Interval> {
  using Pair = gxr::ParameterTraits<std::pair<double, double>>;

  static gxr::ParameterType type() { return Pair::type(); }
  static guide::Interval parse(const gxr::Value& value, gxr::ParameterContext& context) {
    const auto [low, high] = Pair::parse(value, context);
    if (low > high) {
      throw gxr::Error(gxr::ErrorCode::OutOfRange,
                       value.to_yaml() + ": the first number is larger");
    }
    return {low, high};
  }
  static std::string to_yaml(const guide::Interval& value) {
    return Pair::to_yaml({value.low, value.high});
  }
};
