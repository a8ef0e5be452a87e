#pragma once

#include <cstdint>
#include <utility>

#include "gxr/parameter.hpp"

namespace gxr {

/// Where an operator that has both implementations works. As an operator's parameter it is called
/// `device`, so that `--device` sets it in all of them.
enum class DeviceChoice : std::uint8_t {
  Cpu,   ///< inputs in device memory are copied to the host, which waits for them
  Gpu,   ///< inputs in other memory are copied to the GPU; an error without one
  Auto,  ///< where the input's data is
};

template <>
struct EnumNames<DeviceChoice> {
  static constexpr std::pair<DeviceChoice, const char*> values[] = {
      {DeviceChoice::Cpu, "cpu"}, {DeviceChoice::Gpu, "gpu"}, {DeviceChoice::Auto, "auto"}};
};

}  // namespace gxr
