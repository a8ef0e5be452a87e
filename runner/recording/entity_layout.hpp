#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gxr/serialization/endpoint.hpp"
#include "gxr/serialization/record_format.hpp"
#include "internal_api.hpp"

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

/// An endpoint in which data can be passed over without being read.
class SkippingEndpoint : public Endpoint {
 public:
  /// Precondition: so many bytes are readable.
  virtual void skip(std::uint64_t bytes) = 0;
};

/// What the headers of an entity say.
struct EntityLayout {
  EntityHeader header;
  std::vector<PartLayout> parts;
  std::optional<std::int64_t> time;  ///< of its first Timestamp that has one, ns
};

/// Reads an entity up to the end of its last part. Throws Error(InvalidData) for what is damaged
/// and for types whose size is not known.
EntityLayout read_layout(Endpoint& endpoint);

/// Reads the headers of an entity; skips the data of its parts. Throws Error(InvalidData) for what
/// is damaged and for types whose size is not known.
GXR_INTERNAL_API std::vector<PartLayout> read_entity_layout(Endpoint& endpoint);

}  // namespace gxr
