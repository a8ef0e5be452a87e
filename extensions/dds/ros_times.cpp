#include "dds/ros_times.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace gxr::dds {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

std::int64_t time_of_day() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

RosTimes::RosTimes(Stamps stamps, std::int64_t clock_now)
    : day_now_(time_of_day()), offset_(stamps == Stamps::Clock ? day_now_ - clock_now : 0) {}

std::int64_t RosTimes::from_ros(RosTime time) const noexcept {
  return time.seconds * kSecond + time.nanoseconds - offset_;
}

RosTime RosTimes::to_ros(std::int64_t time) const noexcept { return split(time + offset_); }

RosTime RosTimes::split(std::int64_t time) noexcept {
  std::int64_t seconds = time / kSecond;
  std::int64_t rest = time % kSecond;
  if (rest < 0) {
    --seconds;
    rest += kSecond;
  }
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return {static_cast<std::int32_t>(std::clamp(seconds, kLeast, kMost)),
          static_cast<std::uint32_t>(rest)};
}

}  // namespace gxr::dds
