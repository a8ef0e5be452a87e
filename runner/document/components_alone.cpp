#include "document/components_alone.hpp"

#include <cstddef>

namespace gxr {

bool is_component(const Value& root) {
  if (!root.is_map() || root.find("type") == nullptr) {
    return false;
  }
  for (std::size_t i = 0; i < root.size(); ++i) {
    const auto key = root.key(i).text();
    if (key != "name" && key != "type" && key != "parameters") {
      return false;
    }
  }
  return true;
}

const Value& type_key(const Value& component) {
  std::size_t i = 0;
  while (component.key(i).text() != "type") {
    ++i;
  }
  return component.key(i);
}

bool lists_components(const Value& root) {
  for (std::size_t i = 0; root.is_sequence() && i < root.size(); ++i) {
    if (!is_component(root.at(i))) {
      return false;
    }
  }
  return root.is_sequence() && root.size() > 0;
}

}  // namespace gxr
