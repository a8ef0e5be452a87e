#include "recorder.hpp"

#include "gxf/std/timestamp.hpp"

namespace acme {
namespace recorder {

using nvidia::gxf::FileStream;

gxf_result_t Recorder::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(receiver_, "receiver", "Receiver", "Takes the messages");
  result &= registrar->parameter(serializer_, "serializer", "Serializer", "Writes the messages");
  result &= registrar->parameter(directory_, "directory", "Folder", "Where the files are",
                                 std::string("."));
  result &= registrar->parameter(
      basename_, "basename", "Name", "Of the files; without it that of the receiver",
      nvidia::gxf::Registrar::NoDefaultParameter(), GXF_PARAMETER_FLAGS_OPTIONAL);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t Recorder::initialize() {
  const auto basename = basename_.try_get();
  const std::string path =
      directory_.get() + '/' + (basename ? basename.value() : std::string(receiver_->name()));
  index_stream_ = FileStream("", path + FileStream::kIndexFileExtension);
  entity_stream_ = FileStream("", path + FileStream::kBinaryFileExtension);
  offset_ = 0;
  messages_ = 0;
  nvidia::gxf::Expected<void> result;
  result &= index_stream_.open();
  result &= entity_stream_.open();
  if (!result) {
    GXF_LOG_ERROR("'%s' cannot be written: %s", path.c_str(), GxfResultStr(result.error()));
  }
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t Recorder::tick() {
  const auto message = receiver_->receive();
  if (!message || message.value().is_null()) {
    return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
  }
  const auto size = serializer_->serializeEntity(message.value(), &entity_stream_);
  if (!size) {
    GXF_LOG_ERROR("A message cannot be written: %s", GxfResultStr(size.error()));
    return size.error();
  }
  // The index has the times of the messages, so that recordings of the same messages are the same.
  const auto timestamp = message.value().get<nvidia::gxf::Timestamp>();
  nvidia::gxf::EntityIndex index;
  index.log_time =
      static_cast<uint64_t>(timestamp ? timestamp.value()->acqtime : getExecutionTimestamp());
  index.data_size = size.value();
  index.data_offset = offset_;
  const auto written = index_stream_.writeTrivialType<nvidia::gxf::EntityIndex>(&index);
  if (!written) {
    return written.error();
  }
  offset_ += size.value();
  ++messages_;
  return GXF_SUCCESS;
}

gxf_result_t Recorder::deinitialize() {
  nvidia::gxf::Expected<void> result;
  result &= index_stream_.flush();
  result &= entity_stream_.flush();
  result &= index_stream_.close();
  result &= entity_stream_.close();
  GXF_LOG_INFO("recorder: wrote %zu messages, %zu bytes", messages_, offset_);
  return nvidia::gxf::ToResultCode(result);
}

}  // namespace recorder
}  // namespace acme
