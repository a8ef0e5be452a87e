#include "recording/component_header.hpp"

#include <array>
#include <cstdio>

#include "gxr/error.hpp"

namespace gxr {
namespace {

/// Longer names are damage. (GXF's own limit for names is 256.)
constexpr std::uint64_t kLongestName = 4096;

}  // namespace

std::string hexadecimal(TypeId type) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%016llx:%016llx",
                static_cast<unsigned long long>(type.hash1),
                static_cast<unsigned long long>(type.hash2));
  return text.data();
}

EntityHeader read_entity_header(Endpoint& endpoint) {
  std::array<std::byte, EntityHeader::kSize> bytes{};
  endpoint.read_all(bytes.data(), bytes.size(), "the header of an entity");
  const EntityHeader header = decode_entity_header(bytes.data());
  if (header.component_count > endpoint.readable() / ComponentHeader::kSize) {
    throw Error(ErrorCode::InvalidData,
                "its header names " + std::to_string(header.component_count) +
                    " components, which do not fit into the " +
                    std::to_string(endpoint.readable()) + " bytes behind it");
  }
  return header;
}

ComponentHeader read_component_header(Endpoint& endpoint, std::string& name) {
  std::array<std::byte, ComponentHeader::kSize> bytes{};
  endpoint.read_all(bytes.data(), bytes.size(), "the header of a component");
  const ComponentHeader header = decode_component_header(bytes.data());
  if (header.name_size > kLongestName) {
    throw Error(ErrorCode::InvalidData, "the name of a component cannot have " +
                                            std::to_string(header.name_size) + " characters");
  }
  name.resize(header.name_size);
  endpoint.read_all(name.data(), name.size(), "the name of a component");
  return header;
}

}  // namespace gxr
