#include "recording/entity_layout.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "document/utf8.hpp"
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
  if (auto* const skipping = dynamic_cast<SkippingEndpoint*>(&endpoint);
      skipping != nullptr && bytes <= endpoint.readable()) {
    skipping->skip(bytes);
    return;
  }
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

/// The time of acquisition, else that of publication; none when both make no sense.
std::optional<std::int64_t> read_time(Endpoint& endpoint) {
  std::array<std::int64_t, 2> times{};  // as in the file: little-endian
  static_assert(sizeof(Timestamp) == sizeof(times));
  endpoint.read_all(times.data(), sizeof(times), "the data of a component");
  const auto& [pubtime, acqtime] = times;
  const std::int64_t time = acqtime > 0 ? acqtime : std::max(acqtime, pubtime);
  return time >= 0 ? std::optional(time) : std::nullopt;
}

PartLayout read_part(Endpoint& endpoint, std::optional<std::int64_t>& time) {
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
    throw Error(ErrorCode::InvalidData, "component " + quote_text(part.name) +
                                            " has the unknown type " + hexadecimal(header.type) +
                                            "; what follows it cannot be found");
  }
  part.type_name = known->name;
  if (header.type == TypeIdOf<Timestamp>::value) {
    const std::optional<std::int64_t> own = read_time(endpoint);
    time = time ? time : own;
  } else {
    skip(endpoint, known->size);
  }
  return part;
}

}  // namespace

EntityLayout read_layout(Endpoint& endpoint) {
  EntityLayout layout;
  layout.header = read_entity_header(endpoint);
  for (std::uint64_t i = 0; i < layout.header.component_count; ++i) {
    layout.parts.push_back(read_part(endpoint, layout.time));
  }
  return layout;
}

std::vector<PartLayout> read_entity_layout(Endpoint& endpoint) {
  std::vector<PartLayout> parts = read_layout(endpoint).parts;
  if (endpoint.readable() > 0) {
    throw Error(ErrorCode::InvalidData, std::to_string(endpoint.readable()) +
                                            " bytes are left over behind its last component");
  }
  return parts;
}

}  // namespace gxr
