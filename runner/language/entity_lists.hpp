#pragma once

#include "gxr/type_info.hpp"

namespace gxr::language {

/// The type inside of lists.
const ParameterType& element_of(const ParameterType& type);

/// Has this parameter a list of names of entities, as those of GraphExecutors and branches have?
bool names_entities(const TypeInfo& type, const ParameterInfo& parameter);

}  // namespace gxr::language
