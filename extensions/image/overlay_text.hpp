#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gxr::image {

/// A text with places for what is known of a message: `%n` its number, `%06n` with zeros up to that
/// width; `%t` its time as 0:01:02.345, in hours, minutes and seconds; `%T` its time as the date
/// and time of day of UTC, counted from 1970; `%%` a percent sign. The text is read by this class
/// alone; nothing of it reaches a formatting function.
class OverlayText {
 public:
  OverlayText() = default;
  /// Throws Error(InvalidParameter) that quotes what cannot be understood.
  explicit OverlayText(std::string_view text);

  /// `time`: ns.
  [[nodiscard]] std::string of(std::uint64_t sequence, std::int64_t time) const;

 private:
  enum class Kind : std::uint8_t { Plain, Number, Time, Date };
  struct Piece {
    Kind kind;
    std::string plain = {};
    std::size_t width = 0;
  };
  /// Takes what begins with '%'.
  void take_place(std::string_view& text);

  std::vector<Piece> pieces_;
};

}  // namespace gxr::image
