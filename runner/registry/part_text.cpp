#include "registry/part_text.hpp"

#include <vector>

namespace gxr {
namespace {

/// "a", "a or b", "a, b or c"
std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

std::string dimensions_text(const PartInfo& part) {
  if (part.dimensions.empty()) {
    return part.rank ? " with " + std::to_string(*part.rank) +
                           (*part.rank == 1 ? " dimension" : " dimensions")
                     : std::string();
  }
  std::string text;
  for (const std::int32_t dimension : part.dimensions) {
    text += text.empty() ? ", [" : ", ";
    text += dimension < 0 ? "?" : std::to_string(dimension);
  }
  return text + "]";
}

}  // namespace

std::string spell(const PartInfo& part) {
  std::string text = part.type;
  if (!part.name.empty()) {
    text += " '" + part.name + "'";
  }
  if (!part.elements.empty()) {
    text += " of " + alternatives(part.elements);
  }
  if (!part.formats.empty()) {
    text += " in " + alternatives(part.formats);
  }
  text += dimensions_text(part);
  return part.optional ? text + ", optional" : text;
}

std::string spell(std::span<const PartInfo> parts, std::string_view separator) {
  std::string text;
  for (const PartInfo& part : parts) {
    text += text.empty() ? "" : part.alternative ? " or " : separator;
    text += spell(part);
  }
  return text;
}

}  // namespace gxr
