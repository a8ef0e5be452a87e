#include "serialization/entity_recorder.hpp"

#include "serialization/recorder_parameters.hpp"

namespace gxr {

void EntityRecorder::declare(Interface& interface) {
  interface.input(receiver_, "receiver", "Messages to record");
  interface.parameter(entity_serializer_, "entity_serializer", "Writes the messages");
  interface.parameter(directory_, "directory", "Folder of the recording; must exist");
  interface
      .parameter(basename_, "basename", "Name of the recording's files without their ending",
                 "Left out: the name of the receiver.")
      .optional();
  interface
      .parameter(flush_on_tick_, "flush_on_tick",
                 "For GXF's applications; changes nothing",
                 "Every tick hands its entity to the operating system.")
      .default_value(false);
  serialization::declare_log_time(interface, log_time_);
}

void EntityRecorder::initialize() {
  const auto& given = basename_.try_get();
  const std::string& basename = given ? *given : receiver_->name();
  if (basename.empty() && !context().compat_gxf()) {
    throw Error(ErrorCode::InvalidParameter,
                "the recording has no name: set basename, or give the receiver a name");
  }
  writer_.emplace(RecordingPaths(directory_->path, basename), full_name());
}

void EntityRecorder::tick() {
  writer_->write(receiver_.receive(), *entity_serializer_.get().get(), *log_time_);
}

// Here and not in deinitialize(), so that a full disk still fails the run.
void EntityRecorder::stop() {
  if (writer_) {
    writer_->close();
  }
}

void EntityRecorder::deinitialize() { writer_.reset(); }

}  // namespace gxr
