#pragma once

#include "gxr/value.hpp"

namespace gxr {

/// Is the document a list of components, without the entity that holds them?
[[nodiscard]] bool lists_components(const Value& root);

/// Is the document a component, without the entity that holds it? It has a 'type' and no key but
/// those of components.
[[nodiscard]] bool is_component(const Value& root);

/// The key 'type' of such a component.
[[nodiscard]] const Value& type_key(const Value& component);

}  // namespace gxr
