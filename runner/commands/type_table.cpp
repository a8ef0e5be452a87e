#include "commands/type_table.hpp"

#include <algorithm>

#include "commands/text_layout.hpp"

namespace gxr::commands {
namespace {

/// Longer names have their headline on the next line.
constexpr std::size_t kWidestName = 38;

std::string headline(const TypeInfo& type) {
  const char* mark = !type.component ? "(data) " : type.abstract ? "(base) " : "";
  return mark + type.headline;
}

}  // namespace

std::string type_table(const std::vector<const TypeInfo*>& types, std::size_t indent) {
  std::size_t widest = 0;
  for (const TypeInfo* type : types) {
    widest = type->name.size() <= kWidestName ? std::max(widest, type->name.size()) : widest;
  }
  std::string text;
  for (const TypeInfo* type : types) {
    text += entry(type->name, headline(*type), indent, indent + widest + 2);
  }
  return text;
}

}  // namespace gxr::commands
