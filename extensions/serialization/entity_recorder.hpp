#pragma once

#include <optional>
#include <string>

#include "gxr/gxr.hpp"
#include "gxr/serialization/recording.hpp"

namespace gxr {

/// Records the messages of a receiver, one per tick.
class EntityRecorder final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;
  void stop() override;
  void deinitialize() override;

 private:
  Input<> receiver_;
  Parameter<Handle<EntitySerializer>> entity_serializer_;
  Parameter<FilePath> directory_;
  Parameter<std::string> basename_;
  Parameter<bool> flush_on_tick_;
  Parameter<LogTime> log_time_;
  std::optional<RecordingWriter> writer_;
};

}  // namespace gxr
