#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gxr {

/// Lines of a text for people, at most 80 columns wide.
class PlanLines {
 public:
  /// One line, broken between items where it would be too wide.
  void add(std::size_t indent, const std::string& title, const std::vector<std::string>& items,
           std::string_view separator);
  /// A line as it is; "" for an empty one.
  void add(std::string_view line);
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  void finish(std::string& line);

  std::string text_;
};

}  // namespace gxr
