#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "internal_api.hpp"

namespace gxr {

/// An integer as it is written, whatever its size may be.
struct IntegerText {
  bool negative = false;
  bool too_large = false;  ///< beyond 64 bits; magnitude means nothing
  std::uint64_t magnitude = 0;
};

/// Digits with a leading 0 that mean one number as octal, as GXF reads them, and another as decimal
/// digits. Nobody can know which is meant.
[[nodiscard]] bool is_octal(std::string_view text) noexcept;

/// How a text failed to be a number.
enum class NumberFlaw : std::uint8_t { NotANumber, TooLarge, TooSmall };

/// Decimal, 0x or 0X hexadecimal, leading 0 octal, with a sign or without; nothing else. Blanks
/// around it do not count.
std::optional<IntegerText> read_integer(std::string_view text);

/// A number as read_real found it; the flaw counts when there is no value.
struct RealText {
  std::optional<double> value;
  NumberFlaw flaw = NumberFlaw::NotANumber;
};
/// Decimal or exponent form, .inf and .nan in YAML's spellings. A number that would become
/// infinite, or 0 without being it, is a flaw.
RealText read_real(std::string_view text);
/// The same, rounded once to float.
RealText read_real32(std::string_view text);

/// A number without special values, and the unit behind it in lower case, which one blank may
/// precede.
struct Quantity {
  double number = 0;
  std::string_view digits;  ///< the number as written
  std::string unit;
};
std::optional<Quantity> read_quantity(std::string_view text);
/// Bytes, from a number and a unit, as parameters take amounts of memory: "512KiB", "10 MB". Empty
/// when it is none, or has no unit.
std::optional<std::uint64_t> read_byte_size(std::string_view text);

/// "1 step", "2 steps".
GXR_INTERNAL_API std::string counted(std::uint64_t count, std::string_view one,
                                     std::string_view many);

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace gxr
