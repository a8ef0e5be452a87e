#include "plan/plan_lines.hpp"

namespace gxr {
namespace {

constexpr std::size_t kWidth = 80;

}  // namespace

void PlanLines::add(std::size_t indent, const std::string& title,
                    const std::vector<std::string>& items, std::string_view separator) {
  std::string line(indent, ' ');
  line += title;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? std::string(separator) : "");
    const std::size_t width = std::string_view(item).find_last_not_of(' ') + 1;
    if (i > 0 && line.size() + width > kWidth) {
      finish(line);
      line.assign(indent + 4, ' ');
    }
    line += item;
  }
  finish(line);
}

void PlanLines::add(std::string_view line) { text_.append(line).append("\n"); }

void PlanLines::finish(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text_ += line + "\n";
}

}  // namespace gxr
