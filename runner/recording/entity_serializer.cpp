#include "gxr/serialization/entity_serializer.hpp"

#include <array>
#include <string>
#include <utility>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/serialization/record_format.hpp"
#include "recording/component_header.hpp"

namespace gxr {
EntitySerializer::~EntitySerializer() = default;
StdEntitySerializer::~StdEntitySerializer() = default;
StdEntityIdSerializer::~StdEntityIdSerializer() = default;

void StdEntitySerializer::declare(Interface& interface) {
  interface.parameter(component_serializers_, "component_serializers",
                      "Who writes and reads the parts of messages",
                      "The first one that knows a part's type is used.");
  interface
      .parameter(verbose_warning_, "verbose_warning",
                 "Warn of unexpected sequence numbers, and of every part that nobody can write",
                 "Switched off, only the first such part is reported.")
      .default_value(verbose_default_);
}

void StdEntitySerializer::initialize() {
  next_written_.store(0);
  next_read_.store(0);
}

ComponentSerializer* StdEntitySerializer::find(TypeId type) const {
  for (const Handle<ComponentSerializer>& serializer : *component_serializers_) {
    if (serializer->supports(type)) {
      return serializer.get();
    }
  }
  return nullptr;
}

std::uint64_t StdEntitySerializer::serialize(const Message& message, Endpoint& endpoint) {
  EntityHeader header;
  for (const detail::Part& part : message) {
    if (find(part.id) != nullptr) {
      ++header.component_count;
    } else if (*verbose_warning_ || !reported_.exchange(true, std::memory_order_relaxed)) {
      log_warning("part " + quote_text(part.name) + " of type " + hexadecimal(part.id) +
                  " is left out: no component serializer knows it");
    }
  }
  header.sequence_number = next_written_.fetch_add(1, std::memory_order_relaxed);
  const auto bytes = encode(header);
  endpoint.write(bytes.data(), bytes.size());
  std::uint64_t size = bytes.size();
  for (const detail::Part& part : message) {
    size += serialize_part(part, endpoint);
  }
  return size;
}

std::uint64_t StdEntitySerializer::serialize_part(const detail::Part& part,
                                                  Endpoint& endpoint) const {
  ComponentSerializer* const serializer = find(part.id);
  if (serializer == nullptr) {
    return 0;
  }
  const RecordedAs as = serializer->recorded_as(part.id);
  ComponentHeader header;
  header.type = as.type;
  header.name_size = as.name_prefix.size() + part.name.size();
  const auto bytes = encode(header);
  endpoint.write(bytes.data(), bytes.size());
  endpoint.write(as.name_prefix.data(), as.name_prefix.size());
  endpoint.write(part.name.data(), part.name.size());
  return bytes.size() + header.name_size + serializer->serialize(part, endpoint);
}

Message StdEntitySerializer::deserialize(Endpoint& endpoint) {
  const EntityHeader header = read_entity_header(endpoint);
  check_sequence(header.sequence_number);
  Message message = context().new_message();
  message.set_sequence(header.sequence_number);
  std::string name;
  for (std::uint64_t i = 0; i < header.component_count; ++i) {
    deserialize_part(message, endpoint, name);
  }
  return message;
}

void StdEntitySerializer::deserialize_part(Message& message, Endpoint& endpoint,
                                           std::string& name) const {
  const ComponentHeader header = read_component_header(endpoint, name);
  ComponentSerializer* const serializer = find(header.type);
  if (serializer == nullptr) {
    throw Error(ErrorCode::InvalidData, "component " + quote_text(name) + " has the type " +
                                            hexadecimal(header.type) +
                                            ", which no component serializer knows");
  }
  serializer->deserialize(header.type, name, message, endpoint);
}

/// A recording may begin again at 0; else the numbers count up.
void StdEntitySerializer::check_sequence(std::uint64_t sequence) {
  const std::uint64_t expected = next_read_.exchange(sequence + 1, std::memory_order_relaxed);
  if (sequence != expected && sequence != 0 && *verbose_warning_) {
    log_warning("the entity has the sequence number " + std::to_string(sequence) + ", not " +
                std::to_string(expected));
  }
}

void StdEntityIdSerializer::deinitialize() {
  const std::lock_guard lock(mutex_);
  under_way_.clear();
}

std::uint64_t StdEntityIdSerializer::serialize(const Message& message, Endpoint& endpoint) {
  std::array<std::uint64_t, 2> words{};
  {
    const std::lock_guard lock(mutex_);
    words = {next_, next_ - 1};
    under_way_.emplace(next_++, message);
  }
  try {
    endpoint.write(words.data(), sizeof(words));
  } catch (...) {
    const std::lock_guard lock(mutex_);
    under_way_.erase(words[0]);
    throw;
  }
  return sizeof(words);
}

Message StdEntityIdSerializer::deserialize(Endpoint& endpoint) {
  std::array<std::uint64_t, 2> words{};
  endpoint.read_all(words.data(), sizeof(words), "the number of an entity");
  const std::lock_guard lock(mutex_);
  const auto found = under_way_.find(words[0]);
  if (found == under_way_.end()) {
    throw Error(ErrorCode::InvalidData,
                "no entity " + std::to_string(words[0]) +
                    " is under way: the writer must be this component, in this process");
  }
  Message message = std::move(found->second);
  under_way_.erase(found);
  return message;
}

}  // namespace gxr
