#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/core/gxf.h"

namespace nvidia {
namespace gxf {

/// Bytes and their multiples.
class StorageSize {
 public:
  static constexpr std::size_t KB = std::size_t{1} << 10U;
  static constexpr std::size_t MB = std::size_t{1} << 20U;
  static constexpr std::size_t GB = std::size_t{1} << 30U;
  static constexpr std::size_t TB = std::size_t{1} << 40U;

  static constexpr std::size_t toBytesFromKB(std::size_t size) { return size * KB; }
  static constexpr std::size_t toBytesFromMB(std::size_t size) { return size * MB; }
  static constexpr std::size_t toBytesFromGB(std::size_t size) { return size * GB; }
  static constexpr std::size_t toBytesFromTB(std::size_t size) { return size * TB; }
  static constexpr std::size_t fromBytesToKB(std::size_t bytes) { return bytes / KB; }
  static constexpr std::size_t fromBytesToMB(std::size_t bytes) { return bytes / MB; }
  static constexpr std::size_t fromBytesToGB(std::size_t bytes) { return bytes / GB; }
  static constexpr std::size_t fromBytesToTB(std::size_t bytes) { return bytes / TB; }

  /// Bytes of a text such as "256KB" or "1 GB". Fractions are cut off the number; without a unit,
  /// and with the unit B, it counts MB. GXF_ARGUMENT_INVALID for others and for 0; the log names
  /// the component.
  static GXR_GXF_API Expected<std::size_t> ParseStorageSizeString(std::string text, gxf_uid_t cid);
};

}  // namespace gxf
}  // namespace nvidia
