#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gxr::image {

/// A path with a place for a number: `%d`, `%04d`, `{}` or `{:04}`; `%%`, `{{` and `}}` stand for
/// the character itself. The text is read by this class alone; nothing of it reaches a formatting
/// function.
class NumberedPath {
 public:
  NumberedPath() = default;
  /// Throws Error(InvalidParameter) that quotes what cannot be understood.
  explicit NumberedPath(std::string_view text);

  /// Is there a place for a number?
  [[nodiscard]] bool numbered() const noexcept { return numbered_; }
  /// The path with `number`, zeros in front up to the width.
  [[nodiscard]] std::string at(std::uint64_t number) const;

 private:
  /// Both take something from the beginning of `text` and return how many characters.
  std::size_t take_plain(std::string_view text);
  std::size_t take_special(std::string_view text);

  std::string before_;
  std::string after_;
  std::size_t width_ = 0;
  bool numbered_ = false;
};

}  // namespace gxr::image
