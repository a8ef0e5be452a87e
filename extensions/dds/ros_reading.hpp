#pragma once

#include <cstdint>
#include <utility>

#include "dds/parts.hpp"
#include "dds/ros_times.hpp"
#include "gxr/message.hpp"

namespace gxr::dds {

/// Pictures that begin with blue.
enum class BluesFirst : std::uint8_t {
  Turned,  ///< become tensors that begin with red, which all operators take
  Kept,    ///< stay where they are, as a VideoBuffer
};

/// Adds what a sample holds to `message`, as docs/dds.md says: pictures and points as such, all
/// else as parts named after the fields. Tensors use the memory of the sample where they can.
/// Throws Error: InvalidData, NotSupported for a picture of an encoding that gxr does not have.
void read_ros(Sample sample, const RosTimes& times, BluesFirst blues, Message& message);

}  // namespace gxr::dds

namespace gxr {

template <>
struct EnumNames<dds::BluesFirst> {
  static constexpr std::pair<dds::BluesFirst, const char*> values[] = {
      {dds::BluesFirst::Turned, "turn"},
      {dds::BluesFirst::Kept, "keep"},
  };
};

}  // namespace gxr
