#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/serialization/endpoint.hpp"
#include "gxr/serialization/record_format.hpp"

namespace gxr {

/// What stands in a recording about one part of a message.
struct PartLayout {
  TypeId type;
  std::string type_name;  ///< "Tensor", "int32", …
  std::string name;
  std::string shape;         ///< of tensors, else empty
  std::string element_type;  ///< of tensors, else empty
  std::string storage;       ///< of tensors, else empty

  friend bool operator==(const PartLayout&, const PartLayout&) = default;
};

/// Reads the headers of an entity; skips the data of its parts. Throws Error(InvalidData) for what
/// is damaged and for types whose size is not known.
std::vector<PartLayout> read_entity_layout(Endpoint& endpoint);

}  // namespace gxr
