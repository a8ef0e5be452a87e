#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// How far an actual number may be from the expected one. A number passes when it meets one of the
/// limits that are not 0; when all are 0, the bits must be equal.
///
/// With a limit, two NaN are equal whatever their bits, a NaN differs from every number, an
/// infinity is equal to the same infinity alone, and -0 is equal to 0. Of a complex number, both
/// parts must pass.
struct Tolerance {
  double absolute = 0;    ///< greatest |actual - expected|
  double relative = 0;    ///< the same, as a part of |expected|
  std::uint64_t ulp = 0;  ///< representable numbers of the type from one to the other

  [[nodiscard]] bool exact() const noexcept { return absolute == 0 && relative == 0 && ulp == 0; }
  /// Throws Error(InvalidParameter) when elements of this type have no numbers to which the limits
  /// could apply; `name` stands for the tensor.
  void require_applicable(ElementType type, const std::string& name) const;
  /// Do two elements of this type pass?
  [[nodiscard]] bool met(ElementType type, std::size_t size, const std::byte* expected,
                         const std::byte* actual) const;
  /// "absolute_tolerance 0.001, ulp_tolerance 2": those that are not 0.
  [[nodiscard]] std::string text() const;
};

}  // namespace gxr::testing
