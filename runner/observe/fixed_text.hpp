#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gxr {

/// Text without memory from the heap, for handlers of signals: what does not fit is cut.
template <std::size_t Size>
class FixedText {
 public:
  void add(std::string_view text) noexcept {
    size_ += text.copy(text_.data() + size_, Size - size_);
  }
  void add_number(std::uint64_t number, unsigned base, std::size_t digits) noexcept {
    std::array<char, 24> text{};
    std::size_t begin = text.size();
    for (; number > 0 || text.size() - begin < digits; number /= base) {
      text[--begin] = "0123456789abcdef"[number % base];
    }
    add({text.data() + begin, text.size() - begin});
  }
  [[nodiscard]] std::string_view view() const noexcept { return {text_.data(), size_}; }
  /// Of a text that was cut, so that something fits behind it.
  void shorten(std::size_t size) noexcept { size_ = std::min(size_, size); }

 private:
  std::array<char, Size> text_;
  std::size_t size_ = 0;
};

}  // namespace gxr
