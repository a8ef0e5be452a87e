#include "note_serializer.hpp"

#include "common/type_name.hpp"

namespace acme {
namespace recorder {

using nvidia::gxf::Endpoint;
using nvidia::gxf::Expected;
using nvidia::gxf::ForwardError;
using nvidia::gxf::Success;
using nvidia::gxf::Timestamp;
using nvidia::gxf::Unexpected;

gxf_result_t NoteSerializer::registerInterface(nvidia::gxf::Registrar* registrar) {
  return nvidia::gxf::ToResultCode(registrar->registerParameterlessComponent());
}

gxf_result_t NoteSerializer::initialize() {
  return nvidia::gxf::ToResultCode(configureSerializers() & configureDeserializers());
}

Expected<void> NoteSerializer::configureSerializers() {
  // The type of a note is found by its name, the other types by themselves.
  gxf_tid_t tid = GxfTidNull();
  const gxf_result_t code = GxfComponentTypeId(context(), nvidia::TypenameAsString<Note>(), &tid);
  if (code != GXF_SUCCESS) {
    GXF_LOG_ERROR("The type of notes is not registered: %s", GxfResultStr(code));
    return Unexpected{code};
  }
  Expected<void> result;
  result &= setSerializer(tid, [this](void* component, Endpoint* endpoint) {
    return serializeNote(*static_cast<Note*>(component), endpoint);
  });
  result &= setSerializer<Timestamp>([this](void* component, Endpoint* endpoint) {
    return serializeTimestamp(*static_cast<Timestamp*>(component), endpoint);
  });
  result &= setSerializer<int64_t>([](void* component, Endpoint* endpoint) {
    return endpoint->writeTrivialType<int64_t>(static_cast<int64_t*>(component));
  });
  return result;
}

Expected<void> NoteSerializer::configureDeserializers() {
  Expected<void> result;
  result &= setDeserializer<Note>([this](void* component, Endpoint* endpoint) {
    return deserializeNote(*static_cast<Note*>(component), endpoint);
  });
  result &= setDeserializer<Timestamp>([this](void* component, Endpoint* endpoint) {
    return deserializeTimestamp(*static_cast<Timestamp*>(component), endpoint);
  });
  result &= setDeserializer<int64_t>([](void* component, Endpoint* endpoint) -> Expected<void> {
    const auto size = endpoint->readTrivialType<int64_t>(static_cast<int64_t*>(component));
    if (!size) {
      return ForwardError(size);
    }
    return Success;
  });
  return result;
}

Expected<size_t> NoteSerializer::serializeNote(const Note& note, Endpoint* endpoint) {
  const uint64_t sizes[2] = {note.text.size(), note.values.size()};
  size_t total = 0;
  for (const uint64_t& size : sizes) {
    const auto written = endpoint->writeTrivialType<uint64_t>(&size);
    if (!written) {
      return ForwardError(written);
    }
    total += written.value();
  }
  const auto text = endpoint->write(note.text.data(), note.text.size());
  if (!text) {
    return ForwardError(text);
  }
  const auto values = endpoint->write(note.values.data(), note.values.size() * sizeof(float));
  if (!values) {
    return ForwardError(values);
  }
  return total + text.value() + values.value();
}

Expected<void> NoteSerializer::deserializeNote(Note& note, Endpoint* endpoint) {
  uint64_t sizes[2] = {0, 0};
  for (uint64_t& size : sizes) {
    const auto read = endpoint->readTrivialType<uint64_t>(&size);
    if (!read) {
      return ForwardError(read);
    }
    if (size > (1UL << 20)) {
      return Unexpected{GXF_INVALID_DATA_FORMAT};
    }
  }
  note.text.resize(sizes[0]);
  note.values.resize(sizes[1]);
  Expected<void> result;
  result &= endpoint->read(note.text.data(), note.text.size());
  result &= endpoint->read(note.values.data(), note.values.size() * sizeof(float));
  return result;
}

Expected<size_t> NoteSerializer::serializeTimestamp(const Timestamp& timestamp,
                                                    Endpoint* endpoint) {
  return endpoint->writeTrivialType<Timestamp>(&timestamp);
}

Expected<void> NoteSerializer::deserializeTimestamp(Timestamp& timestamp, Endpoint* endpoint) {
  const auto size = endpoint->readTrivialType<Timestamp>(&timestamp);
  if (!size) {
    return ForwardError(size);
  }
  return Success;
}

}  // namespace recorder
}  // namespace acme
