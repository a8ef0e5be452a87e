#pragma once

#include <cstdint>
#include <utility>

#include "gxr/parameter.hpp"

namespace gxr::dds {

/// How stamps of ROS 2, in which time counts since 1970, become times of an application.
enum class Stamps : std::uint8_t {
  Clock,  ///< turned into times of the application's clock, and back
  Epoch,  ///< the same number of nanoseconds
};

/// ns since 1970.
[[nodiscard]] std::int64_t time_of_day();

struct RosTime {
  std::int32_t seconds = 0;
  std::uint32_t nanoseconds = 0;
};

/// Times on the application's clock, which says `clock_now`, for the time of day.
class RosTimes {
 public:
  RosTimes(Stamps stamps, std::int64_t clock_now);

  [[nodiscard]] std::int64_t from_ros(RosTime time) const noexcept;
  [[nodiscard]] RosTime to_ros(std::int64_t time) const noexcept;
  /// Of what has no time.
  [[nodiscard]] RosTime now() const noexcept { return split(day_now_); }

 private:
  [[nodiscard]] static RosTime split(std::int64_t time) noexcept;

  std::int64_t day_now_;
  std::int64_t offset_;  ///< of the clock, behind the time of day
};

}  // namespace gxr::dds

namespace gxr {

template <>
struct EnumNames<dds::Stamps> {
  static constexpr std::pair<dds::Stamps, const char*> values[] = {
      {dds::Stamps::Clock, "clock"},
      {dds::Stamps::Epoch, "epoch"},
  };
};

}  // namespace gxr
