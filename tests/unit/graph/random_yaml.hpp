#pragma once

#include <array>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gxr::test {

/// Writes random YAML values in all styles, the same for the same seed. Its texts are made of what
/// YAML, terminals and GXF read in a way of their own.
class RandomYaml {
 public:
  explicit RandomYaml(unsigned seed) : random_(seed) {}

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  /// UTF-8, perhaps empty.
  std::string text() {
    std::string result;
    for (unsigned left = below(5); left > 0; --left) {
      result += kPieces[below(kPieces.size())];
    }
    if (below(40) == 0) {
      result += std::string(1000 + below(100), 'k');
    }
    return result;
  }
  /// For entities and components: no '/', no reserved "__" at the start, not empty.
  std::string name() {
    std::string result = "n" + std::to_string(++names_) + text();
    std::erase(result, '/');
    return result;
  }

  /// A text in a style that may stand anywhere. Never written by what is under test.
  std::string scalar(const std::string& text) {
    const bool printable = text.find_first_not_of(kPlain) == std::string::npos;
    if (printable && !text.empty() && below(2) == 0) {
      return text;
    }
    return printable && below(3) == 0 ? "'" + text + "'" : in_double_quotes(text);
  }

  /// A value in flow style, with tags, anchors and aliases.
  std::string value(unsigned depth) {
    if (!anchors_.empty() && below(12) == 0) {
      return "*" + anchors_[below(static_cast<unsigned>(anchors_.size()))] + " ";
    }
    const bool anchored = below(10) == 0;
    const std::string tag = below(12) == 0 ? kTags[below(kTags.size())] : "";
    const std::string content = untagged(depth, !tag.empty());
    if (!anchored) {
      return tag + content;
    }
    anchors_.push_back("a" + std::to_string(anchors_.size()));
    return "&" + anchors_.back() + " " + tag + content;
  }

  /// Anchors hold within a document.
  void begin_document() { anchors_.clear(); }

 private:
  static constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  static constexpr std::array<const char*, 6> kTags = {
      "!x ", "!!str ", "!!int ", "!<tag:example.org,2000:t> ", "!a-b ", "!!map "};
  static constexpr std::array<std::string_view, 72> kPieces = {"a",
                                                               "Z",
                                                               "9",
                                                               " ",
                                                               "  ",
                                                               ":",
                                                               ": ",
                                                               "a: b",
                                                               " #",
                                                               "#",
                                                               "-",
                                                               "- ",
                                                               "---",
                                                               "...",
                                                               "\n",
                                                               "\n\n",
                                                               "\t",
                                                               "\r",
                                                               std::string_view("\0", 1),
                                                               "\x1b[31m",
                                                               "\x7f",
                                                               "\u0085",
                                                               "\u00a0",
                                                               "\u2028",
                                                               "\u2003",
                                                               "\u3000",
                                                               "\u200b",
                                                               "\ufeff",
                                                               "null",
                                                               "Null",
                                                               "~",
                                                               "true",
                                                               "yes",
                                                               "0x1F",
                                                               "010",
                                                               "1e5",
                                                               "-1",
                                                               ".5",
                                                               "+7",
                                                               ".inf",
                                                               ".nan",
                                                               "1_000",
                                                               "12:30",
                                                               "2026-01-31",
                                                               "<<",
                                                               "=",
                                                               "?",
                                                               "? ",
                                                               "!",
                                                               "!!str",
                                                               "&a",
                                                               "*a",
                                                               "{",
                                                               "}",
                                                               "[",
                                                               "]",
                                                               ",",
                                                               ", ",
                                                               "'",
                                                               "\"",
                                                               "\\",
                                                               "%YAML 1.2",
                                                               "%",
                                                               "@",
                                                               "`",
                                                               "|",
                                                               ">",
                                                               "/",
                                                               "\u00e9",
                                                               "\u65e5\u672c",
                                                               "\U0001F600",
                                                               "<Unspecified>"};

  static std::string hexadecimal(unsigned code, unsigned digits) {
    std::string text(digits, '0');
    for (unsigned i = digits; i > 0; code >>= 4U) {
      text[--i] = "0123456789abcdef"[code & 0xFU];
    }
    return text;
  }
  /// All but letters and digits by their numbers.
  static std::string in_double_quotes(const std::string& text) {
    std::string result = "\"";
    for (std::size_t i = 0; i < text.size();) {
      const auto lead = static_cast<unsigned char>(text[i]);
      const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      unsigned code = size == 1 ? lead : lead & (0x7FU >> size);
      for (std::size_t k = 1; k < size; ++k) {
        code = (code << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
      }
      const bool plain = size == 1 && kPlain.find(text[i]) != std::string_view::npos;
      result += plain ? std::string(1, text[i]) : "\\U" + hexadecimal(code, 8);
      i += size;
    }
    return result + "\"";
  }

  std::string untagged(unsigned depth, bool tagged) {
    const unsigned kind = depth == 0 ? below(4) : below(8);
    if (kind == 0 && !tagged) {
      return below(2) == 0 ? "~" : "null";
    }
    if (kind < 5) {
      return scalar(text());
    }
    return kind == 5 ? list(depth) : map(depth);
  }
  std::string list(unsigned depth) {
    std::string result = "[";
    for (unsigned left = below(4); left > 0; --left) {
      result += value(depth - 1) + (left > 1 ? ", " : "");
    }
    return result + "]";
  }
  std::string map(unsigned depth) {
    std::string result = "{";
    std::set<std::string> keys;
    for (unsigned left = below(4); left > 0; --left) {
      const std::string key = text();
      if (keys.insert(key).second) {
        result += (keys.size() > 1 ? ", ? " : "? ") + scalar(key) + " : " + value(depth - 1);
      }
    }
    if (below(12) == 0) {
      result += keys.empty() ? "? [k, {a: b}] : 1" : ", ? [k, {a: b}] : 1";
    }
    return result + "}";
  }

  std::mt19937 random_;
  std::vector<std::string> anchors_;
  unsigned names_ = 0;
};

}  // namespace gxr::test
