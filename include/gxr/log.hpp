#pragma once

#include <cstdint>

namespace gxr {

enum class LogLevel : std::uint8_t { Off, Error, Warn, Info, Debug };

}  // namespace gxr
