// A recorder as an extension author writes it, from the public headers alone.

#include <optional>
#include <string>

#include <gxr/gxr.hpp>
#include <gxr/serialization/recording.hpp>

/// Records the messages of a receiver with a serializer of the application.
class MyRecorder final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(receiver_, "receiver", "Messages to record");
    interface.parameter(serializer_, "serializer", "Writes the messages");
    interface.parameter(out_directory_, "out_directory", "Folder of the recording; must exist");
    interface.parameter(basename_, "basename",
                        "Name of the recording's files without their ending");
    interface
        .parameter(log_time_, "log_time", "Which time the index says of an entity",
                   "source: the source time of the message, which for replayed messages is the time "
                   "in their recording's index, or the wall clock when it is unknown. now: the "
                   "wall clock.")
        .default_value(gxr::LogTime::Source);
  }

  void start() override {
    writer_.emplace(gxr::RecordingPaths(out_directory_->path, *basename_), full_name());
  }

  void tick() override {
    writer_->write(receiver_.receive(), *serializer_.get().get(), *log_time_);
  }

  void stop() override {
    if (writer_) {
      writer_->close();
    }
  }

 private:
  gxr::Input<> receiver_;
  gxr::Parameter<gxr::Handle<gxr::EntitySerializer>> serializer_;
  gxr::Parameter<gxr::FilePath> out_directory_;
  gxr::Parameter<std::string> basename_;
  gxr::Parameter<gxr::LogTime> log_time_;
  std::optional<gxr::RecordingWriter> writer_;
};

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<MyRecorder>("Records messages to a pair of files");
}
