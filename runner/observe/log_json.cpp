#include "observe/log_json.hpp"

#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

namespace gxr {

std::string iso_time(std::chrono::system_clock::time_point time) {
  using std::chrono::floor;
  const auto ms = floor<std::chrono::milliseconds>(time);
  const auto s = floor<std::chrono::seconds>(ms);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(s);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  const long minutes = std::labs(local.tm_gmtoff) / 60;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}{}{:02}:{:02}", local.tm_year + 1900,
                     local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
                     (ms - s).count(), local.tm_gmtoff < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

}  // namespace gxr
