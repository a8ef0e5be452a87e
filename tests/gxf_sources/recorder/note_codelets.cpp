#include "note_codelets.hpp"

#include <cinttypes>
#include <cstring>
#include <string>
#include <vector>

#include "gxf/std/timestamp.hpp"
#include "note.hpp"

namespace acme {
namespace recorder {

gxf_result_t NoteSource::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(transmitter_, "transmitter", "Transmitter", "Sends the notes");
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t NoteSource::start() {
  number_ = 0;
  return GXF_SUCCESS;
}

gxf_result_t NoteSource::tick() {
  auto message = nvidia::gxf::Entity::New(context());
  if (!message) {
    return message.error();
  }
  auto note = message.value().add<Note>("draft");
  auto number = message.value().add<int64_t>("number");
  auto secret = message.value().add<float>("secret");  // no serializer knows it
  if (!note || !number || !secret) {
    return GXF_OUT_OF_MEMORY;
  }
  *number.value() = number_;
  *secret.value() = 0.5f;
  note.value()->text = "note " + std::to_string(number_);
  note.value()->values.assign(static_cast<size_t>(number_), static_cast<float>(number_) + 0.25f);
  // Now it is finished.
  const gxf_result_t renamed =
      GxfParameterSetStr(context(), note.value().cid(), kInternalNameParameterKey, "note");
  if (renamed != GXF_SUCCESS) {
    GXF_LOG_ERROR("A note cannot be renamed: %s", GxfResultStr(renamed));
    return renamed;
  }
  return nvidia::gxf::ToResultCode(transmitter_->publish(message.value(), 1000 + 10 * number_++));
}

gxf_result_t NoteCheck::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(receiver_, "receiver", "Receiver", "Takes the notes");
  result &= registrar->parameter(first_, "first", "First", "Number of the first note", 0L);
  result &= registrar->parameter(end_, "end", "End", "Number behind that of the last note");
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t NoteCheck::initialize() {
  number_ = first_;
  return GXF_SUCCESS;
}

gxf_result_t NoteCheck::tick() {
  auto message = receiver_->receive();
  if (!message || message.value().is_null()) {
    return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
  }
  // The note by way of the C functions, the other parts by way of their types.
  gxf_tid_t tid = GxfTidNull();
  gxf_result_t code = GxfComponentTypeId(context(), "acme::recorder::Note", &tid);
  if (code != GXF_SUCCESS) {
    return code;
  }
  int32_t offset = 0;
  gxf_uid_t cid = kNullUid;
  code = GxfComponentFind(context(), message.value().eid(), tid, "note", &offset, &cid);
  if (code != GXF_SUCCESS) {
    GXF_LOG_ERROR("There is no note: %s", GxfResultStr(code));
    return code;
  }
  void* pointer = nullptr;
  code = GxfComponentPointer(context(), cid, tid, &pointer);
  if (code != GXF_SUCCESS || pointer == nullptr) {
    return GXF_NULL_POINTER;
  }
  const Note& note = *static_cast<Note*>(pointer);
  gxf_uid_t eid = kNullUid;
  code = GxfComponentEntity(context(), cid, &eid);
  if (code != GXF_SUCCESS || eid != message.value().eid()) {
    GXF_LOG_ERROR("The note is in message %" PRId64 ": %s", eid, GxfResultStr(code));
    return GXF_FAILURE;
  }
  void* gone = nullptr;
  if (cid == last_note_ ||
      GxfComponentPointer(context(), last_note_, tid, &gone) != GXF_ENTITY_COMPONENT_NOT_FOUND) {
    GXF_LOG_ERROR("The number of the last note still leads to something");
    return GXF_FAILURE;
  }
  last_note_ = cid;
  const auto number = message.value().get<int64_t>("number");
  const auto timestamp = message.value().get<nvidia::gxf::Timestamp>("timestamp");
  if (!number || !timestamp) {
    return GXF_INVALID_DATA_FORMAT;
  }
  const std::vector<float> values(static_cast<size_t>(number_),
                                  static_cast<float>(number_) + 0.25f);
  if (*number.value() != number_ || note.text != "note " + std::to_string(number_) ||
      note.values != values || timestamp.value()->acqtime != 1000 + 10 * number_ ||
      message.value().get<float>("secret")) {
    GXF_LOG_ERROR("Expected note %" PRId64 ", got %" PRId64 ", '%s'", number_, *number.value(),
                  note.text.c_str());
    return GXF_FAILURE;
  }
  ++number_;
  return GXF_SUCCESS;
}

gxf_result_t NoteCheck::deinitialize() {
  if (number_ != end_) {
    GXF_LOG_ERROR("The last note is %" PRId64, number_ - 1);
    return GXF_FAILURE;
  }
  GXF_LOG_INFO("recorder: %" PRId64 " notes are right", number_ - first_);
  return GXF_SUCCESS;
}

}  // namespace recorder
}  // namespace acme
