// Times and sizes as text.

#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "common/logger.hpp"
#include "gxf/std/gems/utils/storage_size.hpp"
#include "gxf/std/gems/utils/time.hpp"

namespace nvidia::gxf {
namespace {

constexpr double kNanoseconds = 1e9;  // of a second

struct Quantity {
  double number;
  std::string_view unit;
};

/// A number greater than 0, a blank or none, and the rest.
std::optional<Quantity> parse_quantity(std::string_view text) {
  Quantity quantity{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (error != std::errc() || !std::isfinite(quantity.number) || quantity.number <= 0) {
    return std::nullopt;
  }
  quantity.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (quantity.unit.size() > 1 && quantity.unit.front() == ' ') {
    quantity.unit.remove_prefix(1);
  }
  return quantity;
}

}  // namespace

int64_t TimeToTimestamp(double time) { return static_cast<int64_t>(time * kNanoseconds); }

double TimestampToTime(int64_t timestamp) { return static_cast<double>(timestamp) / kNanoseconds; }

Expected<int64_t> ParseRecessPeriodString(std::string text, const gxf_uid_t& cid) {
  for (char& letter : text) {
    letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  double period = -1;
  if (const auto quantity = parse_quantity(text)) {
    if (quantity->unit.empty()) {
      period = quantity->number;
    } else if (quantity->unit == "s") {
      period = quantity->number * kNanoseconds;
    } else if (quantity->unit == "ms") {
      period = quantity->number * 1e6;
    } else if (quantity->unit == "hz") {
      period = kNanoseconds / quantity->number;
    }
  }
  if (!(period >= 0 && period < static_cast<double>(std::numeric_limits<int64_t>::max()))) {
    GXF_LOG_ERROR("Component %ld: '%s' is no period; write 10ms, 1.5s, 30Hz or nanoseconds",
                  static_cast<long>(cid), text.c_str());
    return Unexpected{GXF_ARGUMENT_INVALID};
  }
  return static_cast<int64_t>(period);
}

uint64_t getCurrentTimeUs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

// NOLINTNEXTLINE(performance-unnecessary-value-param)
Expected<std::size_t> StorageSize::ParseStorageSizeString(std::string text, gxf_uid_t cid) {
  std::size_t unit = 0;
  double number = 0;
  if (const auto quantity = parse_quantity(text)) {
    number = std::floor(quantity->number);
    const std::string_view name = quantity->unit;
    unit = name == "KB"                                  ? KB
           : name.empty() || name == "B" || name == "MB" ? MB
           : name == "GB"                                ? GB
           : name == "TB"                                ? TB
                                                         : 0;
  }
  constexpr double kMost = 9.0e18;
  if (unit == 0 || number < 1 || number * static_cast<double>(unit) > kMost) {
    GXF_LOG_ERROR("Component %ld: '%s' is no size; write 512KB, 16MB, 2GB or 1TB",
                  static_cast<long>(cid), text.c_str());
    return Unexpected{GXF_ARGUMENT_INVALID};
  }
  return static_cast<std::size_t>(number) * unit;
}

}  // namespace nvidia::gxf
