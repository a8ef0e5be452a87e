#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "gxr/timestamp.hpp"
#include "gxr/type_id.hpp"

namespace gxr {

/// Says that a stream has ended. Part of a message.
struct EndOfStream {
  std::int64_t stream_id = -1;  ///< -1: all streams
};
template <>
struct TypeIdOf<EndOfStream> {
  static constexpr TypeId value{0x8c42f7bf70414626ULL, 0x97929eb20ce33cceULL};
};

/// Which clock a time was read from; GXF's numbers.
enum class TimeDomain : std::uint8_t {
  Tsc = 0,  ///< the machine's time stamp counter
  Ntp = 1,  ///< network time
  Ptp = 2,  ///< precision time of the network
};

/// One moment as up to three clocks see it. Part of a message.
struct MultiSourceTimestamp {
  /// The moment as one clock sees it.
  struct Source {
    Timestamp timestamp;                  ///< the time of that clock
    TimeDomain domain = TimeDomain::Tsc;  ///< which clock it is
  };
  /// Most clocks.
  static constexpr std::size_t kMaxSources = 3;

  std::array<Source, kMaxSources> sources{};  ///< one for each clock
  std::size_t count = 0;                      ///< the first `count` sources are set
};
template <>
struct TypeIdOf<MultiSourceTimestamp> {
  static constexpr TypeId value{0x872e77ecbde811edULL, 0xafa10242ac120002ULL};
};

}  // namespace gxr
