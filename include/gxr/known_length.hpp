#pragma once

#include <cstdint>
#include <optional>

#include "gxr/export.hpp"

namespace gxr {

/// A second base of codelets that know how often they will tick, such as a source of files. gxr
/// then shows how much of a run is done.
class GXR_API KnownLength {
 public:
  KnownLength() = default;
  KnownLength(const KnownLength&) = delete;
  KnownLength& operator=(const KnownLength&) = delete;
  virtual ~KnownLength();

  /// How often the codelet ticks in a run, if nothing ends it earlier; none: not known, or without
  /// end. Called once, when all components have been initialized.
  [[nodiscard]] virtual std::optional<std::uint64_t> ticks_in_run() const = 0;
};

}  // namespace gxr
