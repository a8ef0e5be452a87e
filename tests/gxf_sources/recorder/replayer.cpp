#include "replayer.hpp"

namespace acme {
namespace recorder {

using nvidia::gxf::EntityIndex;
using nvidia::gxf::FileStream;

gxf_result_t Replayer::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(transmitter_, "transmitter", "Transmitter", "Sends the messages");
  result &= registrar->parameter(serializer_, "serializer", "Serializer", "Reads the messages");
  result &= registrar->parameter(more_, "more", "More",
                                 "The term that is switched off at the end of the file");
  result &= registrar->parameter(directory_, "directory", "Folder", "Where the files are",
                                 std::string("."));
  result &= registrar->parameter(basename_, "basename", "Name", "Of the files");
  result &= registrar->parameter(first_, "first", "First", "The number of the first message",
                                 static_cast<size_t>(0));
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t Replayer::initialize() {
  const std::string path = directory_.get() + "/" + basename_.get();
  index_stream_ = FileStream(path + FileStream::kIndexFileExtension, "");
  entity_stream_ = FileStream(path + FileStream::kBinaryFileExtension, "");
  nvidia::gxf::Expected<void> result;
  result &= index_stream_.open();
  result &= entity_stream_.open();
  if (!result) {
    GXF_LOG_ERROR("'%s' cannot be read: %s", path.c_str(), GxfResultStr(result.error()));
    return nvidia::gxf::ToResultCode(result);
  }
  return nvidia::gxf::ToResultCode(index_stream_.setReadOffset(first_ * sizeof(EntityIndex)));
}

gxf_result_t Replayer::tick() {
  EntityIndex index;
  const auto read = index_stream_.readTrivialType<EntityIndex>(&index);
  if (!read || read.value() != sizeof(EntityIndex)) {
    GXF_LOG_INFO("recorder: end of the file");
    return nvidia::gxf::ToResultCode(more_->disable_tick());
  }
  const auto moved = entity_stream_.setReadOffset(index.data_offset);
  if (!moved) {
    return moved.error();
  }
  auto message = serializer_->deserializeEntity(context(), &entity_stream_);
  if (!message) {
    GXF_LOG_ERROR("A message cannot be read: %s", GxfResultStr(message.error()));
    return message.error();
  }
  const auto end = entity_stream_.getReadOffset();
  if (!end || end.value() != index.data_offset + index.data_size) {
    GXF_LOG_ERROR("A message cannot be read: it is not as long as the index says");
    return GXF_INVALID_DATA_FORMAT;
  }
  return nvidia::gxf::ToResultCode(
      transmitter_->publish(message.value(), static_cast<int64_t>(index.log_time)));
}

gxf_result_t Replayer::deinitialize() {
  return nvidia::gxf::ToResultCode(index_stream_.close() & entity_stream_.close());
}

}  // namespace recorder
}  // namespace acme
