#pragma once

#include <string>

#include "gxr/serialization/endpoint.hpp"
#include "gxr/serialization/record_format.hpp"
#include "internal_api.hpp"

namespace gxr {

/// "377501d69abf447c:a6170114d4f33ab8"
GXR_INTERNAL_API std::string hexadecimal(TypeId type);

/// Read and checked against the bytes that are left. Throw Error(InvalidData).
EntityHeader read_entity_header(Endpoint& endpoint);
/// Leaves the name in `name`.
ComponentHeader read_component_header(Endpoint& endpoint, std::string& name);

}  // namespace gxr
