#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace gxr {

/// A set of numbers below a fixed size, from which the next member at or after a number is found in
/// a few steps however large the set is: three levels of 64-ary bitmaps, enough for 262,144 members
/// per top word.
class ReadySet {
 public:
  static constexpr std::uint32_t kEnd = 0xffffffffU;

  explicit ReadySet(std::uint32_t size)
      : words_(word_count(size)),
        middle_(word_count(words_.size())),
        top_(word_count(middle_.size())) {}

  void insert(std::uint32_t i) noexcept {
    if (words_[i >> 6U] == 0) {
      middle_[i >> 12U] |= bit(i >> 6U);
      top_[i >> 18U] |= bit(i >> 12U);
    }
    words_[i >> 6U] |= bit(i);
  }
  void erase(std::uint32_t i) noexcept {
    if ((words_[i >> 6U] &= ~bit(i)) != 0) {
      return;
    }
    if ((middle_[i >> 12U] &= ~bit(i >> 6U)) == 0) {
      top_[i >> 18U] &= ~bit(i >> 12U);
    }
  }
  /// The least member that is not less than `from`, or kEnd.
  [[nodiscard]] std::uint32_t next(std::uint32_t from) const noexcept {
    if ((from >> 6U) < words_.size()) {
      const std::uint64_t here = words_[from >> 6U] >> (from & 63U);
      if (here != 0) {
        return from + lowest(here);
      }
    }
    return next_word((from >> 6U) + 1);
  }
  [[nodiscard]] bool empty() const noexcept { return next(0) == kEnd; }

 private:
  using Words = std::vector<std::uint64_t>;

  static std::size_t word_count(std::size_t bits) { return (bits + 63) / 64 + (bits == 0 ? 1 : 0); }
  static std::uint64_t bit(std::uint32_t i) noexcept { return std::uint64_t{1} << (i & 63U); }
  static std::uint32_t lowest(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(std::countr_zero(word));
  }
  /// Least set bit of `words` that is not less than `from`, or kEnd.
  static std::uint32_t scan(const Words& words, std::uint32_t from) noexcept {
    if ((from >> 6U) >= words.size()) {
      return kEnd;
    }
    const std::uint64_t here = words[from >> 6U] >> (from & 63U);
    return here != 0 ? from + lowest(here) : kEnd;
  }
  [[nodiscard]] std::uint32_t next_word(std::uint32_t word) const noexcept {
    std::uint32_t found = scan(middle_, word);
    if (found == kEnd) {
      const std::uint32_t block = next_block((word >> 6U) + 1);
      if (block == kEnd) {
        return kEnd;
      }
      found = (block << 6U) + lowest(middle_[block]);
    }
    return (found << 6U) + lowest(words_[found]);
  }
  [[nodiscard]] std::uint32_t next_block(std::uint32_t block) const noexcept {
    const std::uint32_t found = scan(top_, block);
    if (found != kEnd) {
      return found;
    }
    for (std::uint32_t i = (block >> 6U) + 1; i < top_.size(); ++i) {
      if (top_[i] != 0) {
        return (i << 6U) + lowest(top_[i]);
      }
    }
    return kEnd;
  }

  Words words_;   // one bit a member
  Words middle_;  // one bit a word that is not 0
  Words top_;     // one bit a middle word that is not 0
};

}  // namespace gxr
