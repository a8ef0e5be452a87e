// Small data types are the same objects as gxr's.

#include <cstddef>
#include <type_traits>

#include "gxf/std/eos.hpp"
#include "gxf/std/timestamp.hpp"
#include "gxr/message_data.hpp"
#include "gxr/timestamp.hpp"

namespace nvidia::gxf {

static_assert(std::is_standard_layout_v<Timestamp> && sizeof(Timestamp) == sizeof(gxr::Timestamp) &&
              offsetof(Timestamp, pubtime) == offsetof(gxr::Timestamp, pubtime) &&
              offsetof(Timestamp, acqtime) == offsetof(gxr::Timestamp, acqtime));
static_assert(std::is_standard_layout_v<EndOfStream> &&
              sizeof(EndOfStream) == sizeof(gxr::EndOfStream));

using Moment = MultiSourceTimestamp::value_type;
using NativeMoment = gxr::MultiSourceTimestamp::Source;
static_assert(std::is_standard_layout_v<Moment> && sizeof(Moment) == sizeof(NativeMoment) &&
              offsetof(Moment, second) == offsetof(NativeMoment, domain) &&
              std::is_standard_layout_v<MultiSourceTimestamp> &&
              sizeof(MultiSourceTimestamp) == sizeof(gxr::MultiSourceTimestamp));

}  // namespace nvidia::gxf
