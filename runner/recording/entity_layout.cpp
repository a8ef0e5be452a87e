#include "recording/entity_layout.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/tensor.hpp"
#include "gxr/timestamp.hpp"
#include "recording/component_header.hpp"
#include "recording/tensor_payload.hpp"

namespace gxr {
namespace {

struct NamedType {
  TypeId type;
  const char* name;
  std::size_t size;
};

template <class T>
constexpr NamedType named(const char* name) {
  return {TypeIdOf<T>::value, name, sizeof(T)};
}

constexpr std::array<NamedType, 12> kNamedTypes = {
    named<Timestamp>("Timestamp"),  named<std::int8_t>("int8"),     named<std::uint8_t>("uint8"),
    named<std::int16_t>("int16"),   named<std::uint16_t>("uint16"), named<std::int32_t>("int32"),
    named<std::uint32_t>("uint32"), named<std::int64_t>("int64"),   named<std::uint64_t>("uint64"),
    named<float>("float32"),        named<double>("float64"),       named<bool>("bool")};

void skip(Endpoint& endpoint, std::uint64_t bytes) {
  std::array<std::byte, 4096> nowhere;
  while (bytes > 0) {
    const std::size_t piece = std::min<std::uint64_t>(bytes, nowhere.size());
    endpoint.read_all(nowhere.data(), piece, "the data of a component");
    bytes -= piece;
  }
}

void read_tensor(PartLayout& part, Endpoint& endpoint) {
  const TensorHeader header = read_tensor_header(endpoint);
  const CheckedTensor tensor = check(header, endpoint.readable());
  part.type_name = "Tensor";
  part.shape = tensor.shape.to_string();
  part.element_type = to_string(tensor.type);
  part.storage = to_string(tensor.storage);
  skip(endpoint, tensor.bytes);
}

PartLayout read_part(Endpoint& endpoint) {
  PartLayout part;
  const ComponentHeader header = read_component_header(endpoint, part.name);
  part.type = header.type;
  if (header.type == TypeIdOf<Tensor>::value) {
    read_tensor(part, endpoint);
    return part;
  }
  const auto* const known =
      std::find_if(kNamedTypes.begin(), kNamedTypes.end(),
                   [&](const NamedType& type) { return type.type == header.type; });
  if (known == kNamedTypes.end()) {
    throw Error(ErrorCode::InvalidData, "component '" + part.name + "' has the unknown type " +
                                            hexadecimal(header.type) +
                                            "; what follows it cannot be found");
  }
  part.type_name = known->name;
  skip(endpoint, known->size);
  return part;
}

}  // namespace

std::vector<PartLayout> read_entity_layout(Endpoint& endpoint) {
  const EntityHeader header = read_entity_header(endpoint);
  std::vector<PartLayout> parts;
  for (std::uint64_t i = 0; i < header.component_count; ++i) {
    parts.push_back(read_part(endpoint));
  }
  if (endpoint.readable() > 0) {
    throw Error(ErrorCode::InvalidData, std::to_string(endpoint.readable()) +
                                            " bytes are left over behind its last component");
  }
  return parts;
}

}  // namespace gxr
