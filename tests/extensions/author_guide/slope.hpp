#pragma once

#include <gxr/gxr.hpp>

namespace guide {

enum class Slope : std::uint8_t { Up, Down };

}  // namespace guide

/// The spellings that YAML uses.
template <>
struct gxr::EnumNames<guide::Slope> {
  static constexpr std::pair<guide::Slope, const char*> values[] = {
      {guide::Slope::Up, "Up"},
      {guide::Slope::Down, "Down"},
  };
};
