#include "dds/sample_serializer.hpp"

#include <memory>
#include <string>
#include <utility>

#include "dds/cdr_reader.hpp"
#include "dds/message_type.hpp"
#include "dds/parts.hpp"
#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

/// A text: its bytes behind their number. A sample: the name of its type as a text, and its bytes
/// as they are sent behind their number.
std::uint64_t write_bytes(gxr::Endpoint& endpoint, const void* bytes, std::uint64_t size) {
  endpoint.write(&size, sizeof(size));
  endpoint.write(bytes, size);
  return sizeof(size) + size;
}

std::uint64_t read_size(gxr::Endpoint& endpoint) {
  std::uint64_t size = 0;
  endpoint.read_all(&size, sizeof(size), "the size of a sample or text");
  if (size > endpoint.readable() || size > SampleBytes::kMostBytes) {
    throw Error(ErrorCode::InvalidData, "a sample or text of " + std::to_string(size) +
                                            " bytes does not fit into what is left, " +
                                            std::to_string(endpoint.readable()) + " bytes");
  }
  return size;
}

std::string read_text(gxr::Endpoint& endpoint) {
  std::string text(read_size(endpoint), '\0');
  endpoint.read_all(text.data(), text.size(), "a text");
  return text;
}

Sample read_sample_of(gxr::Endpoint& endpoint) {
  const std::string name = read_text(endpoint);
  const Description* const type = find_by_name(name);
  if (type == nullptr) {
    throw Error(ErrorCode::InvalidData, "a sample is of no known type: '" + name + "'");
  }
  const std::uint64_t size = read_size(endpoint);
  if (size < SampleBytes::kHeaderSize) {
    throw Error(ErrorCode::InvalidData,
                "a sample of " + name + " has " + std::to_string(size) + " bytes");
  }
  auto bytes = std::make_shared<SampleBytes>(size - SampleBytes::kHeaderSize);
  endpoint.read_all(bytes->wire(), size, "a sample");
  make_native(*type, {bytes->wire(), size});
  check_sample(*type, {bytes->body(), bytes->size()});
  return {type, std::move(bytes)};
}

}  // namespace

bool SampleSerializer::supports(TypeId type) const {
  return type == TypeIdOf<Sample>::value || type == TypeIdOf<Text>::value;
}

std::uint64_t SampleSerializer::serialize(const gxr::detail::Part& part, gxr::Endpoint& endpoint) {
  if (part.id == TypeIdOf<Text>::value) {
    const std::string& text = static_cast<const Text*>(part.data)->value;
    return write_bytes(endpoint, text.data(), text.size());
  }
  const auto& sample = *static_cast<const Sample*>(part.data);
  const std::uint64_t name =
      write_bytes(endpoint, sample.type->name.data(), sample.type->name.size());
  return name + write_bytes(endpoint, sample.bytes->wire(), sample.bytes->wire_size());
}

void SampleSerializer::deserialize(TypeId type, std::string_view name, Message& message,
                                   gxr::Endpoint& endpoint) {
  if (type == TypeIdOf<Text>::value) {
    message.add<Text>(name, Text{read_text(endpoint)});
  } else {
    message.add<Sample>(name, read_sample_of(endpoint));
  }
}

}  // namespace gxr::dds
